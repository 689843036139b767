import { organisationRule } from '../../domain/key.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import { publicPolicyList, publicPolicyNamed } from '../../rightsizing/estimators/public-policies.ts'
import { type ProfileName, profileNames } from '../../rightsizing/risk/ladder.ts'
import type { SizingPreference } from '../../rightsizing/workload.ts'
import type { SettingsStore } from '../../store/port.ts'

const usual: ProfileName = 'balanced'

/** Names of the public policies with which a caller may compare. */
export const publicPolicyNames: readonly string[] = publicPolicyList.map(({ name }) => name)

/** Names that a caller may give as a profile, the default first. The public policies are for comparison. */
export const profiles: readonly string[] = [
  usual,
  ...profileNames.filter((name) => name !== usual),
  ...publicPolicyNames,
]

/** Finds one of our own profiles or a public policy by name, in any letter case. */
function preferenceNamed(name: string): SizingPreference | undefined {
  const own = profileNames.find((profile) => profile === name.toLowerCase())
  if (own !== undefined) return { profile: own }
  const recipe = publicPolicyNamed(name)
  return recipe && { policy: recipe.name }
}

export interface PreferenceDeps {
  readonly store: { readonly settings: SettingsStore }
}

/** The sizing preference of an organisation, for requests that name none. */
export interface OrganisationPreference {
  readonly organisation: string
  /** Null if a risk is set instead. */
  readonly profile: string | null
  readonly risk: number | null
  /** False if nothing was set, so that the default applies. */
  readonly set: boolean
}

const settingName = 'sizing'

/** Returns undefined if nothing was set, or if what was set no longer exists. */
export async function preferenceOf(
  { store }: PreferenceDeps,
  organisation: string,
): Promise<SizingPreference | undefined> {
  return parsePreference(await storedWords(store.settings, organisation), '', [])
}

export async function readPreference(
  { store }: PreferenceDeps,
  organisation: string,
): Promise<OrganisationPreference> {
  checkOrganisationName(organisation)
  return viewPreference(
    organisation,
    parsePreference(await storedWords(store.settings, organisation), '', []),
  )
}

/** Resets to the default if neither a profile nor a risk is given. */
export async function setPreference(
  { store }: PreferenceDeps,
  organisation: string,
  words: PreferenceInput,
): Promise<OrganisationPreference> {
  const errors = wrongOrganisation(organisation)
  if (words.profile !== undefined && words.risk !== undefined)
    errors.push({ pointer: '/risk', message: 'cannot be combined with a profile: set only one of them' })
  const preference = parsePreference(words, '/', errors)
  if (errors.length > 0) throw new Problem('invalid', 'The sizing profile cannot be set.', { errors })
  await store.settings.write(organisation, settingName, preference && JSON.stringify(words))
  return viewPreference(organisation, preference)
}

export function checkOrganisationName(organisation: string): void {
  const errors = wrongOrganisation(organisation)
  if (errors.length > 0) throw new Problem('invalid', 'The name of the organisation is invalid.', { errors })
}

const wrongOrganisation = (organisation: string): FieldError[] =>
  organisationRule.pattern.test(organisation)
    ? []
    : [{ pointer: '/organisation', message: organisationRule.message }]

async function storedWords(settings: SettingsStore, organisation: string): Promise<PreferenceInput> {
  const text = await settings.read(organisation, settingName)
  return text === undefined ? {} : JSON.parse(text)
}

function viewPreference(
  organisation: string,
  preference: SizingPreference | undefined,
): OrganisationPreference {
  const risk = preference?.risk ?? null
  const profile = risk === null ? (preference?.profile ?? preference?.policy ?? profiles[0]!) : null
  return { organisation, profile, risk, set: preference !== undefined }
}

/** A preference as a caller or an organisation writes it, not yet checked. */
interface PreferenceInput {
  /** One of our own profiles, or a public policy, by name. */
  readonly profile?: string | undefined
  /** Accepted share of time (CPU) and of days (memory) above the request. It replaces one of our own profiles. */
  readonly risk?: number | undefined
  /** Share of all CPU usage that may exceed the requests. Only a request can set it, not an organisation. */
  readonly shortfall?: number | undefined
}

/** Undefined if no preference is given, or if it is invalid, which is reported. */
export function parsePreference(
  { profile, risk, shortfall }: PreferenceInput,
  at: string,
  errors: FieldError[],
): SizingPreference | undefined {
  const named = profile === undefined ? {} : preferenceNamed(profile)
  if (named === undefined)
    errors.push({ pointer: `${at}profile`, message: `must be one of ${profiles.join(', ')}` })
  const numeric = Object.entries({ risk, shortfall }).filter(([, share]) => share !== undefined)
  if (numeric.length === 0) return profile === undefined ? undefined : named
  for (const [name, share] of numeric) {
    if (!(share! >= 0 && share! <= 1))
      errors.push({ pointer: `${at}${name}`, message: 'must be a number from 0 to 1' })
    else if (named?.policy !== undefined)
      errors.push({ pointer: `${at}${name}`, message: `is not used by the policy ${named.policy}` })
  }
  return { ...(risk === undefined ? named : {}), ...Object.fromEntries(numeric) }
}
