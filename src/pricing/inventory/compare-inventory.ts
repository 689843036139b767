import type { InventoryDisk, InventoryItem, InventoryMachine, MachineUsage } from '../../domain/inventory.ts'
import type { Change } from '../../domain/machine-description.ts'
import { roundSum } from '../../domain/money.ts'
import { NotFound } from '../../domain/not-found.ts'
import type { Offer } from '../../domain/offer.ts'
import { monthlyPrice, savingsBetween } from '../answer/savings.ts'
import { commitmentNotes, type NotesOnOffer } from '../commitments/commitment-notes.ts'
import { type MachineName, machineName, nameOf } from '../compare/comparison.ts'
import { OfferWriter } from '../compare/offer-writer.ts'
import { bestOffers, maxWorthwhilePriceRatio, optionsFor } from '../compare/options.ts'
import type { ComparedOffer, PriceOrigin } from '../compare/schema.ts'
import { adviseDisk, diskMonthUsd, diskName, viewSavings } from '../disks/claims.ts'
import type { VolumeView } from '../disks/volume-schema.ts'
import { needWithin, type ReplacementNeed } from '../find-cheaper.ts'
import { findCurrent } from '../find-current.ts'
import { type Market, marketOf, type PricingDeps } from '../market.ts'
import { offerNotes } from '../offer-facts.ts'
import { checkPredicatesIn } from '../request/check-predicates.ts'
import { completeRequest } from '../request/complete-request.ts'
import { needFor } from '../request/need.ts'
import type { RequestPredicates } from '../request/request.ts'
import { unmatchedUsage, usageByName, usageInInventory } from './read-documents.ts'

/** Every machine with the cheapest comparable one, greatest saving first. The members are those of the JSON output. */
export interface InventoryComparison {
  readonly machines: readonly ComparedMachine[]
  readonly disks: readonly ComparedDisk[]
  /** Machines and disks without a price. No sum includes them. */
  readonly unpriced: readonly {
    readonly id: string
    readonly name: string
    readonly provider: string
    readonly reason: string
  }[]
  readonly unmatched_usage: readonly string[]
  readonly totals: { readonly cost_per_month: number; readonly savings_per_month: number }
}

export interface ComparedMachine {
  readonly id: string
  readonly name: string
  readonly current: PricedOffer
  readonly usage: {
    readonly cpu_cores: number
    readonly ram_gb: number
    readonly measured: readonly string[]
  }
  /** Or a faster one that costs nearly the same; null if nothing comparable costs less. */
  readonly cheapest: CandidateOffer | null
  /** The best other size at the same provider and region; null if none costs less. */
  readonly resize: CandidateOffer | null
  readonly savings_per_month: number
  readonly savings_percentage: number
  /** Notes that the type of the machine will end or has ended, or that only one provider or region is compared. */
  readonly notes: readonly string[]
}

export interface ComparedDisk {
  readonly id: string
  readonly name: string
  readonly provider: string
  readonly region: string
  readonly type: string
  readonly size_gib: number
  readonly iops: number
  readonly cost_per_month: number
  /** YYYY-MM-DD. */
  readonly price_day: string
  /** Whether the price is derived from that of another region. */
  readonly is_estimate: boolean
  readonly is_attached: boolean
  /** A disk of another type or tier in the region, never a smaller one, that does the same for less; null if there is none. */
  readonly better: VolumeView['better']
  /** What the better disk saves, or what removing a disk saves that is not attached. */
  readonly savings_per_month: number
}

/** `changes` are those from the current machine, as in POST /v1/comparisons. */
export type CandidateOffer = PricedOffer & { readonly changes: readonly Change[] }

interface PricedOffer extends MachineName {
  readonly cpu_cores: number | null
  readonly ram_gb: number | null
  readonly cost_per_hour: number
  readonly cost_per_month: number
  readonly price: PriceOrigin
}

/** `today` is YYYY-MM-DD. */
export async function compareInventory(
  deps: PricingDeps,
  organisation: string,
  items: readonly InventoryItem[],
  today: string,
  usage: readonly MachineUsage[] = [],
  predicates: RequestPredicates = {},
): Promise<InventoryComparison> {
  const market = await marketOf(deps, organisation)
  checkPredicatesIn(deps, market, predicates)
  const commitments = await commitmentNotes(deps, market, organisation, today)
  const input = { market, organisation, measured: usageByName(usage), predicates, today, commitments }
  const machines: ComparedMachine[] = []
  const disks: ComparedDisk[] = []
  const unpriced: InventoryComparison['unpriced'][number][] = []
  for (const item of once(items)) {
    const { id, name, provider } = item
    if ('isAttached' in item) {
      const disk = compareDisk(deps, item)
      if (disk instanceof NotFound) unpriced.push({ id, name, provider, reason: reasonOf(disk) })
      else disks.push(disk)
    } else if ('unclear' in item) unpriced.push({ id, name, provider, reason: item.unclear })
    else {
      const machine = await compareOne(deps, input, item)
      if (machine instanceof NotFound) unpriced.push({ id, name, provider, reason: reasonOf(machine) })
      else machines.push(machine)
    }
  }
  machines.sort(
    (a, b) =>
      b.savings_per_month - a.savings_per_month ||
      b.current.cost_per_month - a.current.cost_per_month ||
      (a.id < b.id ? -1 : 1),
  )
  disks.sort((a, b) => b.savings_per_month - a.savings_per_month || b.cost_per_month - a.cost_per_month)
  const sum = (amounts: readonly number[]) => roundSum(amounts.reduce((total, amount) => total + amount, 0))
  return {
    machines,
    disks,
    unpriced,
    unmatched_usage: unmatchedUsage(usage, items),
    totals: {
      cost_per_month: sum([
        ...machines.map(({ current }) => current.cost_per_month),
        ...disks.map((disk) => disk.cost_per_month),
      ]),
      savings_per_month: sum([...machines, ...disks].map((one) => one.savings_per_month)),
    },
  }
}

/** A machine that is listed in two files counts once. Machines without an id are never merged. */
const once = (items: readonly InventoryItem[]): Iterable<InventoryItem> =>
  new Map(items.map((item, i) => [item.id === '' ? i : `${item.provider}\n${item.id}`, item])).values()

/** What is not measured stays as it is. */
function compareDisk(deps: PricingDeps, item: InventoryDisk): ComparedDisk | NotFound {
  const recommendation = adviseDisk(deps, item)
  const { current } = recommendation
  if (current instanceof NotFound) return current
  const { better } = viewSavings(recommendation)
  const cost_per_month = diskMonthUsd(current.pricePerHourUsd)
  return {
    ...{ id: item.id, name: item.name, provider: item.provider, region: current.offer.region },
    ...{ type: diskName(current.offer), size_gib: item.capacityGib, iops: current.iops, cost_per_month },
    ...{ price_day: current.offer.day, is_estimate: current.offer.isEstimate, is_attached: item.isAttached },
    better,
    savings_per_month: item.isAttached ? (better?.savings_per_month ?? 0) : cost_per_month,
  }
}

interface ComparisonInput {
  readonly organisation: string
  readonly market: Market
  readonly measured: ReturnType<typeof usageByName>
  readonly predicates: RequestPredicates
  readonly today: string
  readonly commitments: NotesOnOffer
}

async function compareOne(
  deps: PricingDeps,
  { organisation, market, measured, predicates, today, commitments }: ComparisonInput,
  machine: InventoryMachine,
): Promise<ComparedMachine | NotFound> {
  const described = machineName(machine.provider, machine)
  const listed = findCurrent(deps, market, described)
  if (listed instanceof NotFound) return listed
  const used = usageInInventory(measured, machine, listed)
  const request = await completeRequest(deps, organisation, { ...described, usage: used, predicates })
  if (request instanceof NotFound) return request
  const asked = needFor(deps, market, request)
  if (asked instanceof NotFound) return asked
  const { current, need } = asked
  const { replaceWithin } = machine
  const offer = cheapestOffer(
    market,
    current,
    replaceWithin === undefined ? need : needWithin(replaceWithin.scope, current, need),
  )
  const writer = new OfferWriter(deps, market, current, today)
  const [resized] = optionsFor(deps, market, current, need, writer, resizeAlone)
  const savings = offer === undefined ? null : savingsBetween(current, offer)
  return {
    id: machine.id,
    name: machine.name,
    current: priced(writer.write(current)),
    usage: { ...request.usage, measured: Object.keys(used) },
    cheapest: offer === undefined || savings === null ? null : candidate(writer.write(offer)),
    resize: resized === undefined ? null : candidate(resized.offers[0]!),
    savings_per_month: savings?.amount_per_month ?? 0,
    savings_percentage:
      savings === null ? 0 : roundSum((100 * savings.amount_per_month) / monthlyPrice(current)),
    notes: [
      ...(replaceWithin === undefined ? [] : [replaceWithin.why]),
      ...offerNotes(current),
      ...commitments(current),
    ],
  }
}

function cheapestOffer(market: Market, current: Offer, need: ReplacementNeed | undefined): Offer | undefined {
  if (need === undefined) return undefined
  const belowPerHourUsd = maxWorthwhilePriceRatio * need.belowPerHourUsd
  return bestOffers(market, current, { ...need, belowPerHourUsd }, 1)[0]
}

const resizeAlone = { offersPerEffort: 1, efforts: ['resize'] } as const

const candidate = (offer: ComparedOffer): CandidateOffer => ({
  ...priced(offer),
  changes: offer.machine.changes ?? [],
})

const priced = ({ vm, ...offer }: ComparedOffer): PricedOffer => ({
  ...nameOf(offer),
  cpu_cores: vm?.cpu_cores ?? null,
  ram_gb: vm?.ram_gb ?? null,
  cost_per_hour: offer.cost_per_hour,
  cost_per_month: offer.cost_per_month,
  price: offer.price,
})

const reasonOf = ({ reason, errors = [] }: NotFound): string =>
  errors.length === 0
    ? reason
    : errors.map(({ pointer, message: what }) => `${pointer.slice(1)} ${what}`).join('; ')
