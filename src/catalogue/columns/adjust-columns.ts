import type { OperatingSystem, UsageType } from '../../domain/offer.ts'
import {
  compareOffers,
  groupOf,
  type LabelOrigin,
  type OfferColumns,
  osNames,
  type PriceLabels,
  usageNames,
  usageOf,
} from './columns.ts'
import { Dictionary, type IdArray, narrowIds } from './dictionary.ts'
import { Machines, type OfferMachine } from './machines.ts'

export interface ChangedPrice {
  readonly pricePerHourUsd: number
  readonly monthlyCapUsd: number | null
}

/** Decides how prices change. Offers that change in the same way have the same number. */
export interface PriceAdjuster {
  /** Returns a function that numbers how the prices of a type change; 0: not at all; undefined: nowhere. */
  forType(
    instanceType: string,
    operatingSystem: OperatingSystem,
    usageType: UsageType,
  ): ((place: number, family: number) => number) | undefined
  change(number: number, price: ChangedPrice): ChangedPrice
  rulesOf(number: number): readonly string[]
}

/** What differs from the columns that were adjusted; everything else is shared with them. */
export interface AdjustedColumns {
  readonly offers: OfferColumns['offers']
  readonly labels: PriceLabels
  readonly addedMachines: readonly OfferMachine[]
  readonly skuFirstOf: IdArray
  readonly skuRestOf: IdArray
}

/** Changes prices. Offers stay in their slots, where they are put in canonical order again. */
export function adjustColumns(columns: OfferColumns, adjuster: PriceAdjuster): AdjustedColumns {
  const { offers, machines, slotStart, groupOs, groupType, types } = columns
  const changed = new ChangedOffers(columns, adjuster)
  const slots: number[] = []
  for (let slot = 0; slot + 1 < slotStart.length; slot++) {
    if (slotStart[slot] === slotStart[slot + 1]) continue
    const group = groupOf(slot)
    const numberAt = adjuster.forType(
      types[groupType[group]!]!,
      osNames[groupOs[group]!]!,
      usageNames[usageOf(slot)]!,
    )
    if (numberAt === undefined) continue
    slots.push(slot)
    for (let i = slotStart[slot]!; i < slotStart[slot + 1]!; i++) {
      const number = numberAt(offers.place[i]!, machines.family(offers.machine[i]!))
      if (number > 0) changed.change(i, number)
    }
  }
  return changed.inOrder(slots)
}

export function withAdjusted(columns: OfferColumns, adjusted: AdjustedColumns): OfferColumns {
  const { offers, labels, addedMachines, skuFirstOf, skuRestOf } = adjusted
  return {
    ...columns,
    offers,
    labels,
    machines:
      addedMachines.length === 0
        ? columns.machines
        : new Machines([...columns.machines.all(), ...addedMachines]),
    skus: { ...columns.skus, firstOf: skuFirstOf, restOf: skuRestOf },
  }
}

class ChangedOffers {
  readonly #columns: OfferColumns
  readonly #adjuster: PriceAdjuster
  readonly #price: Float64Array
  readonly #label: Uint32Array
  readonly #machine: Uint32Array
  readonly #addedMachines: OfferMachine[] = []
  readonly #machineIds = new Dictionary()
  readonly #addedLabels: (readonly [number, number])[] = []
  readonly #labelIds = new Dictionary()

  constructor(columns: OfferColumns, adjuster: PriceAdjuster) {
    this.#columns = columns
    this.#adjuster = adjuster
    this.#price = columns.offers.price.slice()
    this.#label = Uint32Array.from(columns.offers.label)
    this.#machine = Uint32Array.from(columns.offers.machine)
  }

  change(i: number, number: number): void {
    const { machines, offers } = this.#columns
    const [machine, label] = [offers.machine[i]!, offers.label[i]!]
    const cap = machines.monthlyCapUsd(machine)
    const monthlyCapUsd = Number.isNaN(cap) ? null : cap
    const after = this.#adjuster.change(number, { pricePerHourUsd: offers.price[i]!, monthlyCapUsd })
    this.#price[i] = after.pricePerHourUsd
    if (after.monthlyCapUsd !== monthlyCapUsd) this.#machine[i] = this.#capped(machine, after.monthlyCapUsd)
    const id = this.#labelIds.id(`${label} ${number}`)
    if (id === this.#addedLabels.length) this.#addedLabels.push([label, number])
    this.#label[i] = this.#columns.labels.place.length + id
  }

  #capped(machine: number, monthlyCapUsd: number | null): number {
    const id = this.#machineIds.id(`${machine} ${monthlyCapUsd}`)
    if (id === this.#addedMachines.length)
      this.#addedMachines.push({ ...this.#columns.machines.at(machine), monthlyCapUsd })
    return this.#columns.machines.count + id
  }

  inOrder(slots: readonly number[]): AdjustedColumns {
    const { offers, skus, slotStart } = this.#columns
    const labels = this.#labels()
    const unordered = withAdjusted(this.#columns, {
      offers: { price: this.#price, machine: this.#machine, label: this.#label, place: offers.place },
      labels,
      addedMachines: this.#addedMachines,
      skuFirstOf: skus.firstOf,
      skuRestOf: skus.restOf,
    })
    const order = Uint32Array.from(offers.price, (_, i) => i)
    for (const slot of slots)
      order
        .subarray(slotStart[slot], slotStart[slot + 1])
        .sort((a, b) => compareOffers(unordered, slot, a, unordered, slot, b))
    const ordered = <Ids extends IdArray | Float64Array>(ids: Ids): Ids =>
      ids.map((_, i) => ids[order[i]!]!) as Ids
    return {
      offers: {
        price: ordered(this.#price),
        machine: narrowIds(ordered(this.#machine), unordered.machines.count),
        label: narrowIds(ordered(this.#label), labels.place.length),
        place: ordered(offers.place),
      },
      labels,
      addedMachines: this.#addedMachines,
      skuFirstOf: ordered(skus.firstOf),
      skuRestOf: ordered(skus.restOf),
    }
  }

  #labels(): PriceLabels {
    const { labels, places, zones } = this.#columns
    const origins: LabelOrigin[] = [...labels.origins]
    const originIds = new Map<string, number>()
    const added = this.#addedLabels.map(([label, number]) => {
      const origin = labels.origin[label]!
      return originIds.getOrInsertComputed(
        `${origin} ${number}`,
        () => origins.push({ ...labels.origins[origin]!, priceRules: this.#adjuster.rulesOf(number) }) - 1,
      )
    })
    const extended = (column: IdArray, values: number): IdArray =>
      narrowIds([...column, ...this.#addedLabels.map(([label]) => column[label]!)], values)
    return {
      place: extended(labels.place, places.length),
      term: Uint8Array.from([...labels.term, ...this.#addedLabels.map(([label]) => labels.term[label]!)]),
      zone: extended(labels.zone, zones.length),
      origin: narrowIds([...labels.origin, ...added], origins.length),
      origins,
    }
  }
}
