import { hoursPerMonth } from '../domain/money.ts'
import { compareOffers } from './canonical-order.ts'
import { type Columns, usageCount } from './columns.ts'
import type { Filter } from './filter.ts'
import type { Structure } from './structure.ts'

/** One catalogue and what is asked of it. */
export interface Source {
  readonly structure: Structure
  readonly filter: Filter
}

/** The best offers of one instance type that pass, in canonical order. Made once, used for type after type. */
export class BestOffers {
  count = 0
  readonly offers: number[] = []
  readonly cells: number[] = []
  readonly usages: number[] = []
  readonly sources: Source[] = []
  #most = 0
  /** A dearer offer than this is of no use. */
  #dearest = 0
  /** The machine looked at last: offers of one type share it as a rule. */
  #machine = -1
  #machineHolds = false
  #monthlyCapUsd = 0

  begin(most: number): void {
    this.count = 0
    this.#most = most
    this.#dearest = Infinity
  }

  addGroup(source: Source, group: number): void {
    const { filter } = source
    const { cellsStart, cellPlace } = source.structure.columns
    const { usages, onlyPlace } = filter
    this.#machine = -1
    // What is sold for an hour at a time tends to be the cheapest: seen first, it rules the rest out.
    for (let u = usages.length - 1; u >= 0; u--) {
      const usage = usages[u]!
      let from = cellsStart[group * usageCount + usage]!
      let to = cellsStart[group * usageCount + usage + 1]!
      if (onlyPlace >= 0) {
        while (from < to && cellPlace[from] !== onlyPlace) from++
        to = Math.min(to, from + 1)
      }
      if (from < to) this.#addCells(source, usage, from, to)
    }
  }

  #addCells(source: Source, usage: number, from: number, to: number): void {
    const { filter } = source
    const { columns } = source.structure
    const { offersStart, cellPlace } = columns
    const { numbers, words } = columns.offers
    const { placeMarks, belowPerHourUsd, belowPerMonthUsd } = filter
    for (let cell = from; cell < to; cell++) {
      if (placeMarks !== undefined && placeMarks[cellPlace[cell]!] === 0) continue
      const first = offersStart[cell]!
      const end = offersStart[cell + 1]!
      if (this.#isPast(source, numbers[first * 2]!, cellPlace[cell]!)) return
      for (let i = first; i < end; i++) {
        const price = numbers[i * 2]!
        if (price >= belowPerHourUsd || price > this.#dearest) break
        if (words[i * 4 + 2] !== this.#machine) this.#look(columns, filter, words[i * 4 + 2]!)
        if (
          this.#machineHolds &&
          Math.min(price * hoursPerMonth, this.#monthlyCapUsd) < belowPerMonthUsd &&
          zonePasses(columns, filter, words[i * 4 + 3]!)
        )
          this.#insert(source, usage, cell, i)
      }
    }
  }

  /** Whether a cell, and every cell after it, comes after all that is kept: equal prices stand in the order of places. */
  #isPast(source: Source, price: number, place: number): boolean {
    if (price >= source.filter.belowPerHourUsd || price > this.#dearest) return true
    if (price < this.#dearest) return false
    const worst = this.count - 1
    return this.sources[worst] === source && place > source.structure.columns.cellPlace[this.cells[worst]!]!
  }

  /** Sizes that are not known are NaN, which is never enough. */
  #look({ machines }: Columns, filter: Filter, m: number): void {
    this.#machine = m
    const cap = machines.monthlyCapUsd(m)
    this.#monthlyCapUsd = Number.isNaN(cap) ? Infinity : cap
    this.#machineHolds =
      machines.vcpus(m) >= filter.vcpus &&
      machines.ramGib(m) >= filter.ramGib &&
      ((filter.architectures >> machines.architecture(m)) & 1) === 1 &&
      machines.gpuKey(m) === filter.gpu &&
      machines.gpuCount(m) >= filter.gpuCount &&
      !(machines.vcpus(m) * machines.baseline(m) < filter.sustainedVcpus)
  }

  #insert(source: Source, usage: number, cell: number, offer: number): void {
    const { offers, cells, usages, sources } = this
    const most = this.#most
    const { columns } = source.structure
    let at = this.count
    while (at > 0) {
      const last = at - 1
      const theirs = sources[last]!.structure.columns
      if (compareOffers(columns, cell, offer, theirs, cells[last]!, offers[last]!) > 0) break
      if (at < most) {
        offers[at] = offers[last]!
        cells[at] = cells[last]!
        usages[at] = usages[last]!
        sources[at] = sources[last]!
      }
      at = last
    }
    if (at === most) return
    offers[at] = offer
    cells[at] = cell
    usages[at] = usage
    sources[at] = source
    if (this.count < most) this.count++
    if (this.count < most) return
    this.#dearest = sources[most - 1]!.structure.columns.offers.price(offers[most - 1]!)
  }
}

/** A filter's places are those its zones lie in, so that an offer without a zone has passed already. */
function zonePasses({ labels, zones }: Columns, { zoneMarks }: Filter, label: number): boolean {
  return zoneMarks === undefined || zoneMarks[labels.zone[label]!] === 1 || zones[labels.zone[label]!] === ''
}
