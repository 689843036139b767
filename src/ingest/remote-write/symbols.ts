import { hashBytes, hashed, hashTextBytes } from './label-hash.ts'
import type { LabelPairs } from './resolver.ts'
import type { Wire } from './wire.ts'

/** Each is hashed once, and decoded only for a series that was not seen before. */
export class Symbols {
  readonly #wire: Wire
  readonly #maxLabelBytes: number
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  readonly #highs: number[] = []
  readonly #lows: number[] = []
  readonly #nameHashes = new Map<number, number>()
  /** The symbol that is "__name__"; -1 if there is none. */
  nameSymbol = -1

  constructor(wire: Wire, maxLabelBytes: number) {
    this.#wire = wire
    this.#maxLabelBytes = maxLabelBytes
  }

  get count(): number {
    return this.#starts.length
  }

  add(start: number, end: number): void {
    const { view } = this.#wire
    if (
      end - start === 8 &&
      view.getUint32(start, true) === 0x616e5f5f &&
      view.getUint32(start + 4, true) === 0x5f5f656d
    )
      this.nameSymbol = this.count
    // A longer symbol is not part of any series that is used.
    if (end - start <= this.#maxLabelBytes) hashBytes(view, start, end, 2)
    this.#starts.push(start)
    this.#ends.push(end)
    this.#highs.push(hashed.high)
    this.#lows.push(hashed.low)
  }

  has = (symbol: number): boolean => symbol >= 0 && symbol < this.count
  length = (symbol: number): number => this.#ends[symbol]! - this.#starts[symbol]!
  high = (symbol: number): number => this.#highs[symbol]!
  low = (symbol: number): number => this.#lows[symbol]!

  nameHash(symbol: number): number {
    let hash = this.#nameHashes.get(symbol)
    if (hash === undefined) {
      hash = hashTextBytes(this.#wire.bytes, this.#starts[symbol]!, this.#ends[symbol]!)
      this.#nameHashes.set(symbol, hash)
    }
    return hash
  }

  /** Resolves the first `count` references. */
  labels(refs: Float64Array, count: number): LabelPairs {
    const labels: [string, string][] = []
    for (let index = 0; index < count; index += 2)
      labels.push([this.#text(refs[index]!), this.#text(refs[index + 1]!)])
    return labels
  }

  #text(symbol: number): string {
    this.#wire.at = this.#starts[symbol]!
    return this.#wire.text(this.#ends[symbol]! - this.#wire.at)
  }
}
