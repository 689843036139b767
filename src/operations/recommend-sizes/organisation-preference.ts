import { type FieldError, Problem } from '../../domain/problem.ts'
import type { Wish } from '../../rightsizing/workload.ts'
import type { SettingsStore } from '../../store/port.ts'
import { organisationRule } from '../keys/issue-key.ts'
import { profiles } from './advisors.ts'
import { parseWish, type WishWords } from './parse-preference.ts'

export interface WishDeps {
  readonly store: { readonly settings: SettingsStore }
}

/** How an organisation's sizes are chosen where a request does not say. */
export interface OrganisationWish {
  readonly organisation: string
  /** Null where a risk stands for it. */
  readonly profile: string | null
  readonly risk: number | null
  /** False: nothing was set, so it is the usual one. */
  readonly set: boolean
}

const settingName = 'sizing'

/** Undefined where nothing was set, or what was set is known no more. */
export async function wishOf({ store }: WishDeps, organisation: string): Promise<Wish | undefined> {
  return parseWish(await storedWords(store.settings, organisation), '', [])
}

export async function readWish({ store }: WishDeps, organisation: string): Promise<OrganisationWish> {
  const errors = wrongOrganisation(organisation)
  if (errors.length > 0) throw new Problem('invalid', 'No organisation can have this name.', { errors })
  return viewWish(organisation, parseWish(await storedWords(store.settings, organisation), '', []))
}

/** Neither a profile nor a risk: the usual one again. */
export async function setWish(
  { store }: WishDeps,
  organisation: string,
  words: WishWords,
): Promise<OrganisationWish> {
  const errors = wrongOrganisation(organisation)
  if (words.profile !== undefined && words.risk !== undefined)
    errors.push({ pointer: '/risk', message: 'stands for a profile: only one of them can be set' })
  const wish = parseWish(words, '/', errors)
  if (errors.length > 0) throw new Problem('invalid', 'The sizing profile cannot be set.', { errors })
  await store.settings.write(organisation, settingName, wish && JSON.stringify(words))
  return viewWish(organisation, wish)
}

const wrongOrganisation = (organisation: string): FieldError[] =>
  organisationRule.pattern.test(organisation)
    ? []
    : [{ pointer: '/organisation', message: organisationRule.message }]

async function storedWords(settings: SettingsStore, organisation: string): Promise<WishWords> {
  const text = await settings.read(organisation, settingName)
  return text === undefined ? {} : JSON.parse(text)
}

function viewWish(organisation: string, wish: Wish | undefined): OrganisationWish {
  const risk = wish?.risk ?? null
  const profile = risk === null ? (wish?.profile ?? wish?.policy ?? profiles[0]!) : null
  return { organisation, profile, risk, set: wish !== undefined }
}
