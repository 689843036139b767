import type { Architecture, Offer, OperatingSystem, Term, UsageType } from '../domain/offer.ts'
import { groupOf, slotOf, usageOf } from './canonical-order.ts'
import { architectureNames, type Columns, osNames, termNames, usageNames } from './columns.ts'
import { skuIds } from './skus.ts'
import { startBelow } from './starts.ts'

/** The offer at a position of the columns. */
export function offerAt(columns: Columns, position: number): Offer {
  return offerInCell(columns, position, startBelow(columns.offersStart, position))
}

export function offerInCell(columns: Columns, position: number, cell: number): Offer {
  const slot = slotOf(columns, cell)
  const group = groupOf(slot)
  const instanceType = columns.types[columns.groupType[group]!]!
  return new CatalogueOffer(columns, position, cell, instanceType, columns.groupOs[group]!, usageOf(slot))
}

export function* offersIn(columns: Columns): Generator<Offer> {
  const { offersStart } = columns
  for (let c = 0; c + 1 < offersStart.length; c++)
    for (let i = offersStart[c]!; i < offersStart[c + 1]!; i++) yield offerInCell(columns, i, c)
}

/** Its SKU ids are read when asked for: most callers never do. They are enumerable in no copy of it. */
export class CatalogueOffer implements Offer {
  readonly provider: string
  readonly service: string
  readonly region: string
  readonly zone: string
  readonly instanceType: string
  readonly operatingSystem: OperatingSystem
  readonly usageType: UsageType
  readonly term: Term
  readonly vcpus: number | null
  readonly ramGib: number | null
  readonly architecture: Architecture
  readonly gpuCount: number
  readonly gpuName: string
  readonly pricePerHourUsd: number
  readonly monthlyCapUsd: number | null
  readonly burstableBaseline: number | null
  readonly family: string
  readonly source: string
  readonly day: string
  readonly #columns: Columns
  readonly #position: number

  constructor(
    columns: Columns,
    position: number,
    cell: number,
    instanceType: string,
    os: number,
    usage: number,
  ) {
    const { machines } = columns
    const place = columns.places[columns.cellPlace[cell]!]!
    const machine = columns.machine[position]!
    const origin = columns.origins[columns.origin[position]!]!
    this.provider = place.provider
    this.service = machines.services[machines.service[machine]!]!
    this.region = place.region
    this.zone = columns.zones[columns.zone[position]!]!
    this.instanceType = instanceType
    this.operatingSystem = osNames[os]!
    this.usageType = usageNames[usage]!
    this.term = termNames[columns.term[position]!]!
    this.vcpus = known(machines.vcpus[machine]!)
    this.ramGib = known(machines.ramGib[machine]!)
    this.architecture = architectureNames[machines.architecture[machine]!]!
    this.gpuCount = machines.gpuCount[machine]!
    this.gpuName = machines.gpuNames[machines.gpuName[machine]!]!
    this.pricePerHourUsd = columns.price[position]!
    this.monthlyCapUsd = known(machines.monthlyCapUsd[machine]!)
    this.burstableBaseline = known(machines.baseline[machine]!)
    this.family = machines.families[machines.family[machine]!]!
    this.source = origin.source
    this.day = origin.day
    this.#columns = columns
    this.#position = position
  }

  get skuIds(): readonly string[] {
    return skuIds(this.#columns.skus, this.#position) ?? []
  }
}

const known = (value: number): number | null => (Number.isNaN(value) ? null : value)
