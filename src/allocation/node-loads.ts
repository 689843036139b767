import type { HourRange } from '../usage/reading/pod-usage.ts'
import { HourColumns } from './hour-columns.ts'
import type { NodePrice } from './node-prices.ts'

/** Cores and GiB that count on one node in one hour. */
interface NodeLoad {
  readonly cores: number
  readonly gib: number
}

/**
 * What counts on each node of a cluster, hour by hour, in cores and GiB rather than money: prices change, hours do not.
 * A node's hours lie side by side from the first to the last in which it was seen.
 */
export class NodeLoads {
  readonly #nodes = new Map<string, HourColumns>()

  /** A node's hours, to add to from this hour on. */
  from(node: string, hour: number): HourColumns {
    const known = this.#nodes.get(node)
    if (known !== undefined) return known
    const columns = new HourColumns(hour)
    this.#nodes.set(node, columns)
    return columns
  }

  /** Undefined where it was never seen. */
  of(node: string): HourColumns | undefined {
    return this.#nodes.get(node)
  }

  entries(): Iterable<[node: string, hours: HourColumns]> {
    return this.#nodes
  }

  at(node: string, hour: number): NodeLoad {
    const columns = this.#nodes.get(node)
    const index = columns === undefined ? -1 : hour - columns.first
    if (columns === undefined || index < 0 || index >= columns.length) return noLoad
    return { cores: columns.cores[index]!, gib: columns.gib[index]! }
  }

  /** Capacity in node hours, 16 bytes each. */
  get nodeHours(): number {
    let sum = 0
    for (const { cores } of this.#nodes.values()) sum += cores.length
    return sum
  }

  /** A copy in which these hours are cleared and must be added again. */
  without(from: number, to: number): NodeLoads {
    const rest = new NodeLoads()
    for (const [node, columns] of this.#nodes) rest.#nodes.set(node, columns.without(from, to))
    return rest
  }

  /** Adds all hours of all nodes of another. */
  addAll(other: NodeLoads): void {
    for (const [node, columns] of other.#nodes) this.from(node, columns.first).addAll(columns)
  }
}

/** What part of its spend is counted on a node so that all of it stays within the node's price: 1 where it fits. */
export function shareWithinPrice(
  { corePerHourUsd, gibPerHourUsd, perHourUsd }: NodePrice,
  cores: number,
  gib: number,
): number {
  const usd = cores * corePerHourUsd + gib * gibPerHourUsd
  return perHourUsd === null || usd <= perHourUsd ? 1 : perHourUsd / usd
}

/** The load of a node after a change to it, if it costs more than the node in any of the hours; undefined if it fits. */
export function overfullLoad(
  price: NodePrice,
  { from, to }: HourRange,
  load: HourColumns | undefined,
  change: HourColumns | undefined,
): HourColumns | undefined {
  const one = load ?? change
  if (price.perHourUsd === null || one === undefined) return undefined
  const sum = new HourColumns(one.first)
  if (load !== undefined) sum.addAll(load)
  if (change !== undefined) sum.addAll(change)
  const { first, end, cores, gib } = sum
  for (let hour = Math.max(from, first); hour < Math.min(to, end); hour++)
    if (shareWithinPrice(price, cores[hour - first]!, gib[hour - first]!) < 1) return sum
  return undefined
}

const noLoad: NodeLoad = { cores: 0, gib: 0 }
