import { monthUsd } from '../../domain/money.ts'
import type { FoundPositions, Need, Predicates } from '../../domain/need.ts'
import type { Areas } from '../areas.ts'
import { type OfferColumns, osNames, usageCount, usageNames } from '../columns/columns.ts'
import { architecturesOf } from './architecture-bits.ts'
import type { OfferGroups } from './groups.ts'

interface Known {
  readonly found: FoundPositions
  /** What each of these costs less than, or as much as. */
  readonly hourUsd: number
  readonly monthUsd: number
  /** Prices of each offer, per hour and per month. */
  readonly hours: Float64Array
  readonly months: Float64Array
}

/** By what else is asked, then by cores, then by what is sustained, then by memory and speed. */
type BySize = Map<number, Map<number, Map<number, Known>>>

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
  readonly #known = new Map<number, BySize>()
  #count = 0
  /** Overwritten by the next search, as all that is found. */
  readonly #cut = {
    types: 0,
    starts: new Int32Array(mostTypes + 1),
    sources: new Int32Array(mostTypes * mostOffers),
    positions: new Int32Array(mostTypes * mostOffers),
  }

  constructor(columns: OfferColumns, groups: OfferGroups, areas: Areas) {
    this.#columns = columns
    this.#groups = groups
    this.#areas = areas
  }

  /** Undefined where it has to be searched for. */
  find(need: Need, search: (need: Need) => FoundPositions): FoundPositions | undefined {
    if (!this.#isCommon(need)) return undefined
    const speed = need.like?.speed ?? 0
    const size = this.#groups.ramCodes.of(need.ramGib) * speeds + speed
    const sizes = this.#known
      .getOrInsertComputed(this.#kindOf(need), newMap)
      .getOrInsertComputed(need.vcpus, newMap)
      .getOrInsertComputed(need.sustainedVcpus, newMap)
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
    const { starts, positions, sources } = this.#cut
    let [types, next] = [0, 0]
    for (let type = 0; type < found.types; type++) {
      const end = found.starts[type + 1]!
      const before = next
      for (let i = found.starts[type]!; i < end && hours[i]! < belowPerHourUsd; i++) {
        if (months[i]! >= belowPerMonthUsd) return undefined
        positions[next] = found.positions[i]!
        sources[next++] = 0
      }
      if (next === before) break
      starts[++types] = next
    }
    this.#cut.types = types
    return this.#cut
  }

  /** Whether the machine is ordinary, limited to its own usage type and area or to neither, and its memory is fully described by codes. */
  #isCommon({ gpu, predicates, like, near, limit, offersPerType }: Need): boolean {
    const isOrdinary =
      like === undefined || (like.kinds === 0 && !like.countsFasterCores && like.speed < speeds)
    return (
      gpu.count === 0 &&
      isOrdinary &&
      (near === undefined || this.#areas.only(near) > 0) &&
      this.#groups.ramCodes.isExact &&
      hasOneUsageAtMost(predicates) &&
      limit > 0 &&
      limit <= mostTypes &&
      offersPerType > 0 &&
      offersPerType <= mostOffers
    )
  }

  #kindOf(need: Need): number {
    const architectures = architecturesOf(need) & allArchitectures
    const usage = need.predicates.usageTypes?.[0]
    const area = need.near === undefined ? 0 : this.#areas.only(need.near)
    let kind = osNames.indexOf(need.operatingSystem) * (allArchitectures + 1) + architectures
    kind = kind * (mostTypes + 1) + need.limit
    kind = kind * (mostOffers + 1) + need.offersPerType
    kind = kind * (usageCount + 1) + (usage === undefined ? usageCount : usageNames.indexOf(usage))
    kind = kind * 4 + (need.withoutLocalZones ? 2 : 0) + (need.like === undefined ? 1 : 0)
    return kind * (this.#areas.count + 1) + area
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
      sources: new Int32Array(count),
      positions: positions.slice(0, count),
    }
    return { found, hourUsd: hour, monthUsd: month, hours, months }
  }
}

const newMap = <K, V>(): Map<K, V> => new Map()
const speeds = 2 ** 20
const allArchitectures = 0xf
/** More of either is rarely asked for. */
const mostTypes = 50
const mostOffers = 10
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
