import { round } from '../../domain/money.ts'
import type { Review } from './review.ts'

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
