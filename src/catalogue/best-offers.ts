import { hoursPerMonth } from '../domain/money.ts'
import { compareOffers } from './canonical-order.ts'
import { type Columns, usageCount } from './columns.ts'
import type { Filter } from './filter.ts'
import { positionOf } from './starts.ts'
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

  begin(most: number): void {
    this.count = 0
    this.#most = most
    this.#dearest = Infinity
  }

  addGroup(source: Source, group: number): void {
    const { filter } = source
    const { cellsStart, cellPlace } = source.structure.columns
    // What is sold for an hour at a time tends to be the cheapest: seen first, it rules the rest out.
    for (let u = filter.usages.length - 1; u >= 0; u--) {
      const usage = filter.usages[u]!
      const slot = group * usageCount + usage
      const from = cellsStart[slot]!
      const to = cellsStart[slot + 1]!
      if (from === to) continue
      if (filter.fewPlaces === undefined) this.#addCells(source, usage, from, to)
      else
        for (const place of filter.fewPlaces) {
          const cell = positionOf(cellPlace, from, to, place)
          if (cell >= 0) this.#addCell(source, usage, cell)
        }
    }
  }

  #addCells(source: Source, usage: number, from: number, to: number): void {
    const { price, offersStart, cellPlace } = source.structure.columns
    const { cellsByPrice } = source.structure.groups
    const { placeMarks, belowPerHourUsd } = source.filter
    for (let i = from; i < to; i++) {
      const cell = from + cellsByPrice[i]!
      const cheapest = price[offersStart[cell]!]!
      if (cheapest > this.#dearest || cheapest >= belowPerHourUsd) return
      if (placeMarks === undefined || placeMarks[cellPlace[cell]!] === 1) this.#addCell(source, usage, cell)
    }
  }

  #addCell(source: Source, usage: number, cell: number): void {
    const { structure, filter } = source
    const { columns } = structure
    const { price, offersStart, machine } = columns
    const end = offersStart[cell + 1]!
    let last = -1
    let holds = false
    for (let i = offersStart[cell]!; i < end; i++) {
      if (price[i]! > this.#dearest || price[i]! >= filter.belowPerHourUsd) return
      const m = machine[i]!
      if (m !== last) {
        last = m
        holds = machineHolds(structure, filter, m)
      }
      if (holds && zonePasses(columns, filter, i) && savesByTheMonth(columns, filter, i))
        this.#insert(source, usage, cell, i)
    }
  }

  #insert(source: Source, usage: number, cell: number, offer: number): void {
    const { columns } = source.structure
    const { offers, cells, usages, sources } = this
    let at = this.count
    while (at > 0) {
      const last = at - 1
      if (
        compareOffers(columns, cell, offer, sources[last]!.structure.columns, cells[last]!, offers[last]!) > 0
      )
        break
      if (at < this.#most) {
        offers[at] = offers[last]!
        cells[at] = cells[last]!
        usages[at] = usages[last]!
        sources[at] = sources[last]!
      }
      at = last
    }
    if (at >= this.#most) return
    offers[at] = offer
    cells[at] = cell
    usages[at] = usage
    sources[at] = source
    if (this.count < this.#most) this.count++
    if (this.count < this.#most) return
    const worst = this.count - 1
    this.#dearest = sources[worst]!.structure.columns.price[offers[worst]!]!
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
