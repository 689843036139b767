import type { Offer } from '../domain/offer.ts'
import {
  type Columns,
  comparePlaces,
  type Label,
  type Labels,
  osNames,
  type Place,
  termNames,
  usageCount,
  usageNames,
} from './columns.ts'
import { compareText, Dictionary, sorted } from './dictionary.ts'
import { MachineDictionary, Machines } from './machines.ts'
import { narrowed } from './narrow.ts'
import { OfferRecords } from './offer-records.ts'
import { SkuDictionary } from './skus.ts'

export function columnsOf(offers: Iterable<Offer>): Columns {
  const rows = Array.isArray(offers) ? (offers as readonly Offer[]) : [...offers]
  const names = namesOf(rows)
  const order = orderOf(rows, names)
  return {
    count: rows.length,
    types: names.types,
    places: names.places,
    zones: names.zones,
    ...cellsOf(order, names),
    ...recordsOf(rows, order, names),
  }
}

/** Sorted names, and for each row the ids of its own. */
interface Names {
  readonly types: readonly string[]
  readonly places: readonly Place[]
  readonly zones: readonly string[]
  readonly zoneOf: Uint32Array
  readonly placeOf: Uint32Array
  /** (type, operating system, usage type), as one number. */
  readonly slotOf: Float64Array
}

function namesOf(rows: readonly Offer[]): Names {
  const typeOf = new Uint32Array(rows.length)
  const placeOf = new Uint32Array(rows.length)
  const zoneOf = new Uint32Array(rows.length)
  const slotOf = new Float64Array(rows.length)
  const typeIds = new Dictionary()
  const zoneIds = new Dictionary()
  const placeIds = new PlaceDictionary()
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!
    if (!(row.pricePerHourUsd >= 0 && row.pricePerHourUsd < Infinity))
      throw new RangeError(`${row.provider} ${row.instanceType} ${row.region}: no price`)
    typeOf[i] = typeIds.id(row.instanceType)
    placeOf[i] = placeIds.id(row.provider, row.region)
    zoneOf[i] = zoneIds.id(row.zone)
  }
  const [types, typeMoved] = sorted(typeIds.values, compareText)
  const [zones, zoneMoved] = sorted(zoneIds.values, compareText)
  const [places, placeMoved] = sorted(placeIds.values, comparePlaces)
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!
    const group = typeMoved[typeOf[i]!]! * osNames.length + osNames.indexOf(row.operatingSystem)
    slotOf[i] = group * usageCount + usageNames.indexOf(row.usageType)
    placeOf[i] = placeMoved[placeOf[i]!]!
    zoneOf[i] = zoneMoved[zoneOf[i]!]!
  }
  return { types, places, zones, placeOf, zoneOf, slotOf }
}

function orderOf(rows: readonly Offer[], { placeOf, zoneOf, slotOf, places }: Names): Uint32Array {
  const price = Float64Array.from(rows, (row) => row.pricePerHourUsd)
  const cheapestOf = new Map<number, number>()
  for (let i = 0; i < rows.length; i++) {
    const cell = slotOf[i]! * places.length + placeOf[i]!
    if (!(cheapestOf.get(cell)! <= price[i]!)) cheapestOf.set(cell, price[i]!)
  }
  const cheapest = Float64Array.from(
    rows,
    (_, i) => cheapestOf.get(slotOf[i]! * places.length + placeOf[i]!)!,
  )
  return Uint32Array.from(rows, (_, i) => i).sort(
    (a, b) =>
      slotOf[a]! - slotOf[b]! ||
      cheapest[a]! - cheapest[b]! ||
      placeOf[a]! - placeOf[b]! ||
      price[a]! - price[b]! ||
      compareText(rows[a]!.term, rows[b]!.term) ||
      zoneOf[a]! - zoneOf[b]! ||
      compareText(rows[a]!.service, rows[b]!.service) ||
      a - b,
  )
}

function cellsOf(order: Uint32Array, { slotOf, placeOf, types, places }: Names) {
  const groups: number[] = []
  const cellsStart: number[] = []
  const cellPlace: number[] = []
  const offersStart: number[] = []
  let lastSlot = -1
  for (let i = 0; i < order.length; i++) {
    const slot = slotOf[order[i]!]!
    const place = placeOf[order[i]!]!
    if (slot === lastSlot && place === cellPlace[cellPlace.length - 1]) continue
    lastSlot = slot
    const group = Math.floor(slot / usageCount)
    if (groups[groups.length - 1] !== group) {
      while (cellsStart.length < groups.length * usageCount) cellsStart.push(cellPlace.length)
      groups.push(group)
    }
    const ownSlot = (groups.length - 1) * usageCount + (slot % usageCount)
    while (cellsStart.length <= ownSlot) cellsStart.push(cellPlace.length)
    cellPlace.push(place)
    offersStart.push(i)
  }
  while (cellsStart.length <= groups.length * usageCount) cellsStart.push(cellPlace.length)
  offersStart.push(order.length)
  const groupType = groups.map((g) => Math.floor(g / osNames.length))
  return {
    groupType: narrowed(groupType, types.length),
    groupOs: Uint8Array.from(groups, (g) => g % osNames.length),
    cellsStart: Uint32Array.from(cellsStart),
    cellPlace: narrowed(cellPlace, places.length),
    offersStart: Uint32Array.from(offersStart),
  }
}

function recordsOf(rows: readonly Offer[], order: Uint32Array, { zones }: Names) {
  const offers = new OfferRecords(rows.length)
  const machines = new MachineDictionary()
  const labels = new Dictionary()
  const firstOfLabel: number[] = []
  const skus = new SkuDictionary(rows.length)
  for (let i = 0; i < order.length; i++) {
    const row = rows[order[i]!]!
    const label = labels.id(`${row.term}\n${row.zone}\n${row.day}\n${row.source}`)
    if (label === firstOfLabel.length) firstOfLabel.push(order[i]!)
    offers.set(i, row.pricePerHourUsd, machines.id(row), label)
    skus.set(i, row.skuIds)
  }
  return {
    offers,
    machines: new Machines(machines.values),
    labels: labelsOf(
      firstOfLabel.map((i) => labelOf(rows[i]!)),
      zones,
    ),
    skus: skus.columns(),
  }
}

const labelOf = ({ term, zone, source, day }: Offer): Label => ({ term, zone, source, day })

export function labelsOf(values: readonly Label[], zones: readonly string[]): Labels {
  const zoneIds = new Map(zones.map((zone, i) => [zone, i]))
  return {
    values,
    term: Uint8Array.from(values, ({ term }) => termNames.indexOf(term)),
    zone: narrowed(
      values.map(({ zone }) => zoneIds.get(zone)!),
      zones.length,
    ),
  }
}

class PlaceDictionary {
  readonly values: Place[] = []
  readonly #ids = new Map<string, Map<string, number>>()

  id(provider: string, region: string): number {
    let regions = this.#ids.get(provider)
    if (regions === undefined) {
      regions = new Map()
      this.#ids.set(provider, regions)
    }
    let id = regions.get(region)
    if (id === undefined) {
      id = this.values.length
      regions.set(region, id)
      this.values.push({ provider, region })
    }
    return id
  }
}
