import type { PlacedUse } from '../../usage/reading/pod-usage.ts'

/** Where the pods of a container ran, without all else that is known of them. */
export const placesOf = (pods: readonly PlacedUse[]): readonly PlacedUse[] =>
  pods.map(({ subject, use }) => ({ subject: { cluster: subject.cluster }, use }))

/** 16 MB: a month of 1,400 containers. */
const mostHours = 1_000_000

/** Hours of a namespace that are cached, so that they are not read again if a node turns out to be overfull. */
export class HourlyUseCache {
  readonly #mostHours: number
  #hours = 0

  constructor(most = mostHours) {
    this.#mostHours = most
  }

  /** False if the cache is full. */
  takes(uses: readonly PlacedUse[]): boolean {
    if (this.#hours >= this.#mostHours) return false
    for (const { use } of uses) this.#hours += use.length
    return true
  }

  /** Before the next namespace. */
  clear(): void {
    this.#hours = 0
  }
}
