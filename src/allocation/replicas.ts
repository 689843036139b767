import type { Lifetime } from '../usage/day/day-facts.ts'

/** A container that was seen so shortly before the end is still there: scrapes are minutes apart. */
const presenceSeconds = 900

export const isRunningAt = (lastSeenAt: number, endAt: number): boolean =>
  lastSeenAt >= endAt - presenceSeconds

/** The maximum number that ran at the same time. One that ends when another begins does not overlap it. */
export function maxConcurrent(lives: readonly Lifetime[]): number {
  const begins = Float64Array.from(lives, ({ from }) => from).sort()
  const ends = Float64Array.from(lives, ({ from, to }) => Math.max(to, from + 1)).sort()
  let [ended, most] = [0, 0]
  for (let begun = 0; begun < begins.length; begun++) {
    while (ends[ended]! <= begins[begun]!) ended++
    most = Math.max(most, begun + 1 - ended)
  }
  return most
}
