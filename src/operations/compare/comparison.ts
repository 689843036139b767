import type { LeftOutReason } from '../../catalogue/left-out.ts'
import type { MachineDescription } from '../../domain/machine-description.ts'
import type { PriceSourceKind } from '../../domain/offer.ts'
import type { Savings } from '../../pricing/savings.ts'
import type { MachineName } from '../pricing/machine-name.ts'
import type { PriceAge } from './price-age.ts'

/** In order of what it takes to take them up. */
export const efforts = ['resize', 'region', 'provider', 'commit', 'spot', 'anywhere'] as const
export type Effort = (typeof efforts)[number]

export interface ComparisonSize {
  readonly cpu_cores: number
  readonly ram_gb: number
}

export interface PriceOrigin extends PriceAge {
  readonly price_source: PriceSourceKind
  readonly source: string
  /** YYYY-MM-DD; null where none is known. */
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
  /** What a candidate must hold, in cores of the current speed. */
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
  /** Efforts for which the place of the machine has no price of any machine, so that nothing can be said of them. */
  readonly unpriced_efforts: readonly Effort[]
  readonly left_out: readonly { readonly reason: LeftOutReason; readonly offers: number }[]
  /** Where was looked, as the header Cheapside-Scope of POST /recommendations says it. */
  readonly scope: string
}
