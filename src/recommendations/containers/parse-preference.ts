import type { TObject } from 'typebox'
import type { FieldError } from '../../domain/problem.ts'
import type { Unchecked } from '../../domain/schema.ts'
import { publicPolicyList, publicPolicyNamed } from '../../rightsizing/estimators/public-policies.ts'
import { type ProfileName, profileNames } from '../../rightsizing/risk/levels.ts'
import type { SizingPreference } from '../../rightsizing/workload.ts'
import type { preferenceMembers } from './query-schema.ts'

const defaultProfile: ProfileName = 'balanced'

export const publicPolicyNames: readonly string[] = publicPolicyList.map(({ name }) => name)

/** Names that a caller may give as a profile, the default first. The public policies are for comparison. */
export const profiles: readonly string[] = [
  defaultProfile,
  ...profileNames.filter((name) => name !== defaultProfile),
  ...publicPolicyNames,
]

function preferenceNamed(name: string): SizingPreference | undefined {
  const own = profileNames.find((profile) => profile === name.toLowerCase())
  if (own !== undefined) return { profile: own }
  const policy = publicPolicyNamed(name)
  return policy && { policy: policy.name }
}

export type PreferenceInput = Unchecked<TObject<ReturnType<typeof preferenceMembers>>>

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
