import type { Effort } from '../compare/comparison.ts'
import type { MachineName } from '../pricing/machine-name.ts'

/** The version of the JSON output; it changes when a member goes or changes its meaning. */
export const reviewVersion = 1

export type ReviewAction = 'create' | 'delete' | 'update' | 'replace' | 'no-op' | 'forget'

/** What plans do to the bill. The members are those of the JSON output; money is in US dollars. */
export interface Review {
  readonly version: typeof reviewVersion
  /** Hours that a machine runs in a month. */
  readonly hours_per_month: number
  readonly plans: readonly string[]
  readonly totals: {
    readonly before_per_month: number
    readonly after_per_month: number
    readonly difference_per_month: number
  }
  /** When the prices were read; null without any. */
  readonly price_days: PriceDays | null
  /** Every resource is in exactly one of the four lists: those that are priced, */
  readonly changes: readonly ReviewedChange[]
  /** those that cost and have no price here, in no sum, */
  readonly unpriced: readonly UnpricedChange[]
  /** those of a type that is not known, in no sum, */
  readonly unknown: readonly UnknownChange[]
  /** and those that are known to cost nothing. */
  readonly free: readonly ReviewedResource[]
  /** Resources that were changed outside of Terraform; the costs before are those after that. */
  readonly drifted: number
}

/** YYYY-MM-DD */
export interface PriceDays {
  readonly oldest: string
  readonly newest: string
  /** Some are older than sixty days. */
  readonly is_old: boolean
}

export interface ReviewedResource {
  readonly plan: string
  readonly address: string
  readonly type: string
  readonly action: ReviewAction
}

export interface ReviewedChange extends ReviewedResource {
  /** null where it does not exist. */
  readonly before: PricedSide | null
  readonly after: PricedSide | null
  readonly difference_per_month: number
  /** Parts that cost and are not included, what was assumed, and types that end. */
  readonly notes: readonly string[]
  readonly suggestions: readonly Suggestion[]
}

export interface PricedSide {
  readonly machines: readonly PricedMachines[]
  readonly cost_per_month: number
}

export interface PricedMachines extends MachineName {
  readonly count: number
  /** Cost of one machine. */
  readonly cost_per_hour: number
  /** Cost of all `count` machines. */
  readonly cost_per_month: number
  /** The day of the price, YYYY-MM-DD; null where it is not known. */
  readonly price_day: string | null
  /** Between what a group scales; null for a fixed number. */
  readonly minimum: ScaledCost | null
  readonly maximum: ScaledCost | null
}

interface ScaledCost {
  readonly count: number
  readonly cost_per_month: number
}

/** A comparable machine for less, in place of `replaces` of the machines after; amounts are of all of them. */
export interface Suggestion extends MachineName {
  readonly replaces: number
  readonly effort: Effort
  readonly term: string | null
  readonly cpu_cores: number | null
  readonly ram_gb: number | null
  readonly count: number
  readonly cost_per_hour: number
  readonly cost_per_month: number
  readonly price_day: string | null
  readonly savings_per_month: number
  readonly savings_percentage: number
  /** What differs from the machine that is planned. */
  readonly changes: readonly string[]
  /** What right-sizing asks for, where a service has measured the machine; null: the suggestion is at least as large. */
  readonly sized_for: { readonly cpu_cores: number; readonly ram_gb: number } | null
}

export interface UnpricedChange extends UnknownChange {
  readonly reason: string
}

export interface UnknownChange extends ReviewedResource {
  /** Whether applying the plan could raise what it costs. */
  readonly may_raise_cost: boolean
}
