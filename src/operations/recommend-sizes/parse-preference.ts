import type { FieldError } from '../../domain/problem.ts'
import type { SizingPreference } from '../../rightsizing/workload.ts'
import { preferenceNamed, profiles } from './advisors.ts'

/** As a caller or an organisation writes it. */
export interface PreferenceInput {
  /** A profile of ours, or a public policy by name. */
  readonly profile?: string | undefined
  /** Instead of a profile of ours: share of time (CPU) and of days (memory) above the request that is accepted. */
  readonly risk?: number | undefined
}

/** Undefined if no preference is given, or if it is invalid, which is reported. */
export function parsePreference(
  { profile, risk }: PreferenceInput,
  at: string,
  errors: FieldError[],
): SizingPreference | undefined {
  const named = profile === undefined ? {} : preferenceNamed(profile)
  if (named === undefined)
    errors.push({ pointer: `${at}profile`, message: `must be one of ${profiles.join(', ')}` })
  if (risk === undefined) return profile === undefined ? undefined : named
  if (!(risk >= 0 && risk <= 1))
    errors.push({ pointer: `${at}risk`, message: 'must be a number from 0 to 1' })
  else if (named?.policy !== undefined)
    errors.push({ pointer: `${at}risk`, message: `is not what ${named.policy} goes by` })
  return { risk }
}
