import { baseRates } from '../domain/money.ts'

/** What a node costs. */
export interface NodePrice {
  readonly corePerHourUsd: number
  readonly gibPerHourUsd: number
  /** The whole node; null where its size is not known, and then nothing limits what is spent on it. */
  readonly perHourUsd: number | null
  readonly source?: NodePriceSource
  /** The day of a price of a list, YYYY-MM-DD. */
  readonly day?: string
  /** What would have to be known for a better price than base rates. */
  readonly missing?: MissingFact
}

/** A provider's list, the caller's own prices, OpenCost's metrics, or base rates, which are an estimate. */
export const nodePriceSources = ['list', 'own', 'metric', 'base'] as const
export type NodePriceSource = (typeof nodePriceSources)[number]

/** The node's instance type, or a price of that type. */
type MissingFact = 'instance type' | 'price'

export const isEstimate = ({ source }: NodePrice): boolean => source === 'base'

export interface NodePrices {
  of(cluster: string, node: string): NodePrice
}

/** Used for pods whose node is unknown. */
const unknownNodePrice: NodePrice = { ...baseRates, perHourUsd: null, source: 'base' }

export const nodePriceOf = (prices: NodePrices, cluster: string, node: string | undefined): NodePrice =>
  node === undefined ? unknownNodePrice : prices.of(cluster, node)

/** The same node is asked for in every hour of every pod. */
export function memoizeNodePrices(prices: NodePrices): NodePrices {
  const clusters = new Map<string, Map<string, NodePrice>>()
  return {
    of: (cluster, node) => {
      let nodes = clusters.get(cluster)
      if (nodes === undefined) {
        nodes = new Map()
        clusters.set(cluster, nodes)
      }
      let price = nodes.get(node)
      if (price === undefined) {
        price = prices.of(cluster, node)
        nodes.set(node, price)
      }
      return price
    },
  }
}

/** Where the prices of some nodes come from. */
export interface PriceSummary {
  readonly sources: readonly PriceOrigin[]
  /** What to do for better prices, in plain words; empty where all are known. */
  readonly notes: readonly string[]
}

interface PriceOrigin {
  readonly source: NodePriceSource
  /** The day of a listed price, YYYY-MM-DD. */
  readonly day: string | undefined
  readonly nodes: number
}

export function summarisePrices(prices: NodePrices, cluster: string, nodes: Iterable<string>): PriceSummary {
  const counts = new Map<string, { source: NodePriceSource; day: string | undefined; nodes: number }>()
  const missing = new Map<MissingFact, number>()
  for (const node of nodes) {
    const price = prices.of(cluster, node)
    if (price.source === undefined) continue
    const key = `${price.source} ${price.day ?? ''}`
    const { source, day } = price
    counts.getOrInsertComputed(key, () => ({ source, day, nodes: 0 })).nodes++
    if (price.missing !== undefined) missing.set(price.missing, (missing.get(price.missing) ?? 0) + 1)
  }
  const sources = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, origin]) => origin)
  return { sources, notes: [...missing].map(([fact, count]) => noteOn(fact, count)) }
}

export const noteOn = (fact: MissingFact, nodes: number): string =>
  `${nodes === 1 ? 'One node is' : `${nodes} nodes are`} priced by base rates, an estimate: ${remedies[fact]}`

const remedies: Readonly<Record<MissingFact, string>> = {
  'instance type':
    'the instance type is not known. Start kube-state-metrics with --metric-labels-allowlist=nodes=[*] and send kube_node_labels.',
  price: 'no price list has the instance type in its region. Register its price at /marketplace/providers.',
}
