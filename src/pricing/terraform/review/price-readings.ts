import { monthUsd, roundHourly, roundSum } from '../../../domain/money.ts'
import { NotFound } from '../../../domain/not-found.ts'
import type { Offer } from '../../../domain/offer.ts'
import type { PlannedInstance, PlanReading } from '../../../domain/planned-instance.ts'
import { machineName } from '../../compare/comparison.ts'
import { findCurrent } from '../../find-current.ts'
import type { Market, PricingDeps } from '../../market.ts'
import type { PricedMachines, PricedSide } from './schema.ts'

/** The cost of a resource before or after the plan. Its offers are in the order of its machines. */
export type Priced =
  | { readonly side: PricedSide | null; readonly offers: readonly Offer[]; readonly isFree: boolean }
  | { readonly reason: string }

/** Prices what a plan describes. Equal machines are looked up once. */
export class ReadingPricer {
  readonly #deps: PricingDeps
  readonly #market: Market
  readonly #hours: number
  readonly #found = new Map<string, Offer | NotFound>()

  constructor(deps: PricingDeps, market: Market, hours: number) {
    this.#deps = deps
    this.#market = market
    this.#hours = hours
  }

  price(reading: PlanReading | null): Priced {
    if (reading === null) return { side: null, offers: [], isFree: true }
    if ('free' in reading) return { side: null, offers: [], isFree: true }
    if ('unpriced' in reading) return { reason: reading.unpriced }
    const offers: Offer[] = []
    const machines: PricedMachines[] = []
    for (const machine of reading.machines) {
      const offer = this.#offerOf(machine)
      if (offer instanceof NotFound) return { reason: offer.reason }
      offers.push(offer)
      machines.push(this.#machinesOf(offer, machine))
    }
    const total = machines.reduce((sum, { cost_per_month }) => sum + cost_per_month, 0)
    return { side: { machines, cost_per_month: roundSum(total) }, offers, isFree: false }
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
      minimum: range === undefined ? null : costOf(range.min),
      maximum: range === undefined ? null : costOf(range.max),
    }
  }
}
