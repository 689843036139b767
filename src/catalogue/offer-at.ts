import type { Architecture, Offer, OperatingSystem, Term, UsageType } from '../domain/offer.ts'
import { groupOf, slotOf, usageOf } from './canonical-order.ts'
import { type Columns, osNames, usageNames } from './columns.ts'
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
  declare readonly provider: string
  declare readonly service: string
  declare readonly region: string
  declare readonly zone: string
  declare readonly instanceType: string
  declare readonly operatingSystem: OperatingSystem
  declare readonly usageType: UsageType
  declare readonly term: Term
  declare readonly vcpus: number | null
  declare readonly ramGib: number | null
  declare readonly architecture: Architecture
  declare readonly gpuCount: number
  declare readonly gpuName: string
  declare readonly pricePerHourUsd: number
  declare readonly monthlyCapUsd: number | null
  declare readonly burstableBaseline: number | null
  declare readonly family: string
  declare readonly source: string
  declare readonly day: string
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
    const place = columns.places[columns.cellPlace[cell]!]!
    const machine = columns.machines.values[columns.offers.machine(position)]!
    const label = columns.labels.values[columns.offers.label(position)]!
    this.provider = place.provider
    this.service = machine.service
    this.region = place.region
    this.zone = label.zone
    this.instanceType = instanceType
    this.operatingSystem = osNames[os]!
    this.usageType = usageNames[usage]!
    this.term = label.term
    this.vcpus = machine.vcpus
    this.ramGib = machine.ramGib
    this.architecture = machine.architecture
    this.gpuCount = machine.gpuCount
    this.gpuName = machine.gpuName
    this.pricePerHourUsd = columns.offers.price(position)
    this.monthlyCapUsd = machine.monthlyCapUsd
    this.burstableBaseline = machine.burstableBaseline
    this.family = machine.family
    this.source = label.source
    this.day = label.day
    this.#columns = columns
    this.#position = position
  }

  get skuIds(): readonly string[] {
    return skuIds(this.#columns.skus, this.#position) ?? []
  }
}
