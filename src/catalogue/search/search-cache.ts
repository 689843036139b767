import type { Comparability } from '../../domain/comparability.ts'
import { maxRounding, monthUsd } from '../../domain/money.ts'
import type { FoundPositions, Need, Predicates } from '../../domain/need.ts'
import type { OfferColumns } from '../columns/columns.ts'
import { architecturesOf, type OfferGroups } from './groups.ts'
import type { Areas } from './list-keys.ts'

interface Known {
  readonly found: FoundPositions
  /** The highest price among the offers. */
  readonly hourUsd: number
  readonly monthUsd: number
  /** Price of each offer, per hour and per month. */
  readonly hours: Float64Array
  readonly months: Float64Array
}

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
  readonly #known = new Map<string, Known>()
  /** The result of #trimmed; like every result, it is overwritten by the next search. */
  readonly #cut = {
    types: 0,
    starts: new Int32Array(maxTypes + 1),
    sources: firstSource,
    positions: new Int32Array(maxTypes * maxOffers),
  }

  constructor(columns: OfferColumns, groups: OfferGroups, areas: Areas) {
    this.#columns = columns
    this.#groups = groups
    this.#areas = areas
  }

  /** Returns undefined if the need must be searched for without the cache. */
  find(need: Need, search: (need: Need) => FoundPositions): FoundPositions | undefined {
    const { comparableTo } = need
    if (comparableTo === undefined || !this.#isCommon(need, comparableTo)) return undefined
    const key = this.#keyOf(need, comparableTo)
    if (key === undefined) return undefined
    let known = this.#known.get(key)
    if (known === undefined) {
      known = this.#priced(search({ ...need, belowPerHourUsd: Infinity, belowPerMonthUsd: Infinity }))
      if (this.#known.size >= maxKnown) this.#known.clear()
      this.#known.set(key, known)
    }
    return known.hourUsd < need.belowPerHourUsd && known.monthUsd < need.belowPerMonthUsd
      ? known.found
      : this.#trimmed(known, need)
  }

  /**
   * Keeps the offers below the price of the current machine. Types are in the order of their cheapest offers and offers
   * of a type in the order of price, so these are the first offers of the first types. Returns undefined if others could take
   * the place of an offer: it is cheaper by the hour but not by the month, or costs as much to six decimals.
   */
  #trimmed({ found, hours, months }: Known, { belowPerHourUsd, belowPerMonthUsd }: Need) {
    const { starts, positions } = this.#cut
    let [types, next] = [0, 0]
    for (let type = 0; type < found.types; type++) {
      const end = found.starts[type + 1]!
      const before = next
      for (let i = found.starts[type]!; i < end && hours[i]! < belowPerHourUsd + maxRounding; i++) {
        if (hours[i]! >= belowPerHourUsd || months[i]! >= belowPerMonthUsd) return undefined
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
  #isCommon({ predicates, near, limit, offersPerType }: Need, comparableTo: Comparability): boolean {
    return (
      !comparableTo.countsFasterCores &&
      (near === undefined || this.#areas.only(near) > 0) &&
      this.#groups.ramCodes.isExact &&
      hasOneUsageAtMost(predicates) &&
      limit > 0 &&
      limit <= maxTypes &&
      offersPerType > 0 &&
      offersPerType <= maxOffers
    )
  }

  /** Returns everything but the price that decides the result; undefined if nothing has the accelerator. */
  #keyOf(need: Need, comparableTo: Comparability): string | undefined {
    const { gpu, near } = need
    const gpuKey = gpu.count === 0 ? 0 : this.#columns.machines.gpuKeys.get(gpu.name.toLowerCase())
    if (gpuKey === undefined) return undefined
    const architectures = architecturesOf(need)
    const area = near === undefined ? 0 : this.#areas.only(near)
    const ram = this.#groups.ramCodes.codeOf(need.ramGib)
    const { kinds, ignoredKinds, speed, localDiskGib, localDiskRank } = comparableTo
    const usage = need.predicates.usageTypes?.[0]
    return `${need.vcpus} ${need.sustainedVcpus} ${need.sustainedBurstableVcpus} ${need.sustainedSharedVcpus} ${ram} ${speed} ${localDiskGib} ${localDiskRank} ${gpu.count} ${gpuKey} ${kinds} ${ignoredKinds} ${architectures} ${area} ${usage} ${need.operatingSystem} ${need.termLength} ${need.withoutLocalZones} ${need.limit} ${need.offersPerType} ${need.home?.provider} ${need.home?.region}`
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
