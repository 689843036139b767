import {
  type Offer,
  type OperatingSystem,
  type PriceChange,
  terms,
  type UsageType,
  usageTypes,
} from '../../domain/offer.ts'
import { dayMs } from '../../domain/time.ts'
import { pricePoints, priceSpread } from './price-points.ts'
import type { PriceSeries } from './schema.ts'

export interface PriceSeriesQuery {
  readonly operatingSystem: OperatingSystem | undefined
  readonly usageType: UsageType | undefined
  readonly zone: string | undefined
  readonly term: string | undefined
  readonly from: number
  readonly until: number
}

export const spreadDays = 30

/** Returns since when every change of a usage type's prices is known; null if none was ever recorded. */
export type KnownSince = (usageType: UsageType) => string | null

interface Gathered {
  readonly identity: Omit<PriceSeries, 'cost_per_hour' | 'points' | 'last_30_days'>
  day: string
  since: string
  now: number | null
  readonly moves: { at: number; change: PriceChange }[]
}

interface OpenSeries {
  /** Whether a price is left whose last change has not been found. */
  has(usageType: UsageType): boolean
  /** Changes must be added from the newest to the oldest. */
  earlier(at: number, usageType: UsageType, change: PriceChange): void
}

/** Collects current and past prices, grouped by the properties that identify a price. */
export class PriceSeriesBuilder {
  readonly #query: PriceSeriesQuery
  readonly #region: string
  readonly #since: KnownSince
  readonly #series = new Map<string, Gathered>()

  constructor(seriesQuery: PriceSeriesQuery, region: string, since: KnownSince) {
    this.#query = seriesQuery
    this.#region = region.toLowerCase()
    this.#since = since
  }

  current({ usageType, term, zone, operatingSystem, pricePerHourUsd, day }: Offer): void {
    const series = this.#at(usageType, { term, zone, operatingSystem })
    if (series === undefined) return
    series.now = pricePerHourUsd
    series.day = day
    // A price without changes has applied since changes are recorded. If none are recorded, only its day is known.
    series.since = this.#since(usageType) ?? day
  }

  change(at: number, usageType: UsageType, change: PriceChange): void {
    if (change.region.toLowerCase() === this.#region) this.#at(usageType, change)?.moves.push({ at, change })
  }

  /** Prices without a change so far: an earlier change determines since when they apply. */
  unmoved(): OpenSeries {
    const left = new Map([...this.#series].filter(([, { now, moves }]) => now !== null && moves.length === 0))
    return {
      has: (usageType) => left.values().some(({ identity }) => identity.usage_type === usageType),
      earlier: (at, usageType, change) => {
        const key = keyOf(usageType, change)
        const series = left.get(key)
        if (series === undefined || change.region.toLowerCase() !== this.#region) return
        // A release may have shipped a new price, so that no refresh recorded the change.
        if (change.after === series.now) series.moves.push({ at, change })
        else series.since = series.day
        left.delete(key)
      },
    }
  }

  finish(nowMs: number): PriceSeries[] {
    const { from, until } = this.#query
    return [...this.#series]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { identity, since, now, moves }]) => {
        const spot = identity.usage_type === 'SPOT_PREEMPTIBLE'
        const spread = spot ? priceSpread(moves, now, nowMs - spreadDays * dayMs, nowMs) : undefined
        const points = pricePoints(moves, { now, since, from, until })
        return { ...identity, cost_per_hour: now, points, ...(spread && { last_30_days: spread }) }
      })
  }

  #at(usageType: UsageType, { term, zone, operatingSystem }: Terms): Gathered | undefined {
    const seriesQuery = this.#query
    const other =
      (seriesQuery.usageType !== undefined && seriesQuery.usageType !== usageType) ||
      (seriesQuery.operatingSystem !== undefined && seriesQuery.operatingSystem !== operatingSystem) ||
      (seriesQuery.zone !== undefined && zone !== '' && seriesQuery.zone !== zone.toLowerCase()) ||
      (seriesQuery.term !== undefined && seriesQuery.term !== term)
    if (other) return undefined
    const key = keyOf(usageType, { term, zone, operatingSystem })
    return this.#series.getOrInsertComputed(key, () => ({
      identity: { usage_type: usageType, term, availability_zone: zone, operating_system: operatingSystem },
      day: '',
      since: '',
      now: null,
      moves: [],
    }))
  }
}

type Terms = Pick<PriceChange, 'term' | 'zone' | 'operatingSystem'>

const keyOf = (usageType: UsageType, { term, zone, operatingSystem }: Terms): string =>
  `${usageTypes.indexOf(usageType)}\n${operatingSystem}\n${terms.indexOf(term)}\n${zone}`
