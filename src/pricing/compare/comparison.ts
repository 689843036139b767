import type { DescribedMachine } from '../../domain/machine-description.ts'
import { dayMs } from '../../domain/time.ts'

/** In order of how much work they are. */
export const efforts = ['resize', 'region', 'provider', 'commit', 'spot', 'anywhere'] as const
export type Effort = (typeof efforts)[number]

/** Identifies a machine, with the members of the API contract. Every answer about a machine begins with them. */
export interface MachineName {
  readonly provider: string
  readonly region: string
  readonly availability_zone: string
  readonly instance_type: string
  readonly operating_system: string
  readonly usage_type: string
}

/** `provider` is a key in a request, and a display name in an answer. */
export const machineName = <Machine extends Omit<DescribedMachine, 'provider'>>(
  provider: string,
  machine: Machine,
): MachineName & { readonly usage_type: Machine['usageType'] } => ({
  provider,
  region: machine.region,
  availability_zone: machine.zone,
  instance_type: machine.instanceType,
  operating_system: machine.operatingSystem,
  usage_type: machine.usageType,
})

export const nameOf = <Name extends MachineName>(offer: Name): Pick<Name, keyof MachineName> => ({
  provider: offer.provider,
  region: offer.region,
  availability_zone: offer.availability_zone,
  instance_type: offer.instance_type,
  operating_system: offer.operating_system,
  usage_type: offer.usage_type,
})

export interface PriceAge {
  readonly age_days: number | null
  readonly is_old: boolean
  /** Whether it is a spot price older than a week, which has moved since. */
  readonly is_indicative: boolean
}

/** Days are YYYY-MM-DD; '' means unknown. */
export function priceAge(day: string, usageType: string, today: string): PriceAge {
  const age = day === '' ? null : Math.round((Date.parse(today) - Date.parse(day)) / dayMs)
  return {
    age_days: age,
    is_old: age !== null && age > oldAfterDays,
    is_indicative: usageType === 'SPOT_PREEMPTIBLE' && age !== null && age > spotMovesAfterDays,
  }
}

export const oldAfterDays = 60
/** Ask the provider before acting on a price that is older. */
export const outdatedAfterDays = 365
const spotMovesAfterDays = 7
