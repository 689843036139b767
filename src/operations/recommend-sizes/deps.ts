import type { NodePrices } from '../../allocation/nodes.ts'
import type { NodeLoadCache } from '../../cluster-usage/node-load-cache.ts'
import type { Clock } from '../../domain/time.ts'
import type { SizeAdvisor } from '../../rightsizing/advisor.ts'
import type { SizingRule } from '../../rightsizing/constraints/sizing-rules.ts'
import type { SizingPreference } from '../../rightsizing/workload.ts'
import type { UsageStore } from '../../usage/port.ts'
import type { KeptSizes } from './kept-sizes.ts'

/** What sizing needs. */
export interface SizesDeps {
  readonly store: { readonly usage: Pick<UsageStore, 'digests' | 'entities' | 'firstKey'> }
  readonly now: Clock
  readonly loads: NodeLoadCache
  /** Answers that were worked out lately; absent: none is kept. */
  readonly kept?: KeptSizes
  /** How many pods of a namespace are held at once; unless given, as many as fit in some megabytes. */
  readonly mostPods?: number
  /** Prices of an organisation's nodes, in one cluster or in all. */
  nodePrices(organisation: string, cluster: string | undefined): Promise<NodePrices>
  /** The caller's preference; undefined for that of the organisation. */
  advisor(organisation: string, preference: SizingPreference | undefined): Promise<SizeAdvisor>
  /** Rules of the organisation, in order. */
  rules(organisation: string): Promise<readonly SizingRule[]>
}
