import {
  CostGroups,
  type CostRow,
  type RowKey,
  TooManyCosts,
  WorkloadLabels,
} from '../../allocation/cost-groups.ts'
import { memoizeNodePrices } from '../../allocation/nodes.ts'
import { showsIdle } from '../../allocation/view-cost-row.ts'
import { measuredRange } from '../../cluster-usage/namespace-usage.ts'
import type { ClusterLoads } from '../../cluster-usage/node-load-cache.ts'
import { Problem } from '../../domain/problem.ts'
import { type NamespaceRef, subjectOfKey } from '../../domain/subject.ts'
import type { SizesDeps } from '../../namespace-sizes/size-namespaces.ts'
import { Yielder } from '../../runtime/yielder.ts'
import { readEntities } from '../../usage/digest/entities.ts'
import { PodReader } from '../../usage/reading/pod-reader.ts'
import type { CostsSelection } from './query.ts'

export interface CostsDeps extends Pick<SizesDeps, 'store' | 'loads' | 'nodePrices' | 'now'> {
  /** Labels that are stored for grouping. */
  readonly labels: readonly string[]
}

/**
 * Reports what ran in a window, at the prices of its nodes, step by step. This is the spend of namespace
 * recommendations, grouped in other ways. Rows are ordered by group, then by time, and come a namespace or a cluster at
 * a time.
 */
export async function* reportCosts(
  deps: CostsDeps,
  organisation: string,
  query: CostsSelection,
  signal?: AbortSignal,
  onContainer: () => void = () => undefined,
): AsyncGenerator<CostRow> {
  const { hours, cluster, namespace, groupBy, after } = query
  if (hours.from >= hours.to) return
  const prices = memoizeNodePrices(await deps.nodePrices(organisation, cluster))
  const labels =
    groupBy.kind === 'label'
      ? new WorkloadLabels(await readLabels(deps, organisation, cluster), groupBy.label)
      : undefined
  const reader = new PodReader()
  const yielder = new Yielder(signal)
  let at: NamespaceRef | undefined
  let loads: (ClusterLoads & Pick<NamespaceRef, 'cluster'>) | undefined
  let groups: CostGroups | undefined
  const stored = deps.store.usage.digests(organisation, {
    kind: 'container',
    ...(cluster === undefined ? {} : { cluster }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(after === undefined ? {} : { after: keyBefore(after, query) }),
    fromHour: hours.from,
    toHour: hours.to,
    summariesBefore: hours.to,
  })
  for await (const found of stored) {
    const subject = subjectOfKey(found.key)
    if (subject.kind !== 'container') continue
    onContainer()
    const of = writtenWith(subject, query)
    if (groups === undefined || at!.cluster !== of.cluster || at!.namespace !== of.namespace) {
      if (groups !== undefined) yield* finished(groups)
      groups = new CostGroups(of, query, prices, labels)
      at = of
    }
    if (loads?.cluster !== subject.cluster)
      loads = {
        ...(await deps.loads.loadsOf(organisation, subject.cluster, hours)),
        cluster: subject.cluster,
      }
    const read = reader.readWorkloadUse(subject, found, hours)
    if (read !== undefined) refusingTooMany(() => groups!.add(subject, read.workload, read.use, loads!.loads))
    if (yielder.isDue) await yielder.pause()
  }
  if (groups !== undefined) yield* finished(groups)

  function* finished(whole: CostGroups): Generator<CostRow> {
    if (showsIdle(groupBy, namespace)) {
      const measured = measuredRange(loads!, hours)
      refusingTooMany(() => whole.addIdle(at!.cluster, loads!.loads, measured, loads!.endAt))
    }
    yield* whole.rows(after)
  }
}

const readLabels = ({ store }: CostsDeps, organisation: string, cluster: string | undefined) =>
  readEntities(store.usage, organisation, {
    kinds: ['workload', 'namespace'],
    ...(cluster === undefined ? {} : { cluster }),
  })

function refusingTooMany(add: () => void): void {
  try {
    add()
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

/**
 * Rows are written when their part is complete: a namespace, a cluster, or everything. Returns the part of a container.
 */
function writtenWith({ cluster, namespace }: NamespaceRef, { groupBy }: CostsSelection): NamespaceRef {
  if (groupBy.kind === 'label') return { cluster: '', namespace: '' }
  if (groupBy.kind === 'cluster' || groupBy.kind === 'node') return { cluster, namespace: '' }
  return { cluster, namespace }
}

/** Returns a key that sorts before all keys of the group in which a page ended. Parts of keys are separated by NUL. */
function keyBefore({ cluster, namespace }: RowKey, { groupBy }: CostsSelection): string {
  if (groupBy.kind === 'label') return 'c\0'
  return groupBy.kind === 'cluster' || groupBy.kind === 'node'
    ? `c\0${cluster}\0`
    : `c\0${cluster}\0${namespace}\0`
}
