import { round } from '../../../domain/money.ts'
import type { Review } from './schema.ts'

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
