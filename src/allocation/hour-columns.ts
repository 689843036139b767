/** Cores and GiB by hour, side by side from the first hour to the last. */
export class HourColumns {
  /** Hours since 1970. */
  first: number
  length = 0
  cores = new Float64Array(firstCapacity)
  gib = new Float64Array(firstCapacity)

  constructor(first: number) {
    this.first = first
  }

  /** The hour after the last. */
  get end(): number {
    return this.first + this.length
  }

  /** Extends the columns to all hours from `from` up to and including `to`. */
  cover(from: number, last: number): void {
    if (from < this.first) this.#move(from)
    const length = last - this.first + 1
    if (length > this.cores.length) this.#grow(length, 0)
    if (length > this.length) this.length = length
  }

  add(hour: number, cores: number, gib: number): void {
    this.cover(hour, hour)
    this.cores[hour - this.first]! += cores
    this.gib[hour - this.first]! += gib
  }

  /** Adds all hours of another. */
  addAll({ first, length, cores, gib }: HourColumns): void {
    if (length === 0) return
    this.cover(first, first + length - 1)
    for (let index = 0, at = first - this.first; index < length; index++, at++) {
      this.cores[at]! += cores[index]!
      this.gib[at]! += gib[index]!
    }
  }

  /** A copy in which these hours are 0. */
  without(from: number, to: number): HourColumns {
    const rest = new HourColumns(this.first)
    rest.length = this.length
    const start = Math.min(Math.max(from - this.first, 0), this.length)
    const end = Math.min(Math.max(to - this.first, start), this.length)
    rest.cores = this.cores.slice().fill(0, start, end)
    rest.gib = this.gib.slice().fill(0, start, end)
    return rest
  }

  #move(first: number): void {
    const by = this.first - first
    this.#grow(this.length + by, by)
    this.length += by
    this.first = first
  }

  #grow(least: number, offset: number): void {
    const capacity = Math.max(least, this.cores.length * 2)
    const cores = new Float64Array(capacity)
    const gib = new Float64Array(capacity)
    cores.set(this.cores.subarray(0, this.length), offset)
    gib.set(this.gib.subarray(0, this.length), offset)
    this.cores = cores
    this.gib = gib
  }
}

const firstCapacity = 32
