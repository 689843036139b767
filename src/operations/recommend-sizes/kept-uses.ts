import type { Container } from './containers.ts'
import type { Placed } from './spend.ts'

/** By key of the container. */
export type Uses = ReadonlyMap<string, readonly Placed[]>

export const usesOf = (containers: readonly Container[]): Uses =>
  new Map(
    containers.map(({ key, pods }) => [
      key,
      pods.map(({ subject, use }) => ({ subject: { cluster: subject.cluster }, use })),
    ]),
  )

/** 16 MB: a month of 1,400 containers. */
const mostHours = 1_000_000

/** The hours of an answer's first namespaces, which need not be read again where a node turns out to be overfull. */
export class KeptUses {
  readonly #uses: Uses[] = []
  readonly #mostHours: number
  #hours = 0

  constructor(most = mostHours) {
    this.#mostHours = most
  }

  /** Of one namespace after the other. */
  add(uses: Uses): void {
    if (this.#hours >= this.#mostHours) return
    for (const pods of uses.values()) for (const { use } of pods) this.#hours += use.length
    this.#uses.push(uses)
  }

  /** Undefined where it must be read again. */
  of(namespace: number): Uses | undefined {
    return this.#uses[namespace]
  }
}
