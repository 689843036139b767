import { Problem } from '../../domain/problem.ts'
import { subjectOfKey } from '../../domain/subject.ts'
import { type Clock, hourMs } from '../../domain/time.ts'
import { Yielder } from '../../runtime/yielder.ts'
import { nodeKey, readEntities } from '../../usage/digest/entities.ts'
import type { UsageStore } from '../../usage/port.ts'
import { PodReader } from '../../usage/reading/pod-reader.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import { CostGroups, TooManyCosts, WorkloadLabels } from '../allocation/cost-groups.ts'
import { labelOf } from '../allocation/grouping.ts'
import { memoizeNodePrices, type NodePrices } from '../allocation/nodes.ts'
import { type CostSharing, nothingShared, shareCosts, sharingKeys } from '../allocation/share-costs.ts'
import { measuredRange } from '../clusters/namespace-usage.ts'
import type { ClusterLoads, NodeLoadCache } from '../clusters/node-load-cache.ts'
import type { CostPart, CostPartQuery, CostsSink } from '../parts/cost-part.ts'
import type { CostsSelection } from './query.ts'

export interface SpendDeps {
  readonly store: { readonly usage: Pick<UsageStore, 'digests' | 'entities' | 'firstKey'> }
  readonly now: Clock
  readonly loads: NodeLoadCache
  /** Prices of an organisation's nodes in some hours, in one cluster or in all, as src/pricing/closed-prices.ts finds them. */
  nodePrices(organisation: string, cluster: string | undefined, hours: HourRange): Promise<NodePrices>
}

export interface CostsDeps extends SpendDeps {
  readonly labels: readonly string[]
  /** How the organisation shares costs; by default everything stays apart. */
  sharingOf?(organisation: string): Promise<CostSharing>
  readonly parts?: readonly CostPart[]
}

/**
 * Reports what ran in a window and what was idle, at the prices of the nodes, step by step. Usage is the spend of namespace
 * recommendations, grouped in other ways.
 */
export async function reportCosts(
  deps: CostsDeps,
  organisation: string,
  query: CostsSelection,
  signal?: AbortSignal,
  onContainer: () => void = () => undefined,
): Promise<CostGroups> {
  const { hours, cluster } = query
  const prices = memoizeNodePrices(await deps.nodePrices(organisation, cluster, hours))
  const labels = await readLabels(deps, organisation, query)
  const nodeTypes = await readNodeTypes(deps, organisation, query)
  const groups = new CostGroups(query, prices, labels, nodeTypes)
  if (hours.from >= hours.to) return groups
  if (query.isShared) {
    const { sharing } = query
    const keys = sharingKeys(query.keys)
    const fine = {
      ...query,
      keys,
      namespace: undefined,
      sharing: nothingShared,
      isShared: false,
      off: query.off,
    }
    const apart = await reportCosts(deps, organisation, fine, signal, onContainer)
    await refusingTooMany(async () => shareCosts(apart, sharing, query, groups))
    groups.takeMeasured(apart)
    return groups
  }
  await collectCosts(deps, organisation, query, groups, signal, onContainer)
  return groups
}

/** Reads everything that cost anything in a window: clusters, then the other parts of the bill. */
export async function collectCosts(
  deps: SpendDeps & Pick<CostsDeps, 'parts'>,
  organisation: string,
  query: CostPartQuery,
  sink: CostsSink,
  signal?: AbortSignal,
  onContainer: () => void = () => undefined,
): Promise<void> {
  const yielder = new Yielder(signal)
  await refusingTooMany(async () => {
    const { off = [] } = query
    if (!off.includes('containers'))
      await collectContainers(deps, organisation, query, sink, yielder, onContainer)
    for (const part of deps.parts ?? [])
      if (!off.includes(part.name)) await part.collect(organisation, query, sink, yielder)
  })
}

async function collectContainers(
  deps: SpendDeps,
  organisation: string,
  query: CostPartQuery,
  groups: CostsSink,
  yielder: Yielder,
  onContainer: () => void,
): Promise<void> {
  const { hours, cluster, namespace } = query
  const reader = new PodReader()
  let [at, loads]: [string | undefined, ClusterLoads | undefined] = [undefined, undefined]
  const stored = deps.store.usage.digests(organisation, {
    kind: 'container',
    ...(cluster === undefined ? {} : { cluster }),
    ...(namespace === undefined ? {} : { namespace }),
    fromHour: hours.from,
    toHour: hours.to,
    summariesBefore: hours.to,
  })
  for await (const found of stored) {
    const subject = subjectOfKey(found.key)
    if (subject.kind !== 'container') continue
    onContainer()
    if (loads === undefined || at !== subject.cluster) {
      at = subject.cluster
      loads = await deps.loads.loadsOf(organisation, at, withNextHour(hours, deps.now()))
      addCluster(groups, at, loads, query)
    }
    const { loads: nodes } = loads
    const read = reader.readWorkloadUse(subject, found, hours)
    if (read !== undefined) groups.add(subject, read.workload, read.use, nodes)
    if (yielder.isDue) await yielder.pause()
  }
}

/** The hour after a period in the past shows whether the cluster was measured up to its end. */
const withNextHour = ({ from, to }: HourRange, now: number): HourRange => ({
  from,
  to: (to + 1) * hourMs <= now ? to + 1 : to,
})

/** A namespace has no idle cost of its own, because that belongs to nodes. */
function addCluster(
  groups: CostsSink,
  cluster: string,
  loads: ClusterLoads,
  { hours, namespace }: Pick<CostsSelection, 'hours' | 'namespace'>,
): void {
  groups.addMeasured(cluster, measuredRange(loads, hours))
  if (namespace === undefined) groups.addIdle(cluster, loads.loads, loads.endAt)
}

async function readLabels({ store }: CostsDeps, organisation: string, { keys, cluster }: CostsSelection) {
  const label = labelOf(keys)
  if (label === undefined) return undefined
  const of = cluster === undefined ? {} : { cluster }
  const entities = await readEntities(store.usage, organisation, { kinds: ['workload', 'namespace'], ...of })
  return new WorkloadLabels(entities, label)
}

async function readNodeTypes({ store }: CostsDeps, organisation: string, { keys, cluster }: CostsSelection) {
  if (!keys.includes('node_type')) return undefined
  const of = cluster === undefined ? {} : { cluster }
  const nodes = await readEntities(store.usage, organisation, { kinds: ['node', 'machine'], ...of })
  return (nodeCluster: string, name: string): string => {
    const node = nodes.get(nodeKey(nodeCluster, name))
    return String(node?.attributes.get('instanceType')?.value ?? '')
  }
}

async function refusingTooMany(add: () => Promise<void>): Promise<void> {
  try {
    await add()
  } catch (error) {
    if (!(error instanceof TooManyCosts)) throw error
    const { groups, steps } = error
    throw new Problem(
      'invalid',
      `More than ${groups} groups of ${steps} steps each are too many for one request: choose a longer step, a shorter period, or one cluster or namespace.`,
      { errors: [{ pointer: '?step', message: 'is too short for so many groups' }] },
    )
  }
}
