import { type FieldError, Problem } from '../../domain/problem.ts'
import type { SizingPreference } from '../../rightsizing/workload.ts'
import type { SettingsStore } from '../../store/port.ts'
import { type PreferenceInput, parsePreference, profiles } from './parse-preference.ts'
import type { SizingView } from './sizing-schema.ts'

export type PreferenceDeps = { readonly store: { readonly settings: SettingsStore } }

const settingName = 'sizing'

/** Returns undefined if nothing was set, or if what was set no longer exists. */
export async function preferenceOf(
  { store }: PreferenceDeps,
  organisation: string,
): Promise<SizingPreference | undefined> {
  return parsePreference(await storedWords(store.settings, organisation), '', [])
}

export async function readPreference({ store }: PreferenceDeps, organisation: string): Promise<SizingView> {
  return viewPreference(
    organisation,
    parsePreference(await storedWords(store.settings, organisation), '', []),
  )
}

export async function setPreference(
  { store }: PreferenceDeps,
  organisation: string,
  words: PreferenceInput,
): Promise<SizingView> {
  const errors: FieldError[] = []
  if (words.profile !== undefined && words.risk !== undefined)
    errors.push({ pointer: '/risk', message: 'cannot be combined with a profile: set only one of them' })
  const preference = parsePreference(words, '/', errors)
  if (errors.length > 0) throw new Problem('invalid', 'The sizing profile cannot be set.', { errors })
  await store.settings.write(organisation, settingName, preference && JSON.stringify(words))
  return viewPreference(organisation, preference)
}

async function storedWords(settings: SettingsStore, organisation: string): Promise<PreferenceInput> {
  const text = await settings.read(organisation, settingName)
  return text === undefined ? {} : JSON.parse(text)
}

function viewPreference(organisation: string, preference: SizingPreference | undefined): SizingView {
  const risk = preference?.risk ?? null
  const profile = risk === null ? (preference?.profile ?? preference?.policy ?? profiles[0]!) : null
  return { organisation, profile, risk, set: preference !== undefined }
}
