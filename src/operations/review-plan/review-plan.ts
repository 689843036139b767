import { hoursPerMonth, roundSum } from '../../domain/money.ts'
import { Problem } from '../../domain/problem.ts'
import { planProviders } from '../../importers/terraform/plan-providers.ts'
import { type Effort, priceAge } from '../../market/comparison/comparison.ts'
import { marketOf, type PricingDeps } from '../../market/market.ts'
import { offerNotes } from '../../market/offer-facts.ts'
import {
  NotAPlan,
  noDefaults,
  type PlanDefaults,
  type PlannedChange,
  readTerraformDifference,
  readTerraformPlan,
  type TerraformPlan,
} from '../../plans/terraform.ts'
import { Yielder } from '../../runtime/yielder.ts'
import { type Priced, ReadingPricer } from './price-readings.ts'
import {
  type PriceDays,
  type Review,
  type ReviewedChange,
  type ReviewedResource,
  reviewVersion,
  type Suggestion,
  type UnknownChange,
  type UnpricedChange,
} from './review.ts'
import { CheaperFinder, type NeededSize } from './suggest-cheaper.ts'

export interface ReviewOptions {
  /** Maximum number of resources; larger plans are refused. By default there is no limit. */
  readonly mostResources?: number
  /** What suggestions may change; by default only the size or type in the same place. */
  readonly efforts?: readonly Effort[]
  /** Number of suggestions for each machine and effort. */
  readonly suggestions?: number
  readonly hours?: number
  /** Regions and environment to assume if a plan leaves them out. */
  readonly defaults?: PlanDefaults
  /** Returns the recommended size of a machine, by one of its names, if it was measured. */
  readonly sizeOf?: (name: string) => NeededSize | undefined
  /** YYYY-MM-DD */
  readonly today?: string
}

export interface NamedDocument {
  readonly name: string
  /** What `terraform show -json` prints. */
  readonly document: unknown
}

/** Prices each resource of Terraform plans before and after. */
export async function reviewPlans(
  deps: PricingDeps,
  organisation: string,
  documents: readonly NamedDocument[],
  options: ReviewOptions = {},
): Promise<Review> {
  const { defaults = noDefaults } = options
  const plans = documents.map(({ name, document }) => ({
    name,
    plan: refusingOthers(name, () => readTerraformPlan(document, planProviders, defaults)),
  }))
  return reviewOf(deps, organisation, plans, options)
}

/** Prices the difference between two states, or between the results of two plans. */
export async function reviewDifference(
  deps: PricingDeps,
  organisation: string,
  [before, after]: readonly [NamedDocument, NamedDocument],
  options: ReviewOptions = {},
): Promise<Review> {
  const { defaults = noDefaults } = options
  const name = `${before.name} -> ${after.name}`
  const plan = refusingOthers(name, () =>
    readTerraformDifference(before.document, after.document, planProviders, defaults),
  )
  return reviewOf(deps, organisation, [{ name, plan }], options)
}

async function reviewOf(
  deps: PricingDeps,
  organisation: string,
  plans: readonly { readonly name: string; readonly plan: TerraformPlan }[],
  {
    efforts = ['resize'],
    suggestions = 1,
    hours = hoursPerMonth,
    mostResources = Number.POSITIVE_INFINITY,
    sizeOf,
    today = '',
  }: ReviewOptions,
): Promise<Review> {
  const market = await marketOf(deps, organisation)
  const pricer = new ReadingPricer(deps, market, hours)
  const finder = new CheaperFinder(deps, market, { efforts, suggestions, hours, today })
  const changes: ReviewedChange[] = []
  const unpriced: UnpricedChange[] = []
  const unknown: UnknownChange[] = []
  const free: ReviewedResource[] = []
  const resources = plans.reduce((total, { plan }) => total + plan.changes.length, 0)
  if (resources > mostResources)
    throw new Problem(
      'invalid',
      `The plan has ${resources} resources, and at most ${mostResources} are reviewed at once.`,
    )
  const yielder = new Yielder()
  for (const { name, plan } of plans)
    for (const change of plan.changes) {
      if (yielder.isDue) await yielder.pause()
      const { address, type, action, reading } = change
      const resource: ReviewedResource = { plan: name, address, type, action }
      const open = { ...resource, may_raise_cost: mayRaiseCost(change) }
      if (reading === 'unknown') {
        unknown.push(open)
        continue
      }
      const [before, after] = [pricer.price(reading.before), pricer.price(reading.after)]
      if ('reason' in before || 'reason' in after)
        unpriced.push({ ...open, reason: reasonsOf([before, after]) })
      else if (before.isFree && after.isFree) free.push(resource)
      else
        changes.push({
          ...resource,
          before: before.side,
          after: after.side,
          difference_per_month: roundSum(costOf(after) - costOf(before)),
          notes: [...notesOf(change), ...new Set(after.offers.flatMap(offerNotes))],
          suggestions: suggestionsFor(after, finder, measured(change, sizeOf)),
        })
    }
  const sum = (side: 'before' | 'after') =>
    changes.reduce((total, change) => total + (change[side]?.cost_per_month ?? 0), 0)
  return {
    version: reviewVersion,
    hours_per_month: hours,
    plans: plans.map(({ name }) => name),
    totals: {
      before_per_month: roundSum(sum('before')),
      after_per_month: roundSum(sum('after')),
      difference_per_month: roundSum(sum('after') - sum('before')),
    },
    price_days: priceDays(changes, today),
    changes,
    unpriced,
    unknown,
    free,
    drifted: plans.reduce((total, { plan }) => total + plan.drifted, 0),
  }
}

function priceDays(changes: readonly ReviewedChange[], today: string): PriceDays | null {
  const days = changes
    .flatMap(({ before, after, suggestions }) => [
      ...(before?.machines ?? []),
      ...(after?.machines ?? []),
      ...suggestions,
    ])
    .flatMap(({ price_day }) => price_day ?? [])
    .sort()
  const [oldest, newest] = [days[0], days.at(-1)]
  if (oldest === undefined || newest === undefined) return null
  return { oldest, newest, is_old: priceAge(oldest, 'ONDEMAND', today).is_old }
}

/**
 * A resource that is removed or unchanged cannot cost more than before. A group can change through its template alone.
 */
function mayRaiseCost({ action, reading }: PlannedChange): boolean {
  if (action === 'create' || action === 'update' || action === 'replace') return true
  if (action !== 'no-op' || reading === 'unknown') return false
  return JSON.stringify(reading.before) !== JSON.stringify(reading.after)
}

const reasonsOf = (sides: readonly Priced[]): string =>
  [...new Set(sides.flatMap((side) => ('reason' in side ? [side.reason] : [])))].join('; ')

const costOf = (priced: Exclude<Priced, { reason: string }>): number => priced.side?.cost_per_month ?? 0

function notesOf({ reading }: PlannedChange): readonly string[] {
  if (reading === 'unknown') return []
  const side = reading.after ?? reading.before
  return side !== null && 'machines' in side ? (side.notes ?? []) : []
}

/** Only single machines have measurements, not groups. */
function measured({ identities }: PlannedChange, sizeOf: ReviewOptions['sizeOf']): NeededSize | null {
  for (const name of identities) {
    const size = sizeOf?.(name)
    if (size !== undefined) return size
  }
  return null
}

function suggestionsFor(
  after: Exclude<Priced, { reason: string }>,
  finder: CheaperFinder,
  size: NeededSize | null,
): Suggestion[] {
  const machines = after.side?.machines ?? []
  const isOne = machines.length === 1 && machines[0]!.count === 1
  return after.offers.flatMap((offer, i) => finder.suggest(offer, machines[i]!.count, i, isOne ? size : null))
}

function refusingOthers(name: string, read: () => TerraformPlan): TerraformPlan {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof NotAPlan)) throw error
    throw new Problem('invalid', `${name} cannot be reviewed: ${error.message}`, { cause: error })
  }
}
