/**
 * What search reads of an offer, side by side, so that one look into memory fetches all of it (and that of its neighbours):
 *
 *   0        8          12        16
 *   | price  | machine  | label   |
 */
export class OfferRecords {
  readonly count: number
  /** Record i has its price at [i * 2] of these, */
  readonly numbers: Float64Array
  /** its machine and label at [i * 4 + 2] and [i * 4 + 3] of these. */
  readonly words: Uint32Array

  constructor(count: number, numbers: Float64Array = new Float64Array(count * 2)) {
    this.count = count
    this.numbers = numbers
    this.words = new Uint32Array(this.numbers.buffer)
  }

  /** Records that are there already. */
  static over(numbers: Float64Array): OfferRecords {
    return new OfferRecords(numbers.length / 2, numbers)
  }

  get byteLength(): number {
    return this.numbers.byteLength
  }

  set(i: number, price: number, machine: number, label: number): void {
    this.numbers[i * 2] = price
    this.words[i * 4 + 2] = machine
    this.words[i * 4 + 3] = label
  }

  /** All of them, in order. */
  prices(): Iterable<number> {
    const { numbers } = this
    return {
      *[Symbol.iterator]() {
        for (let i = 0; i < numbers.length; i += 2) yield numbers[i]!
      },
    }
  }

  price(i: number): number {
    return this.numbers[i * 2]!
  }

  machine(i: number): number {
    return this.words[i * 4 + 2]!
  }

  label(i: number): number {
    return this.words[i * 4 + 3]!
  }
}
