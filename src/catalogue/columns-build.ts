import type { Offer } from '../domain/offer.ts'
import {
  type Columns,
  comparePlaces,
  osNames,
  type Place,
  termNames,
  usageCount,
  usageNames,
} from './columns.ts'
import { compareText, Dictionary, sorted } from './dictionary.ts'
import { type Machine, MachineDictionary, machinesOf } from './machines.ts'
import { idArray, narrowed } from './narrow.ts'
import { SkuDictionary } from './skus.ts'

export function columnsOf(offers: Iterable<Offer>): Columns {
  const rows = Array.isArray(offers) ? (offers as readonly Offer[]) : [...offers]
  const count = rows.length
  const typeOf = new Uint32Array(count)
  const placeOf = new Uint32Array(count)
  const zoneOf = new Uint32Array(count)
  const types = new Dictionary()
  const zones = new Dictionary()
  const places = new PlaceDictionary()
  for (let i = 0; i < count; i++) {
    const offer = rows[i]!
    if (!(offer.pricePerHourUsd >= 0 && offer.pricePerHourUsd < Infinity))
      throw new RangeError(`${offer.provider} ${offer.instanceType} ${offer.region}: no price`)
    typeOf[i] = types.id(offer.instanceType)
    placeOf[i] = places.id(offer.provider, offer.region)
    zoneOf[i] = zones.id(offer.zone)
  }
  const [typeNames, typeMoved] = sorted(types.values, compareText)
  const [zoneNames, zoneMoved] = sorted(zones.values, compareText)
  const [placeNames, placeMoved] = sorted(places.values, comparePlaces)

  const cellKey = new Float64Array(count)
  const price = new Float64Array(count)
  const order = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    const offer = rows[i]!
    const group = typeMoved[typeOf[i]!]! * osNames.length + osNames.indexOf(offer.operatingSystem)
    const groupUsage = group * usageCount + usageNames.indexOf(offer.usageType)
    cellKey[i] = groupUsage * placeNames.length + placeMoved[placeOf[i]!]!
    price[i] = offer.pricePerHourUsd
    zoneOf[i] = zoneMoved[zoneOf[i]!]!
    order[i] = i
  }
  order.sort(
    (a, b) =>
      cellKey[a]! - cellKey[b]! ||
      price[a]! - price[b]! ||
      compareText(rows[a]!.term, rows[b]!.term) ||
      zoneOf[a]! - zoneOf[b]! ||
      compareText(rows[a]!.service, rows[b]!.service) ||
      a - b,
  )
  return {
    count,
    types: typeNames,
    places: placeNames,
    zones: zoneNames,
    ...cellsOf(order, cellKey, typeNames.length, placeNames.length),
    ...offerColumns(rows, order, zoneOf, zoneNames.length),
  }
}

function cellsOf(order: Uint32Array, cellKey: Float64Array, typeCount: number, placeCount: number) {
  const groups: number[] = []
  const cellsStart: number[] = []
  const cellPlace: number[] = []
  const offersStart: number[] = []
  let cell = -1
  let filled = 0
  for (let i = 0; i < order.length; i++) {
    const key = cellKey[order[i]!]!
    if (key === cell) continue
    cell = key
    const groupUsage = Math.floor(key / placeCount)
    const group = Math.floor(groupUsage / usageCount)
    if (groups.at(-1) !== group) {
      while (filled < groups.length * usageCount) cellsStart[filled++] = cellPlace.length
      groups.push(group)
    }
    const slot = (groups.length - 1) * usageCount + (groupUsage % usageCount)
    while (filled <= slot) cellsStart[filled++] = cellPlace.length
    cellPlace.push(key % placeCount)
    offersStart.push(i)
  }
  while (filled <= groups.length * usageCount) cellsStart[filled++] = cellPlace.length
  offersStart.push(order.length)
  return {
    groupType: narrowed(
      groups.map((g) => Math.floor(g / osNames.length)),
      typeCount,
    ),
    groupOs: Uint8Array.from(groups, (g) => g % osNames.length),
    cellsStart: Uint32Array.from(cellsStart),
    cellPlace: narrowed(cellPlace, placeCount),
    offersStart: Uint32Array.from(offersStart),
  }
}

function offerColumns(rows: readonly Offer[], order: Uint32Array, zoneOf: Uint32Array, zoneCount: number) {
  const count = order.length
  const price = new Float64Array(count)
  const term = new Uint8Array(count)
  const zone = idArray(count, zoneCount)
  const machine = new Uint32Array(count)
  const origin = new Uint32Array(count)
  const machines = new MachineDictionary()
  const origins = new Dictionary()
  const skus = new SkuDictionary(count)
  for (let i = 0; i < count; i++) {
    const offer = rows[order[i]!]!
    price[i] = offer.pricePerHourUsd
    term[i] = termNames.indexOf(offer.term)
    zone[i] = zoneOf[order[i]!]!
    machine[i] = machines.id(offer satisfies Machine)
    origin[i] = origins.id(`${offer.day}\n${offer.source}`)
    skus.set(i, offer.skuIds)
  }
  return {
    price,
    term,
    zone,
    machine: narrowed(machine, machines.values.length),
    machines: machinesOf(machines.values),
    origin: narrowed(origin, origins.values.length),
    origins: origins.values.map((text) => {
      const cut = text.indexOf('\n')
      return { day: text.slice(0, cut), source: text.slice(cut + 1) }
    }),
    skus: skus.columns(),
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
