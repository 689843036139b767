import type { Offer } from '../../domain/offer.ts'
import type { Market } from '../../market/deps.ts'
import type { NodePool, NodeType } from '../../node-pools/node-type.ts'
import type { CurrentNode, CurrentNodeType } from './cluster-nodes.ts'
import { nodeCandidates } from './node-candidates.ts'

/** What a caller asks of every pool. */
export interface ClusterRules {
  readonly headroom: number
  readonly leastNodes: number
  /** Undefined: as nodes report it, else 110, the default of Kubernetes. */
  readonly podsPerNode: number | undefined
}

const defaultPodLimit = 110

/** Nodes with their offer; the pool's type has its size as it counts for pods. */
export interface OfferedPool extends NodePool {
  readonly offer: Offer
}

/** Pools of the same types as now, by type. */
export function poolsOf(nodes: readonly CurrentNode[], asked?: ClusterRules): OfferedPool[] {
  const byType = Map.groupBy(nodes, ({ type }) => type)
  return [...byType].map(([of, members]) => ({
    type: {
      name: of.instanceType,
      ...{ cores: of.cores, gib: of.gib, perMonthUsd: of.perMonthUsd! },
      podLimit: asked?.podsPerNode ?? of.podLimit ?? defaultPodLimit,
    },
    count: members.length,
    offer: of.offer!,
  }))
}

/** A provider lists more memory than a node reports: the kernel keeps some. Other types are taken to have as large a part. */
export function candidatePools(
  market: Market,
  nodes: readonly CurrentNode[],
  now: readonly OfferedPool[],
  { podsPerNode }: ClusterRules,
): OfferedPool[] {
  if (now[0]!.offer.usageType === 'SPOT_PREEMPTIBLE') return []
  const types = [...new Set(nodes.map(({ type }) => type))]
  const share = Math.min(1, ...types.map(reportedShare))
  const limits = types.flatMap(({ podLimit }) => podLimit ?? [])
  const podLimit = podsPerNode ?? Math.min(defaultPodLimit, ...limits)
  return nodeCandidates(
    market,
    now.map(({ offer }) => offer),
  ).map(({ offer, cores, gib, perMonthUsd }) => {
    const type: NodeType = { name: offer.instanceType, cores, gib: gib * share, perMonthUsd, podLimit }
    return { type, count: 0, offer }
  })
}

const leastShare = 0.8
const reportedShare = ({ gib, offer }: CurrentNodeType): number =>
  offer?.ramGib ? Math.max(leastShare, gib / offer.ramGib) : 1
