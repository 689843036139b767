import {
  type Offer,
  type OperatingSystem,
  type Term,
  terms,
  type UsageType,
  usageTypes,
} from '../domain/offer.ts'
import type { PriceChange } from './refresh-changes.ts'
import { type PricePoint, pointsOf, type Spread, spreadOf } from './refresh-series.ts'

export interface PriceSeries {
  readonly usage_type: UsageType
  readonly term: Term
  readonly availability_zone: string
  readonly operating_system: OperatingSystem
  /** null: not on offer any more. */
  readonly cost_per_hour: number | null
  readonly points: readonly PricePoint[]
  /** Spot alone: over the last 30 days, by time. */
  readonly last_30_days?: Spread
}

/** Which prices are asked for, and over which time. */
export interface Wish {
  readonly operatingSystem: OperatingSystem | undefined
  readonly usageType: UsageType | undefined
  readonly zone: string | undefined
  readonly term: string | undefined
  readonly from: number
  readonly until: number
}

const dayMs = 86_400_000
export const spreadDays = 30

interface Gathered {
  readonly of: Omit<PriceSeries, 'cost_per_hour' | 'points' | 'last_30_days'>
  since: string
  now: number | null
  readonly moves: { at: number; change: PriceChange }[]
}

/** Gathers what is and what was, by what tells one price from another. */
export class SeriesBook {
  readonly #wish: Wish
  readonly #region: string
  readonly #since: string | null
  readonly #series = new Map<string, Gathered>()

  /** `since`: when changes began to be recorded. */
  constructor(wish: Wish, region: string, since: string | null) {
    this.#wish = wish
    this.#region = region.toLowerCase()
    this.#since = since
  }

  current({ usageType, term, zone, operatingSystem, pricePerHourUsd, day }: Offer): void {
    const one = this.#at(usageType, { term, zone, operatingSystem })
    if (one === undefined) return
    one.now = pricePerHourUsd
    // A price that did not move held ever since moves are recorded; of others only their day is known.
    one.since = this.#since ?? day
  }

  change(at: number, usageType: UsageType, change: PriceChange): void {
    if (change.region.toLowerCase() === this.#region) this.#at(usageType, change)?.moves.push({ at, change })
  }

  finish(nowMs: number): PriceSeries[] {
    const { from, until } = this.#wish
    return [...this.#series]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { of, since, now, moves }]) => {
        const spot = of.usage_type === 'SPOT_PREEMPTIBLE'
        const spread = spot ? spreadOf(moves, now, nowMs - spreadDays * dayMs, nowMs) : undefined
        const points = pointsOf(moves, { now, since, from, until })
        return { ...of, cost_per_hour: now, points, ...(spread && { last_30_days: spread }) }
      })
  }

  #at(
    usageType: UsageType,
    { term, zone, operatingSystem }: Pick<PriceChange, 'term' | 'zone' | 'operatingSystem'>,
  ): Gathered | undefined {
    const wish = this.#wish
    const other =
      (wish.usageType !== undefined && wish.usageType !== usageType) ||
      (wish.operatingSystem !== undefined && wish.operatingSystem !== operatingSystem) ||
      (wish.zone !== undefined && zone !== '' && wish.zone !== zone.toLowerCase()) ||
      (wish.term !== undefined && wish.term !== term)
    if (other) return undefined
    const key = `${usageTypes.indexOf(usageType)}\n${operatingSystem}\n${terms.indexOf(term)}\n${zone}`
    return this.#series.getOrInsertComputed(key, () => ({
      of: { usage_type: usageType, term, availability_zone: zone, operating_system: operatingSystem },
      since: '',
      now: null,
      moves: [],
    }))
  }
}
