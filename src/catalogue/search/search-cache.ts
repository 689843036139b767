import { type Comparability, diskKinds } from '../../domain/comparability.ts'
import { monthUsd } from '../../domain/money.ts'
import type { FoundPositions, Need, Predicates } from '../../domain/need.ts'
import { type OfferColumns, osNames, usageNames } from '../columns/columns.ts'
import { architecturesOf, type OfferGroups } from './groups.ts'
import type { Areas, Classes } from './list-keys.ts'

interface Known {
  readonly found: FoundPositions
  /** The highest price among the offers. */
  readonly hourUsd: number
  readonly monthUsd: number
  /** Price of each offer, per hour and per month. */
  readonly hours: Float64Array
  readonly months: Float64Array
}

/** Results by vCPUs, then by sustained vCPUs, then by local disk and accelerators, then by memory and speed. */
type BySize = Map<number, Map<number, Map<number, Map<number, Known>>>>

/**
 * The cheapest types that are large enough are the same whatever the current machine costs, as long as all of them cost
 * less. So a search whose only limits come from the current machine is done once, without a price limit, for all needs
 * that differ only in price. This is worthwhile although a search takes only ten microseconds: between requests, its data
 * and even its code leave the CPU caches.
 */
export class SearchCache {
  readonly #columns: OfferColumns
  readonly #groups: OfferGroups
  readonly #areas: Areas
  readonly #classes: Classes
  readonly #known = new Map<number, BySize>()
  #count = 0
  /** The result of #trimmed; like every result, it is overwritten by the next search. */
  readonly #cut = {
    types: 0,
    starts: new Int32Array(maxTypes + 1),
    sources: firstSource,
    positions: new Int32Array(maxTypes * maxOffers),
  }

  constructor(columns: OfferColumns, groups: OfferGroups, areas: Areas, classes: Classes) {
    this.#columns = columns
    this.#groups = groups
    this.#areas = areas
    this.#classes = classes
  }

  /** Returns undefined if the need must be searched for without the cache. */
  find(need: Need, search: (need: Need) => FoundPositions): FoundPositions | undefined {
    const { comparableTo } = need
    if (comparableTo === undefined || !this.#isCommon(need, comparableTo)) return undefined
    const kind = this.#classOf(need, comparableTo)
    if (kind < 0) return undefined
    const extras =
      (comparableTo.localDiskGib * diskKinds.length + comparableTo.localDiskRank) * accelerators +
      need.gpu.count
    const size = this.#groups.ramCodes.codeOf(need.ramGib) * speeds + comparableTo.speed
    const byVcpus = mapAt(this.#known, this.#scopeOf(need, kind))
    const sizes = mapAt(mapAt(mapAt(byVcpus, need.vcpus), need.sustainedVcpus), extras)
    let known = sizes.get(size)
    if (known === undefined) {
      known = this.#priced(search({ ...need, belowPerHourUsd: Infinity, belowPerMonthUsd: Infinity }))
      this.#remember(sizes, size, known)
    }
    return known.hourUsd < need.belowPerHourUsd && known.monthUsd < need.belowPerMonthUsd
      ? known.found
      : this.#trimmed(known, need)
  }

  /**
   * Keeps the offers below the price of the current machine. Types are in the order of their cheapest offers and offers
   * of a type in the order of price, so these are the first offers of the first types. Returns undefined if an offer is
   * cheaper by the hour but not by the month, because others could then take its place.
   */
  #trimmed(
    { found, hours, months }: Known,
    { belowPerHourUsd, belowPerMonthUsd }: Need,
  ): FoundPositions | undefined {
    const { starts, positions } = this.#cut
    let [types, next] = [0, 0]
    for (let type = 0; type < found.types; type++) {
      const end = found.starts[type + 1]!
      const before = next
      for (let i = found.starts[type]!; i < end && hours[i]! < belowPerHourUsd; i++) {
        if (months[i]! >= belowPerMonthUsd) return undefined
        positions[next++] = found.positions[i]!
      }
      if (next === before) break
      starts[++types] = next
    }
    this.#cut.types = types
    return this.#cut
  }

  /**
   * Whether the cache key describes the need completely: it is limited to one usage type and one area or to neither, and
   * its memory is exact as a code.
   */
  #isCommon(
    { gpu, predicates, near, termLength, limit, offersPerType }: Need,
    comparableTo: Comparability,
  ): boolean {
    return (
      !comparableTo.countsFasterCores &&
      comparableTo.speed < speeds &&
      gpu.count < accelerators &&
      Number.isInteger(gpu.count) &&
      (near === undefined || this.#areas.only(near) > 0) &&
      this.#groups.ramCodes.isExact &&
      hasOneUsageAtMost(predicates) &&
      termLengths.includes(termLength) &&
      limit > 0 &&
      limit <= maxTypes &&
      offersPerType > 0 &&
      offersPerType <= maxOffers
    )
  }

  /** Returns the first class in which comparable offers are; -1 if there is none. */
  #classOf(need: Need, comparableTo: Comparability): number {
    const { count, name } = need.gpu
    const key = count === 0 ? 0 : this.#columns.machines.gpuKeys.get(name.toLowerCase())
    if (key === undefined) return -1
    return this.#classes.comparableClasses(key, architecturesOf(need), comparableTo)[0] ?? -1
  }

  #scopeOf(need: Need, kind: number): number {
    const architectures = architecturesOf(need) & allArchitectures
    const usage = need.predicates.usageTypes?.[0]
    const area = need.near === undefined ? 0 : this.#areas.only(need.near)
    let scope = osNames.indexOf(need.operatingSystem) * (allArchitectures + 1) + architectures
    scope = scope * (maxTypes + 1) + need.limit
    scope = scope * (maxOffers + 1) + need.offersPerType
    scope =
      scope * (usageNames.length + 1) + (usage === undefined ? usageNames.length : usageNames.indexOf(usage))
    scope = scope * 2 + (need.withoutLocalZones ? 1 : 0)
    scope = scope * termLengths.length + termLengths.indexOf(need.termLength)
    scope = scope * (this.#areas.count + 1) + area
    return scope * this.#classes.all.length + kind
  }

  #remember(sizes: Map<number, Known>, size: number, known: Known): void {
    if (this.#count >= maxKnown) {
      this.#known.clear()
      this.#count = 0
    }
    this.#count++
    sizes.set(size, known)
  }

  #priced({ types, starts, positions }: FoundPositions): Known {
    const { offers, machines } = this.#columns
    const count = starts[types]!
    const hours = new Float64Array(count)
    const months = new Float64Array(count)
    let [hour, month] = [0, 0]
    for (let i = 0; i < count; i++) {
      const price = offers.price[positions[i]!]!
      const cap = machines.monthlyCapUsd(offers.machine[positions[i]!]!)
      hours[i] = price
      months[i] = monthUsd(price, Number.isNaN(cap) ? null : cap)
      hour = Math.max(hour, hours[i]!)
      month = Math.max(month, months[i]!)
    }
    const found = {
      types,
      starts: starts.slice(0, types + 1),
      sources: firstSource,
      positions: positions.slice(0, count),
    }
    return { found, hourUsd: hour, monthUsd: month, hours, months }
  }
}

/** Map.get is compiled inline, which getOrInsertComputed is not. */
function mapAt<V>(maps: Map<number, Map<number, V>>, key: number): Map<number, V> {
  let map = maps.get(key)
  if (map === undefined) {
    map = new Map()
    maps.set(key, map)
  }
  return map
}

const termLengths: readonly Need['termLength'][] = [undefined, '1y', '3y']
const speeds = 2 ** 20
const accelerators = 64
const allArchitectures = 0xf
/** Requests rarely ask for more. */
const maxTypes = 50
const maxOffers = 10
/** All zeros: cached results come from a search of one catalogue only. */
const firstSource = new Int32Array(maxTypes * maxOffers)
/** Each result takes about two kilobytes. */
const maxKnown = 4096

function hasOneUsageAtMost(predicates: Predicates): boolean {
  const { availabilityZones, instanceTypes, providers, regions, usageTypes } = predicates
  return (
    !availabilityZones?.length &&
    !instanceTypes?.length &&
    !providers?.length &&
    !regions?.length &&
    (usageTypes?.length ?? 0) <= 1
  )
}
