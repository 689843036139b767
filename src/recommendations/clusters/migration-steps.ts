import type { Offer } from '../../domain/offer.ts'
import type { CurrentNodeType } from './cluster-nodes.ts'
import type { ClusterOption, ClusterPlan } from './cluster-plan.ts'

/** Returns what to do for an option, in order. */
export function migrationSteps(
  { effort, spotShare, pools, needsSizes }: ClusterOption,
  { nodes, pods }: Pick<ClusterPlan, 'nodes' | 'pods'>,
): string[] {
  const isElsewhere = effort === 'region' || effort === 'provider'
  const later = new Map(pools.map(({ offer, count }) => [keyOf(offer), count]))
  const now = new Map([...nodes].map(([{ offer }, count]) => [offer && keyOf(offer), count]))
  const scaled = pools.filter(({ mean }) => mean !== undefined)
  // An autoscaler itself adds and removes nodes of a type that stays.
  for (const { offer, count } of scaled) if (now.has(keyOf(offer))) now.set(keyOf(offer), count)
  const added = pools
    .map(({ offer, count }) => ({ offer, count: count - (now.get(keyOf(offer)) ?? 0) }))
    .filter(({ count }) => count > 0)
  const removed = [...nodes]
    .map(([type, count]) => ({ type, count: count - ((type.offer && later.get(keyOf(type.offer))) ?? 0) }))
    .filter(({ type, count }) => count > 0 && !scaled.some(({ offer }) => offer === type.offer))
    .sort((a, b) => usdPerCore(b.type) - usdPerCore(a.type))
  const nodesText = (all: readonly { readonly count: number; readonly name: string }[]) =>
    list(all.map(({ count, name }) => `${count} x ${name}`))
  const addedText = nodesText(added.map(({ offer, count }) => ({ count, name: nameOf(offer) })))
  const gone = removed.map(({ type, count }) => ({ count, name: type.instanceType }))
  const { protectedPods, singlePods } = pods.hardToMove()
  const care = [
    ...(protectedPods.length > 0
      ? [
          `Agree a time with the owners of ${few(protectedPods)}: a disruption budget lets none of these pods end, so a drain waits for them.`,
        ]
      : []),
    ...(singlePods.length > 0
      ? [`Expect a short stop of ${few(singlePods)}: one pod each, which ends before its successor runs.`]
      : []),
  ]
  const sizes = needsSizes
    ? ['Apply the recommended sizes of containers, and wait until all pods run with them.']
    : []
  const spot =
    spotShare > 0 && pools.some(({ offer }) => isSpot(offer))
      ? [
          'Taint the spot nodes, so that only pods that may end at any time get the toleration and run there; leave a part of each workload on the others.',
        ]
      : []
  if (isElsewhere)
    return [
      ...sizes,
      `Create a cluster in ${pools[0]!.offer.region} with ${addedText}.`,
      ...spot,
      'Copy the data of volumes, deploy the workloads, and compare both clusters under load.',
      ...care,
      `Move traffic, then remove ${nodesText(gone)}.`,
    ]
  return [
    ...sizes,
    ...(added.length > 0
      ? [`Add ${scaled.length > 0 ? 'up to ' : ''}${addedText}, and wait until they are ready.`]
      : []),
    ...spot,
    ...(scaled.length > 0
      ? [
          `Let the autoscaler keep ${list(scaled.map(({ offer, fewest, count }) => `${fewest} to ${count} x ${nameOf(offer)}`))}, and check that it removes what is not used.`,
        ]
      : []),
    ...(gone.length > 0
      ? [`Cordon all nodes that go, so that no pod moves twice: ${nodesText(gone)}.`, ...care]
      : []),
    ...gone.map(
      (each, index) =>
        `Drain ${nodesText([each])} one after the other${index === 0 && gone.length > 1 ? ', the type that costs most per core first' : ''}, and remove each once it is empty.`,
    ),
    ...(gone.length > 0
      ? ['If pods stay pending, stop and uncordon a node: the plan then missed a rule.']
      : []),
  ]
}

const isSpot = ({ usageType }: Offer): boolean => usageType === 'SPOT_PREEMPTIBLE'

const nameOf = (offer: Offer): string => `${offer.instanceType}${isSpot(offer) ? ' on spot' : ''}`

const keyOf = ({ provider, region, instanceType, usageType }: Offer): string =>
  JSON.stringify([provider, region, instanceType, usageType])

const usdPerCore = ({ perMonthUsd, cores }: CurrentNodeType): number => (perMonthUsd ?? 0) / (cores || 1)

const list = (names: readonly string[]): string => new Intl.ListFormat('en').format(names)

const maxNamed = 5

const few = (names: readonly string[]): string =>
  list([
    ...names.slice(0, maxNamed),
    ...(names.length > maxNamed ? [`${names.length - maxNamed} more workloads`] : []),
  ])
