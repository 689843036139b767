import { roundHourly, roundSum } from '../../domain/money.ts'
import type { Offer } from '../../domain/offer.ts'
import type { PlannedInstance, PlanReading } from '../../domain/planned-instance.ts'
import { Problem } from '../../domain/problem.ts'
import { planResources } from '../../importers/terraform/resources.ts'
import { NotAPlan, type Plan, type PlanAction, readTerraformPlan } from '../../plans/terraform.ts'
import { monthlyPrice } from '../../pricing/savings.ts'
import { type Market, marketOf, type PricingDeps } from '../pricing/deps.ts'
import { findCurrent } from '../pricing/find-current.ts'
import { type Suggestion, type SuggestScope, suggestCheaper } from './suggest-cheaper.ts'

export interface ReviewOptions {
  readonly suggestFrom?: SuggestScope
  /** For each machine; 0: none. */
  readonly suggestions?: number
}

/** What a plan does to the bill of machines. The members are those of the JSON output; money is in US dollars. */
export interface Review {
  readonly changes: readonly ReviewedChange[]
  /** In no sum, for nothing is known to be free. */
  readonly unpriced: readonly UnpricedChange[]
  readonly totals: {
    readonly before_per_month: number
    readonly after_per_month: number
    readonly difference_per_month: number
  }
  /** Resources that are not machines and were not reviewed. */
  readonly other_resources: number
}

export interface ReviewedChange {
  readonly address: string
  readonly action: PlanAction
  readonly before: PricedMachine | null
  readonly after: PricedMachine | null
  readonly difference_per_month: number
  readonly suggestions: readonly Suggestion[]
}

export interface PricedMachine {
  readonly provider: string
  readonly region: string
  readonly availability_zone: string
  readonly instance_type: string
  readonly operating_system: string
  readonly usage_type: string
  readonly count: number
  /** Cost of one machine. */
  readonly cost_per_hour: number
  /** Cost of all `count` machines. */
  readonly cost_per_month: number
  /** The day of the price, YYYY-MM-DD; null where it is not known. */
  readonly price_day: string | null
}

interface UnpricedChange {
  readonly address: string
  readonly action: PlanAction
  readonly reason: string
}

/** Prices each machine of a Terraform plan before and after. `document` is what `terraform show -json` prints. */
export async function reviewPlan(
  deps: PricingDeps,
  organisation: string,
  document: unknown,
  options: ReviewOptions = {},
): Promise<Review> {
  const market = await marketOf(deps, organisation)
  const plan = planOf(document)
  const changes: ReviewedChange[] = []
  const unpriced: UnpricedChange[] = []
  for (const { address, action, before, after } of plan.changes) {
    const priced = { before: priceOf(deps, market, before), after: priceOf(deps, market, after) }
    const reasons = [
      ...new Set(Object.values(priced).flatMap((side) => ('reason' in side ? [side.reason] : []))),
    ]
    if ('reason' in priced.before || 'reason' in priced.after) {
      unpriced.push({ address, action, reason: reasons.join('; ') })
      continue
    }
    changes.push({
      address,
      action,
      before: priced.before.machine,
      after: priced.after.machine,
      difference_per_month: roundSum(monthly(priced.after) - monthly(priced.before)),
      suggestions:
        priced.after.offer === null ? [] : suggestCheaper(deps, market, priced.after.offer, options),
    })
  }
  const sum = (side: 'before' | 'after') =>
    changes.reduce((total, change) => total + (change[side]?.cost_per_month ?? 0), 0)
  return {
    changes,
    unpriced,
    totals: {
      before_per_month: roundSum(sum('before')),
      after_per_month: roundSum(sum('after')),
      difference_per_month: roundSum(sum('after') - sum('before')),
    },
    other_resources: plan.otherResources,
  }
}

/** Whether the plan raises the monthly cost by more than this many dollars. */
export const exceedsIncrease = (review: Review, maxIncreaseUsd: number): boolean =>
  review.totals.difference_per_month > maxIncreaseUsd

type Side = { machine: PricedMachine | null; offer: Offer | null } | { reason: string }

function planOf(document: unknown): Plan {
  try {
    return readTerraformPlan(document, planResources)
  } catch (error) {
    if (!(error instanceof NotAPlan)) throw error
    throw new Problem('invalid', error.message, { cause: error })
  }
}

function priceOf(deps: PricingDeps, market: Market, reading: PlanReading | null): Side {
  if (reading === null) return { machine: null, offer: null }
  if ('unclear' in reading) return { reason: reading.unclear }
  try {
    const offer = findCurrent(deps, market, descriptionOf(reading))
    return { offer, machine: machineOf(deps, offer, reading.count) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { reason: error.message }
  }
}

const descriptionOf = (machine: PlannedInstance) => ({
  provider: machine.provider,
  region: machine.region,
  availability_zone: machine.zone,
  instance_type: machine.instanceType,
  operating_system: machine.operatingSystem,
  usage_type: machine.usageType,
})

function machineOf(deps: PricingDeps, offer: Offer, count: number): PricedMachine {
  return {
    provider: deps.findProvider(offer.provider)?.displayName ?? offer.provider,
    region: offer.region,
    availability_zone: offer.zone,
    instance_type: offer.instanceType,
    operating_system: offer.operatingSystem,
    usage_type: offer.usageType,
    count,
    cost_per_hour: roundHourly(offer.pricePerHourUsd),
    cost_per_month: roundSum(monthlyPrice(offer) * count),
    price_day: offer.day || null,
  }
}

const monthly = (side: { machine: PricedMachine | null }): number => side.machine?.cost_per_month ?? 0
