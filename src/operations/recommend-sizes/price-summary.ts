import type { MissingFact, NodePriceSource, NodePrices } from '../../allocation/node-prices.ts'

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
