import type { Entity } from '../../usage/digest/entities.ts'
import type { RunningKind } from './commitment.ts'

export class HourlyCounts {
  readonly #fromHour: number
  readonly #untilHour: number
  readonly #known = new Map<string, { readonly kind: RunningKind; readonly changes: Float64Array }>()

  constructor(fromHour: number, untilHour: number) {
    this.#fromHour = fromHour
    this.#untilHour = untilHour
  }

  get kinds(): RunningKind[] {
    return [...this.#known.values()].map(({ kind }) => kind)
  }

  add(kind: RunningKind, { firstHour, lastHour }: Pick<Entity, 'firstHour' | 'lastHour'>, count: number) {
    const from = Math.max(firstHour, this.#fromHour)
    const until = Math.min(lastHour + 1, this.#untilHour)
    if (until <= from) return
    const key = [kind.provider, kind.region, kind.zone, kind.instanceType, kind.operatingSystem].join('\n')
    const { changes } = this.#known.getOrInsertComputed(key, () => ({
      kind,
      changes: new Float64Array(this.#untilHour - this.#fromHour + 1),
    }))
    changes[from - this.#fromHour]! += count
    changes[until - this.#fromHour]! -= count
  }

  /** Joins hours in a row in which the same ran. Kinds are those of `kinds`, in their order; some have none. */
  *alike(): Generator<{ readonly hours: number; readonly kinds: readonly RunningKind[] }> {
    const all = [...this.#known.values()]
    const counts = new Float64Array(all.length)
    const length = this.#untilHour - this.#fromHour
    for (let at = 0; at < length; ) {
      for (const [index, { changes }] of all.entries()) counts[index]! += changes[at]!
      let end = at + 1
      while (end < length && all.every(({ changes }) => changes[end] === 0)) end++
      // A count that was never whole leaves what fractions leave over.
      const kinds = all.map(({ kind }, index) => ({
        ...kind,
        quantity: counts[index]! < 1e-9 ? 0 : counts[index]!,
      }))
      yield { hours: end - at, kinds }
      at = end
    }
  }
}
