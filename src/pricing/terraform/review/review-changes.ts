import type { DiskOffer } from '../../../domain/disk.ts'
import { roundSum } from '../../../domain/money.ts'
import type { ReplacementScope } from '../../../domain/planned-instance.ts'
import { Yielder } from '../../../runtime/yielder.ts'
import type { NotesOnOffer } from '../../commitments/commitment-notes.ts'
import { outdatedAfterDays, priceAge } from '../../compare/comparison.ts'
import type { Market, PricingDeps } from '../../market.ts'
import { offerNotes } from '../../offer-facts.ts'
import type { PlannedChange, TerraformPlan } from '../terraform.ts'
import { type Priced, ReadingPricer } from './price-readings.ts'
import type { PriceDays, Review, ReviewedChange, ReviewedResource, Suggestion } from './schema.ts'
import { CheaperFinder, type NeededSize, type SuggestOptions } from './suggest-cheaper.ts'

export interface NamedPlan {
  readonly name: string
  readonly plan: TerraformPlan
}

interface ReviewChangesOptions extends SuggestOptions {
  readonly ownDisks: readonly DiskOffer[]
  /** US dollars a month of a resource, by type, if it has no price otherwise. */
  readonly prices: Readonly<Record<string, number>>
  /** Returns the recommended size of a machine, by one of its names, if it was measured. */
  readonly sizeOf: ((name: string) => NeededSize | undefined) | undefined
  readonly commitments: NotesOnOffer
}

type ReviewedLists = Pick<Review, 'changes' | 'unpriced' | 'unknown' | 'free'>

export async function reviewChanges(
  deps: PricingDeps,
  market: Market,
  plans: readonly NamedPlan[],
  options: ReviewChangesOptions,
): Promise<Review> {
  const { hours, today } = options
  const pricer = new ReadingPricer(deps, market, hours, options.ownDisks)
  const finder = new CheaperFinder(deps, market, options)
  const reviewed: ReviewedLists[] = []
  const yielder = new Yielder()
  for (const { name, plan } of plans)
    for (const change of plan.changes) {
      if (yielder.isDue) await yielder.pause()
      reviewed.push(reviewChange(name, change, pricer, finder, options))
    }
  const changes = reviewed.flatMap((each) => each.changes)
  const sum = (side: 'before' | 'after') =>
    changes.reduce((total, change) => total + (change[side]?.cost_per_month ?? 0), 0)
  return {
    version: 1,
    hours_per_month: hours,
    plans: plans.map(({ name }) => name),
    totals: {
      before_per_month: roundSum(sum('before')),
      after_per_month: roundSum(sum('after')),
      difference_per_month: roundSum(sum('after') - sum('before')),
      possible_savings_per_month: roundSum(changes.reduce((total, change) => total + savingsOf(change), 0)),
    },
    price_days: priceDays(changes, today),
    changes,
    unpriced: reviewed.flatMap((each) => each.unpriced),
    unknown: reviewed.flatMap((each) => each.unknown),
    free: reviewed.flatMap((each) => each.free),
    drifted: plans.reduce((total, { plan }) => total + plan.drifted, 0),
  }
}

/** Only one suggestion for each machine counts, because the others exclude it. */
function savingsOf({ suggestions, cheaper_disks }: ReviewedChange): number {
  const best = new Map<number, number>()
  for (const { replaces, savings_per_month: saved } of suggestions)
    best.set(replaces, Math.max(best.get(replaces) ?? 0, saved))
  const saved = [...best.values(), ...cheaper_disks.map(({ savings_per_month }) => savings_per_month)]
  return saved.reduce((sum, each) => sum + each, 0)
}

const nothing: ReviewedLists = { changes: [], unpriced: [], unknown: [], free: [] }

/** Returns a resource without a price at the price that the caller states for its type; undefined if there is none. */
function statedChange(
  resource: ReviewedResource,
  reading: PlannedChange['reading'],
  cost: number | undefined,
): ReviewedLists | undefined {
  if (cost === undefined) return undefined
  const { type, action } = resource
  const isThere = {
    before: reading === 'unknown' ? action !== 'create' : reading.before !== null,
    after: reading === 'unknown' ? action !== 'delete' && action !== 'forget' : reading.after !== null,
  }
  const charge = {
    name: type,
    provider: '',
    region: '',
    count: 1,
    cost_per_month: roundSum(cost),
    price_day: null,
    source: 'stated for this review',
    is_estimate: false,
  }
  const sideOf = (is: boolean) =>
    is ? { machines: [], charges: [charge], cost_per_month: roundSum(cost) } : null
  const [before, after] = [sideOf(isThere.before), sideOf(isThere.after)]
  const difference_per_month = roundSum((after?.cost_per_month ?? 0) - (before?.cost_per_month ?? 0))
  return {
    ...nothing,
    changes: [
      { ...resource, before, after, difference_per_month, notes: [], suggestions: [], cheaper_disks: [] },
    ],
  }
}

function reviewChange(
  plan: string,
  change: PlannedChange,
  pricer: ReadingPricer,
  finder: CheaperFinder,
  options: ReviewChangesOptions,
): ReviewedLists {
  const { address, type, action, reading } = change
  const resource: ReviewedResource = { plan, address, type, action }
  const open = { ...resource, may_raise_cost: mayRaiseCost(change) }
  const stated = statedChange(
    resource,
    reading,
    Object.hasOwn(options.prices, type) ? options.prices[type] : undefined,
  )
  if (reading === 'unknown') return stated ?? { ...nothing, unknown: [open] }
  const [before, after] = [pricer.price(reading.before), pricer.price(reading.after)]
  if (stated !== undefined && ('reason' in before || 'reason' in after)) return stated
  if ('reason' in before || 'reason' in after)
    return { ...nothing, unpriced: [{ ...open, reason: reasonsOf([before, after]) }] }
  if (before.isFree && after.isFree) return { ...nothing, free: [resource] }
  const within = replaceWithin(change)
  const reviewed: ReviewedChange = {
    ...resource,
    before: before.side,
    after: after.side,
    difference_per_month: roundSum(costOf(after) - costOf(before)),
    notes: [
      ...notesOf(change),
      ...(within === 'region' && searchesElsewhere(options) ? [poolNote] : []),
      ...(after.side === null ? before : after).notes,
      ...new Set(after.offers.flatMap(offerNotes)),
      ...new Set([...before.offers, ...after.offers].flatMap(options.commitments)),
    ],
    suggestions: suggestionsFor(after, finder, measured(change, options.sizeOf), within),
    cheaper_disks: [...after.cheaperDisks],
  }
  return { ...nothing, changes: [reviewed] }
}

function priceDays(changes: readonly ReviewedChange[], today: string): PriceDays | null {
  const priced = changes
    .flatMap(({ before, after, suggestions }) => [
      ...[before, after].flatMap((side) => [
        ...[...(side?.machines ?? []), ...suggestions].map((each) => ({ ...each, name: each.instance_type })),
        ...(side?.charges ?? []),
      ]),
    ])
    .flatMap(({ name, region, price_day: day }) => (day === null ? [] : [{ name, region, day }]))
    .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
  const [oldest, newest] = [priced[0]?.day, priced.at(-1)?.day]
  if (oldest === undefined || newest === undefined) return null
  const isOutdated = (day: string) => (priceAge(day, 'ONDEMAND', today).age_days ?? 0) > outdatedAfterDays
  return {
    oldest,
    newest,
    is_old: priceAge(oldest, 'ONDEMAND', today).is_old,
    is_outdated: isOutdated(oldest),
    outdated: [
      ...new Set(
        priced
          .filter(({ day }) => isOutdated(day))
          .map(({ name, region, day }) => `${name}, ${region} (${day})`),
      ),
    ],
  }
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

const poolNote = 'nodes of a managed pool are compared within its provider and region only'

const searchesElsewhere = ({ efforts, suggestions }: SuggestOptions): boolean =>
  suggestions > 0 &&
  efforts.some((effort) => effort === 'region' || effort === 'provider' || effort === 'anywhere')

function replaceWithin({ reading }: PlannedChange): ReplacementScope | undefined {
  const after = reading === 'unknown' ? null : reading.after
  return after !== null && 'machines' in after ? after.replaceWithin : undefined
}

/** Only single machines have measurements, not groups. */
function measured({ identities }: PlannedChange, sizeOf: ReviewChangesOptions['sizeOf']): NeededSize | null {
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
  within: ReplacementScope | undefined,
): Suggestion[] {
  const machines = after.side?.machines ?? []
  const isOne = machines.length === 1 && machines[0]!.count === 1
  return after.offers.flatMap((offer, i) =>
    finder.suggest(offer, machines[i]!.count, i, isOne ? size : null, within),
  )
}
