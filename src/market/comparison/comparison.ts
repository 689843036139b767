import type { LeftOutReason } from '../../catalogue/left-out.ts'
import type { DescribedMachine, MachineDescription } from '../../domain/machine-description.ts'
import type { PriceSourceKind } from '../../domain/offer.ts'
import { dayMs } from '../../domain/time.ts'
import type { Savings } from '../../pricing/savings.ts'

/** In order of how much work they are. */
export const efforts = ['resize', 'region', 'provider', 'commit', 'spot', 'anywhere'] as const
export type Effort = (typeof efforts)[number]

interface ComparisonSize {
  readonly cpu_cores: number
  readonly ram_gb: number
}

export interface PriceOrigin extends PriceAge {
  readonly price_source: PriceSourceKind
  readonly source: string
  /** YYYY-MM-DD; null if unknown. */
  readonly day: string | null
}

/** One machine at one price. */
export interface ComparedOffer extends MachineName {
  readonly term: string | null
  readonly vm: ComparisonSize | null
  readonly gpu: { readonly count: number; readonly name: string } | null
  readonly cost_per_hour: number
  readonly cost_per_month: number
  readonly price: PriceOrigin
  readonly machine: MachineDescription
}

export interface ComparedCandidate extends ComparedOffer {
  readonly savings: Savings
}

export interface CurrentMachine extends ComparedOffer {
  readonly usage: ComparisonSize
  /** What a candidate must provide, in cores of the current speed. */
  readonly required: ComparisonSize
  /** What somebody who runs it has to know: that its type ends, that its price is assumed. */
  readonly notes: readonly string[]
}

export interface ComparisonOption {
  readonly effort: Effort
  readonly why: string
  readonly offers: readonly ComparedCandidate[]
}

/** The answer of POST /v1/comparisons. */
export interface Comparison {
  readonly current: CurrentMachine
  readonly options: readonly ComparisonOption[]
  /** Efforts for which no machine has a price at the place of the current one, so that nothing can be said about them. */
  readonly unpriced_efforts: readonly Effort[]
  readonly left_out: readonly { readonly reason: LeftOutReason; readonly offers: number }[]
  /** Where candidates were searched, as in the header Cheapside-Scope of POST /recommendations. */
  readonly scope: string
}

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
export const machineName = (provider: string, machine: Omit<DescribedMachine, 'provider'>): MachineName => ({
  provider,
  region: machine.region,
  availability_zone: machine.zone,
  instance_type: machine.instanceType,
  operating_system: machine.operatingSystem,
  usage_type: machine.usageType,
})

/** Returns only the members that identify a machine. */
export const nameOf = (offer: MachineName): MachineName => ({
  provider: offer.provider,
  region: offer.region,
  availability_zone: offer.availability_zone,
  instance_type: offer.instance_type,
  operating_system: offer.operating_system,
  usage_type: offer.usage_type,
})

export interface PriceAge {
  readonly age_days: number | null
  /** Whether the price is older than sixty days. */
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

const oldAfterDays = 60
/** Ask the provider before acting on a price that is older. */
export const outdatedAfterDays = 365
const spotMovesAfterDays = 7
