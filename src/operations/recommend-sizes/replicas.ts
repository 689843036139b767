import type { Life } from './pod-usage.ts'

/** A container that was seen so shortly before the end is still there: scrapes are minutes apart. */
export const stillThereSeconds = 900

export const isThere = (lives: readonly Life[], endAt: number): boolean =>
  lives.some(({ to }) => to >= endAt - stillThereSeconds)

/** The most that lived at the same time. One that ends as another begins is not beside it. */
export function mostAtOnce(lives: readonly Life[]): number {
  const moments = lives
    .flatMap(({ from, to }) => [
      { at: from, change: 1 },
      { at: Math.max(to, from + 1), change: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.change - b.change)
  let [now, most] = [0, 0]
  for (const { change } of moments) {
    now += change
    most = Math.max(most, now)
  }
  return most
}
