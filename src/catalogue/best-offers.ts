import { hoursPerMonth } from '../domain/money.ts'
import { compareOffers } from './canonical-order.ts'
import { type Columns, usageCount } from './columns.ts'
import type { Filter } from './filter.ts'
import { positionOf } from './starts.ts'
import type { Structure } from './structure.ts'

/** Up to this many places are looked up one by one; with more it is quicker to walk a group's cells by price. */
const fewPlaces = 4

/** The best offers of one instance type that pass, in canonical order. */
export class BestOffers {
  count = 0
  readonly offers: number[] = []
  readonly cells: number[] = []
  readonly sources: Structure[] = []
  #most = 0
  /** A dearer offer than this is of no use. */
  #dearest = 0

  begin(most: number): void {
    this.#most = most
    this.count = 0
    this.#dearest = Infinity
  }

  addGroup(source: Structure, filter: Filter, group: number): void {
    const { cellsStart, cellPlace } = source.columns
    for (const usage of filter.usages) {
      const slot = group * usageCount + usage
      const from = cellsStart[slot]!
      const to = cellsStart[slot + 1]!
      if (filter.places !== undefined && filter.places.length <= fewPlaces)
        for (const place of filter.places) {
          const cell = positionOf(cellPlace, from, to, place)
          if (cell >= 0) this.#addCell(source, filter, cell)
        }
      else this.#addCells(source, filter, from, to)
    }
  }

  #addCells(source: Structure, filter: Filter, from: number, to: number): void {
    const { price, offersStart, cellPlace } = source.columns
    const { cellsByPrice } = source.groups
    const { placeMarks, belowPerHourUsd } = filter
    for (let i = from; i < to; i++) {
      const cell = from + cellsByPrice[i]!
      const cheapest = price[offersStart[cell]!]!
      if (cheapest > this.#dearest || cheapest >= belowPerHourUsd) return
      if (placeMarks === undefined || placeMarks[cellPlace[cell]!] === 1) this.#addCell(source, filter, cell)
    }
  }

  #addCell(source: Structure, filter: Filter, cell: number): void {
    const { columns } = source
    const { price, offersStart, machine } = columns
    const end = offersStart[cell + 1]!
    let last = -1
    let holds = false
    for (let i = offersStart[cell]!; i < end; i++) {
      if (price[i]! > this.#dearest || price[i]! >= filter.belowPerHourUsd) return
      const m = machine[i]!
      if (m !== last) {
        last = m
        holds = machineHolds(source, filter, m)
      }
      if (holds && zonePasses(columns, filter, i) && savesByTheMonth(columns, filter, i))
        this.#insert(source, cell, i)
    }
  }

  #insert(source: Structure, cell: number, offer: number): void {
    const { offers, cells, sources } = this
    let at = this.count
    while (
      at > 0 &&
      compareOffers(source.columns, cell, offer, sources[at - 1]!.columns, cells[at - 1]!, offers[at - 1]!) <
        0
    ) {
      offers[at] = offers[at - 1]!
      cells[at] = cells[at - 1]!
      sources[at] = sources[at - 1]!
      at--
    }
    if (at >= this.#most) return
    offers[at] = offer
    cells[at] = cell
    sources[at] = source
    if (this.count < this.#most) this.count++
    if (this.count === this.#most) {
      const last = this.count - 1
      this.#dearest = sources[last]!.columns.price[offers[last]!]!
    }
  }
}

/** Sizes that are not known are NaN, which is never enough. */
function machineHolds({ columns: { machines }, words }: Structure, filter: Filter, m: number): boolean {
  const vcpus = machines.vcpus[m]!
  return (
    vcpus >= filter.vcpus &&
    machines.ramGib[m]! >= filter.ramGib &&
    ((filter.architectures >> machines.architecture[m]!) & 1) === 1 &&
    words.machineGpu[m] === filter.gpu &&
    machines.gpuCount[m]! >= filter.gpuCount &&
    !(vcpus * machines.baseline[m]! < filter.sustainedVcpus)
  )
}

/** A filter's places are those its zones lie in, so that an offer without a zone has passed already. */
function zonePasses({ zone, zones }: Columns, { zoneMarks }: Filter, offer: number): boolean {
  return zoneMarks === undefined || zoneMarks[zone[offer]!] === 1 || zones[zone[offer]!] === ''
}

function savesByTheMonth({ price, machine, machines }: Columns, filter: Filter, offer: number): boolean {
  const uncapped = price[offer]! * hoursPerMonth
  const cap = machines.monthlyCapUsd[machine[offer]!]!
  return (cap < uncapped ? cap : uncapped) < filter.belowPerMonthUsd
}
