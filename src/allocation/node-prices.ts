import { baseRates } from '../domain/money.ts'

/** What a node costs. */
export interface NodePrice {
  readonly corePerHourUsd: number
  readonly gibPerHourUsd: number
  /** The whole node; null where its size is not known, and then nothing limits what is spent on it. */
  readonly perHourUsd: number | null
  /** Base rates, because nothing better is known of the node. */
  readonly isEstimate?: boolean
}

export interface NodePrices {
  of(cluster: string, node: string): NodePrice
}

/** Of pods whose node nobody named. */
const unknownNodePrice: NodePrice = { ...baseRates, perHourUsd: null, isEstimate: true }

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
