import { baseRates } from '../../domain/money.ts'
import { priceSources } from '../../domain/offer.ts'
import type { HourlyUse, SettingRange } from '../../usage/reading/hourly-use.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import { HourColumns } from './hour-columns.ts'

export interface NodePrice {
  readonly corePerHourUsd: number
  readonly gibPerHourUsd: number
  /** The price of one GPU as the cluster counts them; absent if the node has none or its price is not known. */
  readonly gpuPerHourUsd?: number
  /**
   * The price of the whole node. It is null if the node's size is not known; the spend on the node has no limit then.
   */
  readonly perHourUsd: number | null
  readonly source?: NodePriceSource
  /** The day of a listed price, YYYY-MM-DD. */
  readonly day?: string
  readonly priceRules?: readonly string[]
  /** The fact that is missing for a better price than base rates. */
  readonly missing?: MissingFact
}

/** Where the price comes from: as for any price, or from OpenCost's metrics. */
export const nodePriceSources = [...priceSources, 'metric'] as const
export type NodePriceSource = (typeof nodePriceSources)[number]
export const nodePriceSourceText =
  "list (a provider's price list), rule (such a list and your price rules), own (your prices), metric (reported by OpenCost), base (an estimate)"

type MissingFact = 'instance type' | 'price'

export const isEstimate = ({ source }: NodePrice): boolean => source === 'base'

export interface NodePrices {
  priceOf(cluster: string, node: string): NodePrice
  /** The prices that were in force before, oldest first; none if absent. */
  earlierOf?(cluster: string, node: string): readonly PriceSpan[]
}

/** A price until an hour since 1970, from the end of the span before. */
export interface PriceSpan {
  readonly untilHour: number
  readonly price: NodePrice
}

/** Used for pods whose node is unknown. */
const unknownNodePrice: NodePrice = { ...baseRates, perHourUsd: null, source: 'base' }

export const nodePriceOf = (prices: NodePrices, cluster: string, node: string | undefined): NodePrice =>
  node === undefined ? unknownNodePrice : prices.priceOf(cluster, node)

export function* priceSpansIn(
  prices: NodePrices,
  cluster: string,
  node: string | undefined,
  { from, to }: HourRange,
): Generator<HourRange & { readonly price: NodePrice }> {
  let start = from
  for (const { untilHour, price } of node === undefined ? [] : (prices.earlierOf?.(cluster, node) ?? [])) {
    if (start >= to) return
    if (untilHour > start) yield { from: start, to: Math.min(untilHour, to), price }
    start = Math.max(start, untilHour)
  }
  if (start < to) yield { from: start, to, price: nodePriceOf(prices, cluster, node) }
}

/** The ranges of hours in which neither the setting of a container nor the price of its node changed. */
export function* pricedRanges(
  use: HourlyUse,
  prices: NodePrices,
  cluster: string,
): Generator<SettingRange & { readonly price: NodePrice }> {
  for (const range of use.settingRanges()) {
    const { from, to, setting } = range
    const { node } = setting
    const earlier = node === undefined ? undefined : prices.earlierOf?.(cluster, node)
    if (earlier === undefined || earlier.length === 0)
      yield { from, to, setting, price: nodePriceOf(prices, cluster, node) }
    else {
      let index = from
      const hours = { from: use.hours[from]!, to: use.hours[to - 1]! + 1 }
      for (const span of priceSpansIn(prices, cluster, node, hours)) {
        const start = index
        while (index < to && use.hours[index]! < span.to) index++
        if (index > start) yield { from: start, to: index, setting, price: span.price }
      }
    }
  }
}

/** Remembers prices, because the same node is looked up for every pod. */
export function memoizeNodePrices(prices: NodePrices): NodePrices {
  const memoize = <Value>(read: (cluster: string, node: string) => Value) => {
    const clusters = new Map<string, Map<string, Value>>()
    return (cluster: string, node: string): Value =>
      clusters
        .getOrInsertComputed(cluster, () => new Map())
        .getOrInsertComputed(node, () => read(cluster, node))
  }
  return {
    priceOf: memoize((cluster, node) => prices.priceOf(cluster, node)),
    earlierOf: memoize((cluster, node) => prices.earlierOf?.(cluster, node) ?? []),
  }
}

export interface PriceSummary {
  readonly sources: readonly PriceOrigin[]
  /** What to do for better prices, in plain words; empty if all prices are known. */
  readonly notes: readonly string[]
}

interface PriceOrigin {
  readonly source: NodePriceSource
  /** The day of a listed price, YYYY-MM-DD. */
  readonly day: string | undefined
  readonly priceRules: readonly string[] | undefined
  readonly nodes: number
}

export function summarisePrices(prices: NodePrices, cluster: string, nodes: Iterable<string>): PriceSummary {
  const counts = new Map<string, PriceOrigin & { nodes: number }>()
  const missing = new Map<MissingFact, number>()
  for (const node of nodes) {
    const price = prices.priceOf(cluster, node)
    if (price.source === undefined) continue
    const { source, day, priceRules } = price
    const key = [source, day, ...(priceRules ?? [])].join('\n')
    counts.getOrInsertComputed(key, () => ({ source, day, priceRules, nodes: 0 })).nodes++
    if (price.missing !== undefined) missing.set(price.missing, (missing.get(price.missing) ?? 0) + 1)
  }
  const sources = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, origin]) => origin)
  return { sources, notes: [...missing].map(([fact, count]) => noteOn(fact, count)) }
}

export const noteOn = (fact: MissingFact, nodes: number): string =>
  `${nodes === 1 ? 'One node is' : `${nodes} nodes are`} priced at base rates, an estimate: ${remedies[fact]}`

const remedies: Readonly<Record<MissingFact, string>> = {
  'instance type':
    'the instance type is not known. Start kube-state-metrics with --metric-labels-allowlist=nodes=[*] and send kube_node_labels.',
  price: 'no price list has the instance type in its region. Register its price at /marketplace/providers.',
}

interface NodeLoad {
  readonly cores: number
  readonly gib: number
}

/**
 * Cores, GiB and GPUs that count on each node of a cluster, hour by hour. They are not amounts of money, because prices
 * change and past usage does not. A node's hours are in columns without gaps from the first to the last in which it was
 * seen.
 */
export class NodeLoads {
  readonly #nodes = new Map<string, HourColumns>()

  /** Returns the columns of a node, and creates them from this hour on if there are none. */
  from(node: string, hour: number): HourColumns {
    const known = this.#nodes.get(node)
    if (known !== undefined) return known
    const columns = new HourColumns(hour)
    this.#nodes.set(node, columns)
    return columns
  }

  columnsOf(node: string): HourColumns | undefined {
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

  /** Capacity in node hours, 20 bytes each, or 28 with GPUs. */
  get nodeHours(): number {
    let sum = 0
    for (const { cores } of this.#nodes.values()) sum += cores.length
    return sum
  }

  /** Returns a copy in which these hours are cleared and must be added again. */
  without(from: number, to: number): NodeLoads {
    const rest = new NodeLoads()
    for (const [node, columns] of this.#nodes) rest.#nodes.set(node, columns.without(from, to))
    return rest
  }

  addAll(other: NodeLoads): void {
    for (const [node, columns] of other.#nodes) this.from(node, columns.first).addAll(columns)
  }
}

/**
 * The share of the spend on a node in an hour that counts, so that the total stays within the price of the time in which
 * the node was there; 1 if it fits.
 */
export function shareWithinPrice(
  { corePerHourUsd, gibPerHourUsd, gpuPerHourUsd = 0, perHourUsd }: NodePrice,
  loads: HourColumns,
  index: number,
): number {
  if (perHourUsd === null) return 1
  const { cores, gib } = loads
  const usd =
    cores[index]! * corePerHourUsd + gib[index]! * gibPerHourUsd + loads.gpusAt(index) * gpuPerHourUsd
  const presentUsd = perHourUsd * loads.presenceAt(index)
  return usd <= presentUsd ? 1 : presentUsd / usd
}

/**
 * Returns the load of a node after a change, if it costs more than the node in any of the hours; undefined if it fits.
 */
export function overfullLoad(
  price: NodePrice,
  { from, to }: HourRange,
  load: HourColumns | undefined,
  change: HourColumns | undefined,
): HourColumns | undefined {
  const start = load ?? change
  if (price.perHourUsd === null || start === undefined) return undefined
  const sum = new HourColumns(start.first)
  if (load !== undefined) sum.addAll(load)
  if (change !== undefined) sum.addAll(change)
  const { first, end } = sum
  for (let hour = Math.max(from, first); hour < Math.min(to, end); hour++)
    if (shareWithinPrice(price, sum, hour - first) < 1) return sum
  return undefined
}

const noLoad: NodeLoad = { cores: 0, gib: 0 }
