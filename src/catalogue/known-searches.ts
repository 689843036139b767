import { monthUsd } from '../domain/money.ts'
import type { FoundPositions, Need, Predicates } from '../domain/need.ts'
import { architecturesOf } from './architecture-bits.ts'
import { type Columns, osNames } from './columns.ts'
import type { Groups } from './groups.ts'

interface Known {
  readonly found: FoundPositions
  /** What each of these costs less than, or as much as. */
  readonly hourUsd: number
  readonly monthUsd: number
}

/**
 * The cheapest types that hold a usage are the same whatever the current machine costs, as long as all of them cost less. So
 * a search without predicates is done once for all needs that the same machines hold, with no bound on the price. It is worth
 * remembering although it takes but ten microseconds: between requests, what it reads and its very code leave the caches.
 */
export class KnownSearches {
  readonly #columns: Columns
  readonly #groups: Groups
  /** What burstable machines sustain, ascending. */
  readonly #sustained: Float64Array
  /** By what else is asked, then by size. */
  readonly #known = new Map<number, Map<number, Known>>()
  #count = 0

  constructor(columns: Columns, groups: Groups) {
    this.#columns = columns
    this.#groups = groups
    const { machines } = columns
    const sustained = Array.from(
      { length: machines.count },
      (_, m) => machines.vcpus(m) * machines.baseline(m),
    )
    this.#sustained = Float64Array.from(new Set(sustained.filter((vcpus) => vcpus >= 0))).sort()
  }

  /** Undefined where it has to be searched for. */
  find(need: Need, search: (need: Need) => FoundPositions): FoundPositions | undefined {
    if (!this.#isCommon(need)) return undefined
    const size = this.#sizeOf(need)
    const sizes = this.#sizesLike(need)
    let known = sizes.get(size)
    if (known === undefined) {
      known = this.#priced(search({ ...need, belowPerHourUsd: Infinity, belowPerMonthUsd: Infinity }))
      this.#remember(sizes, size, known)
    }
    return known.hourUsd < need.belowPerHourUsd && known.monthUsd < need.belowPerMonthUsd
      ? known.found
      : undefined
  }

  /** Without predicates and GPUs, and where codes tell all of a size. */
  #isCommon({ gpu, predicates, limit, offersPerType }: Need): boolean {
    const { vcpuCodes, ramCodes } = this.#groups
    return (
      gpu.count === 0 &&
      vcpuCodes.isExact &&
      ramCodes.isExact &&
      isNone(predicates) &&
      limit > 0 &&
      limit <= mostTypes &&
      offersPerType > 0 &&
      offersPerType <= mostOffers
    )
  }

  /** Needs with the same number are held by the same machines. */
  #sizeOf({ vcpus, ramGib, sustainedVcpus }: Need): number {
    const { vcpuCodes, ramCodes } = this.#groups
    let tooWeak = 0
    while (tooWeak < this.#sustained.length && this.#sustained[tooWeak]! < sustainedVcpus) tooWeak++
    return (tooWeak * codes + vcpuCodes.of(vcpus)) * codes + ramCodes.of(ramGib)
  }

  #sizesLike(need: Need): Map<number, Known> {
    const architectures = architecturesOf(need) & allArchitectures
    const system = osNames.indexOf(need.operatingSystem) * (allArchitectures + 1) + architectures
    const kind = (system * (mostTypes + 1) + need.limit) * (mostOffers + 1) + need.offersPerType
    return this.#known.getOrInsertComputed(kind, () => new Map())
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
    let [hour, month] = [0, 0]
    for (let i = 0; i < count; i++) {
      const price = offers.price(positions[i]!)
      const cap = machines.monthlyCapUsd(offers.machine(positions[i]!))
      hour = Math.max(hour, price)
      month = Math.max(month, monthUsd(price, Number.isNaN(cap) ? null : cap))
    }
    const found = {
      types,
      starts: starts.slice(0, types + 1),
      sources: new Int32Array(count),
      positions: positions.slice(0, count),
    }
    return { found, hourUsd: hour, monthUsd: month }
  }
}

const codes = 257
const allArchitectures = 0xf
/** More of either is rarely asked for. */
const mostTypes = 50
const mostOffers = 10
/** About a kilobyte each. */
const mostKnown = 4096

function isNone(predicates: Predicates): boolean {
  const { availabilityZones, instanceTypes, providers, regions, usageTypes } = predicates
  return (
    !availabilityZones?.length &&
    !instanceTypes?.length &&
    !providers?.length &&
    !regions?.length &&
    !usageTypes?.length
  )
}
