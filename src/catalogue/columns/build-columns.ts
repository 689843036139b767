import type { Offer } from '../../domain/offer.ts'
import {
  compareRegions,
  groupOf,
  type OfferColumns,
  optionCount,
  optionOf,
  osNames,
  type ProviderRegion,
  purchaseOptionOf,
} from './columns.ts'
import { compareText, Dictionary, narrowIds, sortWithRanks } from './dictionary.ts'
import { LabelDictionary, offerPlaces, RegionDictionary } from './labels.ts'
import { MachineDictionary, Machines } from './machines.ts'
import { SkuDictionary } from './skus.ts'

export function buildOfferColumns(offers: Iterable<Offer>): OfferColumns {
  const rows = Array.isArray(offers) ? (offers as readonly Offer[]) : [...offers]
  const names = namesOf(rows)
  const order = orderOf(rows, names)
  return {
    count: rows.length,
    types: names.types,
    places: names.places,
    zones: names.zones,
    ...slotsOf(order, names),
    ...recordsOf(rows, order, names),
  }
}

/** The sorted names, and for each row the ids of its names. */
interface Names {
  readonly types: readonly string[]
  readonly places: readonly ProviderRegion[]
  readonly zones: readonly string[]
  readonly zoneOf: Uint32Array
  readonly placeOf: Uint32Array
  /** Type, operating system and purchase option as one number. */
  readonly slotOf: Float64Array
}

function namesOf(rows: readonly Offer[]): Names {
  const typeOf = new Uint32Array(rows.length)
  const placeOf = new Uint32Array(rows.length)
  const zoneOf = new Uint32Array(rows.length)
  const slotOf = new Float64Array(rows.length)
  const typeIds = new Dictionary()
  const zoneIds = new Dictionary()
  const placeIds = new RegionDictionary()
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!
    if (!(row.pricePerHourUsd >= 0 && row.pricePerHourUsd < Infinity))
      throw new RangeError(`${row.provider} ${row.instanceType} ${row.region}: no price`)
    typeOf[i] = typeIds.id(row.instanceType)
    placeOf[i] = placeIds.id(row.provider, row.region)
    zoneOf[i] = zoneIds.id(row.zone)
  }
  const [types, typeMoved] = sortWithRanks(typeIds.values, compareText)
  const [zones, zoneMoved] = sortWithRanks(zoneIds.values, compareText)
  const [places, placeMoved] = sortWithRanks(placeIds.values, compareRegions)
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!
    const group = typeMoved[typeOf[i]!]! * osNames.length + osNames.indexOf(row.operatingSystem)
    slotOf[i] = group * optionCount + purchaseOptionOf(row.usageType, row.term)
    placeOf[i] = placeMoved[placeOf[i]!]!
    zoneOf[i] = zoneMoved[zoneOf[i]!]!
  }
  return { types, places, zones, placeOf, zoneOf, slotOf }
}

function orderOf(rows: readonly Offer[], { placeOf, zoneOf, slotOf }: Names): Uint32Array {
  const price = Float64Array.from(rows, (row) => row.pricePerHourUsd)
  return Uint32Array.from(rows, (_, i) => i).sort(
    (a, b) =>
      slotOf[a]! - slotOf[b]! ||
      price[a]! - price[b]! ||
      placeOf[a]! - placeOf[b]! ||
      compareText(rows[a]!.term, rows[b]!.term) ||
      zoneOf[a]! - zoneOf[b]! ||
      compareText(rows[a]!.service, rows[b]!.service) ||
      a - b,
  )
}

function slotsOf(order: Uint32Array, { slotOf, types }: Names) {
  const groups: number[] = []
  const slotStart: number[] = []
  let last = -1
  for (let i = 0; i < order.length; i++) {
    const slot = slotOf[order[i]!]!
    if (slot === last) continue
    last = slot
    const group = groupOf(slot)
    if (groups[groups.length - 1] !== group) {
      while (slotStart.length < groups.length * optionCount) slotStart.push(i)
      groups.push(group)
    }
    const ownSlot = (groups.length - 1) * optionCount + optionOf(slot)
    while (slotStart.length <= ownSlot) slotStart.push(i)
  }
  while (slotStart.length <= groups.length * optionCount) slotStart.push(order.length)
  const groupType = groups.map((g) => Math.floor(g / osNames.length))
  return {
    groupType: narrowIds(groupType, types.length),
    groupOs: Uint8Array.from(groups, (g) => g % osNames.length),
    slotStart: Uint32Array.from(slotStart),
  }
}

function recordsOf(rows: readonly Offer[], order: Uint32Array, { places, zones, placeOf, zoneOf }: Names) {
  const price = new Float64Array(rows.length)
  const machine = new Uint32Array(rows.length)
  const label = new Uint32Array(rows.length)
  const machines = new MachineDictionary()
  const labelIds = new LabelDictionary()
  const skus = new SkuDictionary(rows.length)
  for (let i = 0; i < order.length; i++) {
    const at = order[i]!
    const row = rows[at]!
    price[i] = row.pricePerHourUsd
    machine[i] = machines.id(row)
    label[i] = labelIds.id(placeOf[at]!, row.term, zoneOf[at]!, row)
    skus.set(i, row.skuIds)
  }
  const labels = labelIds.labels(places.length, zones.length)
  return {
    offers: {
      price,
      machine: narrowIds(machine, machines.values.length),
      label: narrowIds(label, labels.place.length),
      place: offerPlaces(label, labels, places.length),
    },
    machines: new Machines(machines.values),
    labels,
    skus: skus.columns(),
  }
}
