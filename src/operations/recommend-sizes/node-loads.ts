import type { NodePrice } from './node-prices.ts'

/** Cores and GiB that count on one node in one hour. */
export interface Load {
  readonly cores: number
  readonly gib: number
}

/**
 * What counts on each node of a cluster, hour by hour, in cores and GiB rather than money: prices change, hours do not.
 * A node's hours lie side by side from the first to the last in which it was seen.
 */
export class NodeLoads {
  readonly #nodes = new Map<string, HourColumns>()

  add(node: string, hour: number, cores: number, gib: number): void {
    let columns = this.#nodes.get(node)
    if (columns === undefined) {
      columns = new HourColumns(hour)
      this.#nodes.set(node, columns)
    }
    columns.add(hour, cores, gib)
  }

  at(node: string, hour: number): Load {
    return this.#nodes.get(node)?.at(hour) ?? noLoad
  }

  /** From the first hour in which it was seen to the last; of one never seen none. */
  hoursOf(node: string): { readonly from: number; readonly to: number } {
    return this.#nodes.get(node)?.range ?? noHours
  }

  /** Hours of nodes that there is room for: 16 bytes each. */
  get nodeHours(): number {
    let sum = 0
    for (const { capacity } of this.#nodes.values()) sum += capacity
    return sum
  }

  /** A copy in which these hours are to be told anew. */
  without(from: number, to: number): NodeLoads {
    const rest = new NodeLoads()
    for (const [node, columns] of this.#nodes) rest.#nodes.set(node, columns.without(from, to))
    return rest
  }

  *entries(): IterableIterator<{ readonly node: string; readonly hour: number; readonly load: Load }> {
    for (const [node, columns] of this.#nodes)
      for (const hour of columns.hours()) yield { node, hour, load: columns.at(hour) }
  }
}

/** What part of its spend is counted on a node so that all of it stays within the node's price: 1 where it fits. */
export function shareWithin({ corePerHourUsd, gibPerHourUsd, perHourUsd }: NodePrice, load: Load): number {
  const usd = load.cores * corePerHourUsd + load.gib * gibPerHourUsd
  return perHourUsd === null || usd <= perHourUsd ? 1 : perHourUsd / usd
}

const noLoad: Load = { cores: 0, gib: 0 }
const noHours = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY }

class HourColumns {
  #first: number
  #length = 0
  #cores = new Float64Array(32)
  #gib = new Float64Array(32)

  constructor(first: number) {
    this.#first = first
  }

  get capacity(): number {
    return this.#cores.length
  }

  get range(): { readonly from: number; readonly to: number } {
    return { from: this.#first, to: this.#first + this.#length }
  }

  add(hour: number, cores: number, gib: number): void {
    if (hour < this.#first) this.#move(hour)
    const index = hour - this.#first
    if (index >= this.#cores.length) this.#grow(index + 1, 0)
    this.#cores[index]! += cores
    this.#gib[index]! += gib
    this.#length = Math.max(this.#length, index + 1)
  }

  at(hour: number): Load {
    const index = hour - this.#first
    return index < 0 || index >= this.#length
      ? noLoad
      : { cores: this.#cores[index]!, gib: this.#gib[index]! }
  }

  without(from: number, to: number): HourColumns {
    const rest = new HourColumns(this.#first)
    rest.#length = this.#length
    const start = Math.min(Math.max(from - this.#first, 0), this.#length)
    const end = Math.min(Math.max(to - this.#first, start), this.#length)
    rest.#cores = this.#cores.slice().fill(0, start, end)
    rest.#gib = this.#gib.slice().fill(0, start, end)
    return rest
  }

  *hours(): IterableIterator<number> {
    for (let index = 0; index < this.#length; index++) yield this.#first + index
  }

  #move(first: number): void {
    const by = this.#first - first
    this.#grow(this.#length + by, by)
    this.#length += by
    this.#first = first
  }

  #grow(least: number, offset: number): void {
    const capacity = Math.max(least, this.#cores.length * 2)
    const cores = new Float64Array(capacity)
    const gib = new Float64Array(capacity)
    cores.set(this.#cores.subarray(0, this.#length), offset)
    gib.set(this.#gib.subarray(0, this.#length), offset)
    this.#cores = cores
    this.#gib = gib
  }
}
