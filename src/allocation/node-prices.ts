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
export type MissingFact = 'instance type' | 'price'

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
