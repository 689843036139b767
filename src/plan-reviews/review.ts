import { round } from '../domain/money.ts'
import type { Effort, MachineName } from '../market/comparison/comparison.ts'

/** The version of the JSON output. It changes when a member is removed or changes its meaning. */
export const reviewVersion = 1

type ReviewAction = 'create' | 'delete' | 'update' | 'replace' | 'no-op' | 'forget'

/** How plans change the cost. The members are those of the JSON output; money is in US dollars. */
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
  /** Days on which the prices were read; null if there are none. */
  readonly price_days: PriceDays | null
  /** Every resource is in exactly one of the four lists. This one has those with a price. */
  readonly changes: readonly ReviewedChange[]
  /** Resources that cost something but have no price here. No sum includes them. */
  readonly unpriced: readonly UnpricedChange[]
  /** Resources of an unknown type. No sum includes them. */
  readonly unknown: readonly UnknownChange[]
  /** Resources that are known to cost nothing. */
  readonly free: readonly ReviewedResource[]
  /** Number of resources that were changed outside of Terraform. The costs before the plan include those changes. */
  readonly drifted: number
}

/** YYYY-MM-DD */
export interface PriceDays {
  readonly oldest: string
  readonly newest: string
  /** Whether some prices are older than sixty days, and older than a year. */
  readonly is_old: boolean
  readonly is_outdated: boolean
}

export interface ReviewedResource {
  readonly plan: string
  readonly address: string
  readonly type: string
  readonly action: ReviewAction
}

export interface ReviewedChange extends ReviewedResource {
  /** Null if the resource does not exist on this side of the plan. */
  readonly before: PricedSide | null
  readonly after: PricedSide | null
  readonly difference_per_month: number
  /** Parts that cost something but are not included, assumptions, and types that end. */
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
  /** The day of the price, YYYY-MM-DD; null if unknown. */
  readonly price_day: string | null
  /** The limits between which a group scales; null for a fixed number. */
  readonly minimum: ScaledCost | null
  readonly maximum: ScaledCost | null
}

interface ScaledCost {
  readonly count: number
  readonly cost_per_month: number
}

/**
 * A cheaper comparable machine. `replaces` is the index of the planned machines that it replaces; amounts are for all
 * of them.
 */
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
  /** What differs from the planned machine. */
  readonly changes: readonly string[]
  /**
   * The recommended size if a service has measured the machine; if null, the suggestion is at least as large as the
   * planned machine.
   */
  readonly sized_for: { readonly cpu_cores: number; readonly ram_gb: number } | null
}

export interface UnpricedChange extends UnknownChange {
  readonly reason: string
}

export interface UnknownChange extends ReviewedResource {
  /** Whether applying the plan could raise the cost of the resource. */
  readonly may_raise_cost: boolean
}

/** Conditions under which a pipeline is stopped. */
export interface Gate {
  readonly maxIncreaseUsd?: number
  /** Stop if anything has no price, whatever the plan does with it. */
  readonly failOnUnpriced?: boolean
  /** With `maxIncreaseUsd`: accept resources without a price that could cost more, and resources of an unknown type. */
  readonly allowUnpriced?: boolean
}

/** Returns the reasons why the pipeline is stopped, one sentence each; empty if it may continue. */
export function gateFailures(
  review: Review,
  { maxIncreaseUsd, failOnUnpriced, allowUnpriced }: Gate,
): string[] {
  const reasons: string[] = []
  // Compares whole cents, as the review shows them, so that an amount copied from it works as a limit.
  const increaseUsd = round(review.totals.difference_per_month, 2)
  if (maxIncreaseUsd !== undefined && increaseUsd > round(maxIncreaseUsd, 2))
    reasons.push(
      `the monthly cost would rise by $${increaseUsd.toFixed(2)}, more than the limit of $${maxIncreaseUsd}`,
    )
  const open = [...review.unpriced, ...review.unknown]
  const rising = open.filter((resource) => resource.may_raise_cost)
  // The cost of a resource of an unknown type is unknown even if the resource stays as it is.
  const others = review.unknown.filter((resource) => !resource.may_raise_cost)
  if (failOnUnpriced && open.length > 0) reasons.push(`${resources(open.length)} no price`)
  else if (maxIncreaseUsd !== undefined && !allowUnpriced) {
    if (rising.length > 0)
      reasons.push(`${resources(rising.length)} no price and could raise the cost; ${allowHint}`)
    if (others.length > 0) reasons.push(`${resources(others.length)} an unknown type; ${allowHint}`)
  }
  return reasons
}

const allowHint = '--allow-unpriced lets such plans pass'

const resources = (count: number): string => (count === 1 ? '1 resource has' : `${count} resources have`)
