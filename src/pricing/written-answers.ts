import type { FoundType } from '../domain/need.ts'
import type { Offer } from '../domain/offer.ts'

interface Written {
  readonly positions: Int32Array
  readonly bytes: Uint8Array
}

/**
 * Answers written lately. Machines of one type in one place are asked about again and again, with usage that differs
 * little: each is searched for anew, but where the same offers are found, the answer is the same to the byte.
 * An answer is kept when the instance was asked about before and last gave the same offers: most questions never come back.
 * Holds for one catalogue and one set of facts, without metadata. Who takes bytes from here must not change them.
 */
export class WrittenAnswers {
  readonly #most: number
  readonly #byCurrent = new Map<number, Written[]>()
  /** By the current offer, what was found for it last, in one number; undefined where it was asked about but once. */
  readonly #seen = new Map<number, number | undefined>()
  #bytes = 0

  constructor(mostBytes = 16 * 1024 * 1024) {
    this.#most = mostBytes
  }

  find(current: Offer, found: readonly FoundType[]): Uint8Array | undefined {
    const written = current.position === undefined ? undefined : this.#byCurrent.get(current.position)
    if (written === undefined) return undefined
    for (let i = 0; i < written.length; i++) if (isOf(written[i]!, found)) return written[i]!.bytes
    return undefined
  }

  keep(current: Offer, found: readonly FoundType[], bytes: Uint8Array): void {
    const { position } = current
    if (position === undefined || !this.#comesBack(position, found)) return
    if (this.#bytes + bytes.length > this.#most) {
      this.#byCurrent.clear()
      this.#bytes = 0
    }
    const positions = Int32Array.from(found.flatMap(({ offers }) => offers.map((offer) => offer.position!)))
    const written = this.#byCurrent.getOrInsertComputed(position, () => [])
    if (written.length === mostOfOne) this.#bytes -= written.shift()!.bytes.length
    written.push({ positions, bytes })
    this.#bytes += bytes.length
  }

  #comesBack(position: number, found: readonly FoundType[]): boolean {
    if (!this.#seen.has(position)) {
      if (this.#seen.size >= mostSeen) this.#seen.clear()
      this.#seen.set(position, undefined)
      return false
    }
    const sum = sumOf(found)
    if (sum !== undefined && this.#seen.get(position) === sum) return true
    this.#seen.set(position, sum)
    return false
  }
}

const mostSeen = 50_000
/** How many answers about one offer are kept. */
const mostOfOne = 8

/** An offer's position tells its type, so that positions in order tell the groups too. */
function isOf({ positions }: Written, found: readonly FoundType[]): boolean {
  let next = 0
  for (let g = 0; g < found.length; g++) {
    const { offers } = found[g]!
    for (let i = 0; i < offers.length; i++) if (offers[i]!.position !== positions[next++]) return false
  }
  return next === positions.length
}

/** A number that two lists of offers seldom share; undefined where an offer is on no price list. */
function sumOf(found: readonly FoundType[]): number | undefined {
  let sum = 0
  for (let g = 0; g < found.length; g++) {
    const { offers } = found[g]!
    for (let i = 0; i < offers.length; i++) {
      const { position } = offers[i]!
      if (position === undefined) return undefined
      sum = (Math.imul(sum, 31) + position) | 0
    }
  }
  return sum
}
