/** A budget of bytes, with a smaller limit per organisation. A single item is admitted however large it is. */
export class ByteBudget {
  bytes = 0
  readonly #maxBytes: number
  readonly #maxBytesOfOne: number
  readonly #bytesOf = new Map<string, number>()

  constructor(maxBytes: number, maxBytesOfOne = maxBytes / 2) {
    this.#maxBytes = maxBytes
    this.#maxBytesOfOne = maxBytesOfOne
  }

  /** Returns false and changes nothing if the budget is used up. */
  reserve(organisation: string, bytes: number): boolean {
    const own = this.#bytesOf.get(organisation) ?? 0
    if (this.bytes > 0 && this.bytes + bytes > this.#maxBytes) return false
    if (own > 0 && own + bytes > this.#maxBytesOfOne) return false
    this.bytes += bytes
    this.#bytesOf.set(organisation, own + bytes)
    return true
  }

  release(organisation: string, bytes: number): void {
    this.bytes -= bytes
    const left = (this.#bytesOf.get(organisation) ?? 0) - bytes
    // Deleting the only entry shrinks the map, which takes longer than everything else here, so a few are kept at zero.
    if (left > 0 || this.#bytesOf.size <= maxKept) this.#bytesOf.set(organisation, left)
    else this.#bytesOf.delete(organisation)
  }
}

const maxKept = 1000
