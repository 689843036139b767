import { diskKinds, type Likeness } from '../../domain/likeness.ts'
import { monthUsd } from '../../domain/money.ts'
import type { FoundPositions, Need, Predicates } from '../../domain/need.ts'
import { type OfferColumns, osNames, usageCount, usageNames } from '../columns/columns.ts'
import { architecturesOf, type OfferGroups } from './groups.ts'
import type { Areas, Classes } from './list-keys.ts'

interface Known {
  readonly found: FoundPositions
  /** What each of these costs less than, or as much as. */
  readonly hourUsd: number
  readonly monthUsd: number
  /** Prices of each offer, per hour and per month. */
  readonly hours: Float64Array
  readonly months: Float64Array
}

/** By cores, then by what is sustained, then by local disk and accelerators, then by memory and speed. */
type BySize = Map<number, Map<number, Map<number, Map<number, Known>>>>

/**
 * The cheapest types that hold a usage are the same whatever the current machine costs, as long as all of them cost less. So
 * a search whose only limits are those of the current machine itself is done once for all needs that are equal but for the
 * price, with no bound on it. It is worth remembering although it takes but ten microseconds: between requests, what it
 * reads and its very code leave the caches.
 */
export class SearchCache {
  readonly #columns: OfferColumns
  readonly #groups: OfferGroups
  readonly #areas: Areas
  readonly #classes: Classes
  readonly #known = new Map<number, BySize>()
  #count = 0
  /** Overwritten by the next search, as all that is found. */
  readonly #cut = {
    types: 0,
    starts: new Int32Array(mostTypes + 1),
    sources: firstSource,
    positions: new Int32Array(mostTypes * mostOffers),
  }

  constructor(columns: OfferColumns, groups: OfferGroups, areas: Areas, classes: Classes) {
    this.#columns = columns
    this.#groups = groups
    this.#areas = areas
    this.#classes = classes
  }

  /** Undefined where it has to be searched for. */
  find(need: Need, search: (need: Need) => FoundPositions): FoundPositions | undefined {
    const { like } = need
    if (like === undefined || !this.#isCommon(need, like)) return undefined
    const kind = this.#classOf(need, like)
    if (kind < 0) return undefined
    const extras = (like.localDiskGib * diskKinds.length + like.localDiskRank) * accelerators + need.gpu.count
    const size = this.#groups.ramCodes.of(need.ramGib) * speeds + like.speed
    const sizes = this.#known
      .getOrInsertComputed(this.#scopeOf(need, kind), newMap)
      .getOrInsertComputed(need.vcpus, newMap)
      .getOrInsertComputed(need.sustainedVcpus, newMap)
      .getOrInsertComputed(extras, newMap)
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
   * Types come in the order of their cheapest offers, and offers of a type in that of price: those below the bound are the
   * first ones of each. Undefined where an offer is cheaper by the hour but not by the month, which lets others pass.
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

  /** Whether the machine is limited to its own usage type and area or to neither, and its memory is fully described by codes. */
  #isCommon({ gpu, predicates, near, limit, offersPerType }: Need, like: Likeness): boolean {
    return (
      !like.countsFasterCores &&
      like.speed < speeds &&
      gpu.count < accelerators &&
      Number.isInteger(gpu.count) &&
      (near === undefined || this.#areas.only(near) > 0) &&
      this.#groups.ramCodes.isExact &&
      hasOneUsageAtMost(predicates) &&
      limit > 0 &&
      limit <= mostTypes &&
      offersPerType > 0 &&
      offersPerType <= mostOffers
    )
  }

  /** The class of all that can be alike; -1 where there is none. */
  #classOf({ gpu }: Need, like: Likeness): number {
    const key = gpu.count === 0 ? 0 : this.#columns.machines.gpuKeys.get(gpu.name.toLowerCase())
    return (key === undefined ? undefined : this.#classes.alike(key, like)[0]) ?? -1
  }

  #scopeOf(need: Need, kind: number): number {
    const architectures = architecturesOf(need) & allArchitectures
    const usage = need.predicates.usageTypes?.[0]
    const area = need.near === undefined ? 0 : this.#areas.only(need.near)
    let scope = osNames.indexOf(need.operatingSystem) * (allArchitectures + 1) + architectures
    scope = scope * (mostTypes + 1) + need.limit
    scope = scope * (mostOffers + 1) + need.offersPerType
    scope = scope * (usageCount + 1) + (usage === undefined ? usageCount : usageNames.indexOf(usage))
    scope = scope * 2 + (need.withoutLocalZones ? 1 : 0)
    scope = scope * (this.#areas.count + 1) + area
    return scope * this.#classes.rows.length + kind
  }

  #remember(sizes: Map<number, Known>, size: number, known: Known): void {
    if (this.#count >= mostKnown) {
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
      const price = offers.price(positions[i]!)
      const cap = machines.monthlyCapUsd(offers.machine(positions[i]!))
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

const newMap = <K, V>(): Map<K, V> => new Map()
const speeds = 2 ** 20
const accelerators = 64
const allArchitectures = 0xf
/** More of either is rarely asked for. */
const mostTypes = 50
const mostOffers = 10
/** All that is known is of the one catalogue that is searched. */
const firstSource = new Int32Array(mostTypes * mostOffers)
/** About two kilobytes each. */
const mostKnown = 4096

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
