import type { DiskOffer } from '../../../domain/disk.ts'
import { monthUsd, roundHourly, roundSum } from '../../../domain/money.ts'
import { NotFound } from '../../../domain/not-found.ts'
import type { Offer } from '../../../domain/offer.ts'
import type { PlannedCharge, PlannedInstance, PlanReading } from '../../../domain/planned-instance.ts'
import { machineName } from '../../compare/comparison.ts'
import { findCurrent } from '../../find-current.ts'
import type { Market, PricingDeps } from '../../market.ts'
import { priceSourceOf } from '../../price-source.ts'
import { cheaperDiskText, DiskPricer } from './price-disks.ts'
import type { CheaperDisk, PricedCharge, PricedMachines, PricedSide } from './schema.ts'

/** The cost of a resource before or after the plan. Its offers are in the order of its machines. */
export type Priced =
  | {
      readonly side: PricedSide | null
      readonly offers: readonly Offer[]
      readonly isFree: boolean
      readonly notes: readonly string[]
      readonly cheaperDisks: readonly CheaperDisk[]
    }
  | { readonly reason: string }

/** Prices what a plan describes. Equal machines are looked up once. */
export class ReadingPricer {
  readonly #deps: PricingDeps
  readonly #market: Market
  readonly #hours: number
  readonly #disks: DiskPricer
  readonly #found = new Map<string, Offer | NotFound>()

  constructor(deps: PricingDeps, market: Market, hours: number, ownDisks: readonly DiskOffer[] = []) {
    this.#deps = deps
    this.#market = market
    this.#hours = hours
    this.#disks = new DiskPricer(deps, ownDisks)
  }

  price(reading: PlanReading | null): Priced {
    if (reading === null) return { side: null, offers: [], isFree: true, notes: [], cheaperDisks: [] }
    if ('free' in reading) return { side: null, offers: [], isFree: true, notes: [], cheaperDisks: [] }
    if ('unpriced' in reading) return { reason: reading.unpriced }
    const offers: Offer[] = []
    const machines: PricedMachines[] = []
    for (const machine of reading.machines) {
      const offer = this.#offerOf(machine)
      if (offer instanceof NotFound) return { reason: offer.reason }
      offers.push(offer)
      machines.push(this.#machinesOf(offer, machine))
    }
    const { disks = [], charges: listed = [] } = reading
    const found = this.#disks.price(disks)
    const charges = [...found.charges, ...listed.map((charge) => this.#chargeOf(charge))]
    if (machines.length === 0 && charges.length === 0 && found.unpriced.length > 0)
      return { reason: found.unpriced.join('; ') }
    const total = [...machines, ...charges].reduce((sum, { cost_per_month }) => sum + cost_per_month, 0)
    return {
      side: { machines, charges, cost_per_month: roundSum(total) },
      offers,
      isFree: false,
      notes: [
        ...found.unpriced.map((why) => `a disk is not included. ${why}`),
        ...new Set(found.cheaper.map(cheaperDiskText)),
      ],
      cheaperDisks: found.cheaper,
    }
  }

  #chargeOf({ name, provider, region, count, pricePerMonthUsd, source }: PlannedCharge): PricedCharge {
    return {
      name: name.replace(/^(?:an?|the) /, ''),
      provider: this.#deps.findProvider(provider)?.displayName ?? provider,
      region,
      count,
      cost_per_month: roundSum(pricePerMonthUsd * count),
      price_day: null,
      source,
      is_estimate: false,
    }
  }

  #offerOf({ count: _, range: __, ...machine }: PlannedInstance): Offer | NotFound {
    return this.#found.getOrInsertComputed(JSON.stringify(machine), () =>
      findCurrent(this.#deps, this.#market, machineName(machine.provider, machine)),
    )
  }

  #machinesOf(offer: Offer, { count, range }: PlannedInstance): PricedMachines {
    const costOf = (machines: number) => ({
      count: machines,
      cost_per_month: roundSum(monthUsd(offer.pricePerHourUsd, offer.monthlyCapUsd, this.#hours) * machines),
    })
    return {
      ...machineName(this.#deps.findProvider(offer.provider)?.displayName ?? offer.provider, offer),
      cost_per_hour: roundHourly(offer.pricePerHourUsd),
      ...costOf(count),
      price_day: offer.day || null,
      price_source: priceSourceOf(offer),
      ...(offer.priceRules && { price_rules: offer.priceRules }),
      minimum: range === undefined ? null : costOf(range.min),
      maximum: range === undefined ? null : costOf(range.max),
    }
  }
}
