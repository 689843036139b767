import { round } from '../../domain/money.ts'
import type { Effort, MachineName } from '../../market/comparison/comparison.ts'

/** The version of the JSON output; it changes when a member goes or changes its meaning. */
export const reviewVersion = 1

type ReviewAction = 'create' | 'delete' | 'update' | 'replace' | 'no-op' | 'forget'

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

/** When a pipeline is to be held. */
export interface Gate {
  readonly maxIncreaseUsd?: number
  /** Hold it for anything that has no price, whatever happens to it. */
  readonly failOnUnpriced?: boolean
  /** Under `maxIncreaseUsd`: let pass what has no price and could cost more, and what is of an unknown type. */
  readonly allowUnpriced?: boolean
}

/** Why the pipeline is held, a sentence each; none: it may go on. */
export function heldBecause(
  review: Review,
  { maxIncreaseUsd, failOnUnpriced, allowUnpriced }: Gate,
): string[] {
  const reasons: string[] = []
  // In whole cents, as the review shows it: a limit that is copied from there holds.
  const increaseUsd = round(review.totals.difference_per_month, 2)
  if (maxIncreaseUsd !== undefined && increaseUsd > round(maxIncreaseUsd, 2))
    reasons.push(
      `the monthly cost would rise by $${increaseUsd.toFixed(2)}, more than the limit of $${maxIncreaseUsd}`,
    )
  const open = [...review.unpriced, ...review.unknown]
  const rising = open.filter((resource) => resource.may_raise_cost)
  // Nobody knows what a resource of an unknown type costs, even one that stays as it is.
  const others = review.unknown.filter((resource) => !resource.may_raise_cost)
  if (failOnUnpriced && open.length > 0) reasons.push(`${resources(open.length)} no price`)
  else if (maxIncreaseUsd !== undefined && !allowUnpriced) {
    if (rising.length > 0)
      reasons.push(`${resources(rising.length)} no price and could raise the cost; ${wayOut}`)
    if (others.length > 0) reasons.push(`${resources(others.length)} an unknown type; ${wayOut}`)
  }
  return reasons
}

const wayOut = '--allow-unpriced lets such plans pass'

const resources = (count: number): string => (count === 1 ? '1 resource has' : `${count} resources have`)
