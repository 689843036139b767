import type { Offer } from '../../domain/offer.ts'
import type { Market } from '../../market/deps.ts'
import { cheapestPool, podsWithoutNode } from '../../node-pools/cheapest-pool.ts'
import type { ClusterPods, ResourceSum } from '../../node-pools/cluster-pods.ts'
import { fewerNodes, holdsPods } from '../../node-pools/fewer-nodes.ts'
import { lowerBoundUsd } from '../../node-pools/lower-bound.ts'
import { type NodePool, type PoolRules, poolsPerMonthUsd } from '../../node-pools/node-type.ts'
import { type PodGroup, sumOfPods } from '../../node-pools/pods.ts'
import type { Yielder } from '../../runtime/yielder.ts'
import type { CurrentNode } from './cluster-nodes.ts'
import { type ClusterRules, candidatePools, type OfferedPool, poolsOf } from './offered-pools.ts'

/** What could become of the nodes of a cluster that can take each other's pods. */
export interface GroupPlan {
  readonly now: readonly OfferedPool[]
  readonly fewer: readonly OfferedPool[]
  /** The cheapest of one type, if that costs less than fewer nodes do. */
  readonly resize: readonly OfferedPool[]
  readonly lowerBoundUsd: number
  readonly unplaced: readonly PodGroup[]
  readonly notes: readonly string[]
  /** Pods do not go there. */
  readonly isControlPlane: boolean
  /** Whether pools of the plan hold the pods with their present requests. */
  holdsNow(pools: readonly NodePool[]): Promise<boolean>
  /** What all pods on these pools ask for with the recommended sizes, those that run on every node included. */
  requestedOn(pools: readonly NodePool[]): ResourceSum
}

interface NodeGroup {
  /** All have an offer. */
  readonly nodes: readonly CurrentNode[]
  /** The types of nodes whose pods these nodes hold. */
  readonly types: ReadonlySet<string>
  readonly pods: ClusterPods
}

export async function planGroup(
  market: Market,
  { nodes, types, pods }: NodeGroup,
  asked: ClusterRules,
  yielder: Yielder,
): Promise<GroupPlan> {
  const now = poolsOf(nodes, asked)
  const { groups, everywhere } = pods.on(types, nodes.length, 'recommended')
  const rules = { everywhere, headroom: asked.headroom, leastNodes: Math.min(asked.leastNodes, nodes.length) }
  const present = pods.on(types, nodes.length, 'now')
  const holdsNow = (pools: readonly NodePool[]) =>
    finishWork(holdsPods(present.groups, pools, { ...rules, everywhere: present.everywhere }), yielder)
  const requestedOn = (pools: readonly NodePool[]): ResourceSum => {
    const { cores, gib } = sumOfPods(groups)
    const count = pools.reduce((sum, pool) => sum + pool.count, 0)
    return { cores: cores + count * everywhere.cores, gib: gib + count * everywhere.gib }
  }
  const same = { now, holdsNow, requestedOn, isControlPlane: false }
  const keptBecause = whyKept(now[0]!.offer)
  const nowUsd = poolsPerMonthUsd(now)
  if (keptBecause !== undefined)
    return { ...same, fewer: now, resize: now, lowerBoundUsd: nowUsd, unplaced: [], notes: [keptBecause] }
  const candidates = candidatePools(market, nodes, now, asked)
  const all = [...now, ...candidates].map(({ type }) => type)
  const unplaced = podsWithoutNode(groups, all, rules)
  const kept = await finishWork(fewerNodes(groups, now, rules), yielder)
  const fewer = kept ?? now
  const cheapest = unplaced.length > 0 ? undefined : await cheapestOf(groups, candidates, rules, yielder)
  const isCheaper = cheapest !== undefined && poolsPerMonthUsd([cheapest]) < poolsPerMonthUsd(fewer)
  return {
    ...same,
    fewer,
    resize: isCheaper ? [cheapest] : fewer,
    lowerBoundUsd: Math.min(nowUsd, lowerBoundUsd(groups, all, rules)),
    unplaced,
    notes: notesOn(now[0]!.offer, kept !== undefined || unplaced.length > 0),
  }
}

/** The control plane of a cluster that runs its own; providers that run it do not show it. */
export function keepControlPlane(nodes: readonly CurrentNode[]): GroupPlan {
  const now = poolsOf(nodes)
  return {
    ...{ now, fewer: now, resize: now, lowerBoundUsd: poolsPerMonthUsd(now), unplaced: [] },
    notes: ['Nodes of the control plane stay as they are.'],
    isControlPlane: true,
    holdsNow: async () => true,
    requestedOn: () => ({ cores: 0, gib: 0 }),
  }
}

async function cheapestOf(
  groups: readonly PodGroup[],
  candidates: readonly OfferedPool[],
  rules: PoolRules,
  yielder: Yielder,
): Promise<OfferedPool | undefined> {
  const types = candidates.map(({ type }) => type)
  const found = await finishWork(cheapestPool(groups, types, rules), yielder)
  if (found === undefined) return undefined
  const { offer } = candidates.find(({ type }) => type === found.type)!
  return { type: found.type, count: found.count, offer }
}

function whyKept({ gpuCount, usageType }: Offer): string | undefined {
  if (gpuCount > 0)
    return 'Nodes with accelerators stay as they are: what their pods need of them is not known.'
  return usageType === 'RESERVED'
    ? 'Reserved nodes stay as they are: leaving them saves nothing before their term ends.'
    : undefined
}

const notesOn = ({ usageType }: Offer, hasRoom: boolean): string[] => [
  ...(usageType === 'SPOT_PREEMPTIBLE'
    ? ['Spot nodes keep their types: the price of another one is that of a moment.']
    : []),
  ...(hasRoom
    ? []
    : [
        'The nodes now hold the recommended pods only with less free room than is asked for, so that none can go.',
      ]),
]

async function finishWork<Result>(work: Generator<undefined, Result>, yielder: Yielder): Promise<Result> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value as Result
    if (yielder.isDue) await yielder.pause()
  }
}
