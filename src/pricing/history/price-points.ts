import type { PriceChange } from '../../domain/offer.ts'
import type { PricePoint, PriceSpread } from './schema.ts'

export type PriceMoves = readonly { readonly at: number; readonly change: PriceChange }[]

export interface TimeWindow {
  readonly now: number | null
  /** Since when the current price is known to apply: a time or a day. */
  readonly since: string
  readonly from: number
  readonly until: number
}

/** Returns the price at the start of a window, then each price that followed in it. */
export function pricePoints(moves: PriceMoves, { now, since, from, until }: TimeWindow): PricePoint[] {
  const first = moves[0]
  if (first === undefined)
    return now === null || Date.parse(since) >= until ? [] : [{ from: since, cost_per_hour: now }]
  const inside = moves.filter(({ at }) => at >= from && at < until)
  const last = moves.findLast(({ at }) => at < from)
  const start = last === undefined ? first.change.before : last.change.after
  const points: PricePoint[] = []
  if (start !== null) points.push({ from: new Date(last?.at ?? from).toISOString(), cost_per_hour: start })
  for (const { at, change } of inside)
    points.push({ from: new Date(at).toISOString(), cost_per_hour: change.after })
  return points
}

/**
 * Computes the spread by time: the price was at or below its median for at least half of the time. Returns undefined if
 * there was no price in the window.
 */
export function priceSpread(
  moves: PriceMoves,
  now: number | null,
  from: number,
  until: number,
): PriceSpread | undefined {
  const times = new Map<number, number>()
  const add = (price: number | null, begin: number, end: number) => {
    const ms = Math.min(end, until) - Math.max(begin, from)
    if (price !== null && ms > 0) times.set(price, (times.get(price) ?? 0) + ms)
  }
  let begin = Number.NEGATIVE_INFINITY
  for (const { at, change } of moves) {
    add(change.before, begin, at)
    begin = at
  }
  add(moves.length === 0 ? now : moves.at(-1)!.change.after, begin, Number.POSITIVE_INFINITY)
  const held = [...times].sort(([a], [b]) => a - b)
  if (held.length === 0) return undefined
  const half = held.reduce((sum, [, ms]) => sum + ms, 0) / 2
  let passed = 0
  const median = held.find(([, ms]) => {
    passed += ms
    return passed >= half
  })!
  return { minimum: held[0]![0], median: median[0], maximum: held.at(-1)![0] }
}
