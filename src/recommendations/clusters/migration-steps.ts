import type { Offer } from '../../domain/offer.ts'
import type { CurrentNodeType } from './cluster-nodes.ts'
import { type ClusterOption, type ClusterPlan, isSpot, poolKey } from './cluster-plan.ts'
import type { ClusterPods } from './packing/cluster-pods.ts'

/** Returns what to do for an option, in order. */
export function migrationSteps(
  option: ClusterOption,
  { nodes, pods }: Pick<ClusterPlan, 'nodes' | 'pods'>,
): string[] {
  const { spotShare, pools, needsSizes } = option
  const { added, removed, scaled } = changesOf(option, nodes)
  const care = careSteps(pods)
  const prepare = needsSizes
    ? ['Apply the recommended sizes of containers, and wait until all pods run with them.']
    : []
  const spot =
    spotShare > 0 && pools.some(({ offer }) => isSpot(offer))
      ? [
          'Taint the spot nodes (exports do), so that only pods that may end at any time get the toleration and run there; leave a part of each workload on the others.',
        ]
      : []
  if (isElsewhere(option))
    return [
      ...prepare,
      `Create a cluster in ${pools[0]!.offer.region} with ${nodesText(added)}.`,
      ...spot,
      'Copy the data of volumes, deploy the workloads, and compare both clusters under load.',
      ...care,
      `Move traffic, then remove ${nodesText(removed)}.`,
    ]
  const upTo = scaled.length > 0 ? 'up to ' : ''
  return [
    ...prepare,
    ...(added.length > 0 ? [`Add ${upTo}${nodesText(added)}, and wait until they are ready.`] : []),
    ...spot,
    ...(scaled.length > 0
      ? [
          `Let the autoscaler keep ${list(scaled.map(({ offer, fewest, count }) => `${fewest} to ${count} x ${nameOf(offer)}`))}, and check that it removes what is not used.`,
        ]
      : []),
    ...(removed.length > 0 ? drainSteps(removed, care) : []),
  ]
}

/**
 * Returns the commands that move pods off the nodes that go, node by node. Of a type of which some nodes stay, the oldest
 * go. None for another cluster, or if a type is not known.
 */
export function migrationCommands(option: ClusterOption, { nodes }: Pick<ClusterPlan, 'nodes'>): string[] {
  const { removed } = changesOf(option, nodes)
  const names = [...new Set(removed.map(({ name }) => name))]
  if (isElsewhere(option) || !names.every((name) => /^[\w.-]+$/.test(name))) return []
  const all = [...nodes].map(([{ instanceType: name }, count]) => ({ name, count }))
  const countOf = (of: readonly NamedCount[], name: string) =>
    of.reduce((sum, each) => sum + (each.name === name ? each.count : 0), 0)
  const goesWhole = (name: string) =>
    countOf(removed, name) === countOf(all, name) &&
    !option.pools.some(({ offer }) => offer.instanceType === name)
  if (names.length === 0) return []
  const nodesOf = (name: string): string => {
    const all = `kubectl get nodes -l node.kubernetes.io/instance-type=${name}`
    return goesWhole(name)
      ? `$(${all} -o name)`
      : `$(${all} --sort-by=.metadata.creationTimestamp -o name | head -n ${countOf(removed, name)})`
  }
  return [
    ...names.map((name) => `kubectl cordon ${nodesOf(name)}`),
    ...names.flatMap((name) => [
      `for node in ${nodesOf(name)}; do`,
      '  kubectl drain $node --ignore-daemonsets --delete-emptydir-data || break',
      `  until kubectl wait pods --all -A --field-selector='${unfinished}' --for=condition=Ready --timeout=5m; do sleep 10; done`,
      '  kubectl delete $node  # then delete its machine: lower the size of its node group',
      'done',
    ]),
    'kubectl get pods -A --field-selector=status.phase=Pending',
  ]
}

const unfinished = 'status.phase!=Succeeded,status.phase!=Failed'

const isElsewhere = ({ effort }: ClusterOption): boolean => effort === 'region' || effort === 'provider'

interface NamedCount {
  readonly name: string
  readonly count: number
}

/** Nodes that are added, and those that go, the type that costs most per core first. */
function changesOf({ pools }: ClusterOption, nodes: ClusterPlan['nodes']) {
  const later = new Map(pools.map(({ offer, count }) => [poolKey(offer), count]))
  const now = new Map([...nodes].map(([{ offer }, count]) => [offer && poolKey(offer), count]))
  const scaled = pools.filter(({ mean }) => mean !== undefined)
  // An autoscaler itself adds and removes nodes of a type that stays.
  for (const { offer, count } of scaled) if (now.has(poolKey(offer))) now.set(poolKey(offer), count)
  const added = pools
    .map(({ offer, count }) => ({ name: nameOf(offer), count: count - (now.get(poolKey(offer)) ?? 0) }))
    .filter(({ count }) => count > 0)
  const removed = [...nodes]
    .map(([type, count]) => ({
      type,
      name: type.instanceType,
      count: count - ((type.offer && later.get(poolKey(type.offer))) ?? 0),
    }))
    .filter(({ type, count }) => count > 0 && !scaled.some(({ offer }) => offer === type.offer))
    .sort((a, b) => usdPerCore(b.type) - usdPerCore(a.type))
  return { added, removed, scaled }
}

function careSteps(pods: ClusterPods): string[] {
  const { protectedPods, singlePods } = pods.hardToMove()
  return [
    ...(protectedPods.length > 0
      ? [
          `Agree a time with the owners of ${few(protectedPods)}: a disruption budget lets none of these pods end, so a drain waits for them.`,
        ]
      : []),
    ...(singlePods.length > 0
      ? [`Expect a short stop of ${few(singlePods)}: one pod each, which ends before its successor runs.`]
      : []),
  ]
}

const drainSteps = (removed: readonly NamedCount[], care: readonly string[]): string[] => [
  `Cordon all nodes that go, so that no pod moves twice: ${nodesText(removed)}.`,
  ...care,
  ...removed.map(
    (each, index) =>
      `Drain ${nodesText([each])} one after the other${index === 0 && removed.length > 1 ? ', the type that costs most per core first' : ''}: after each, wait until all pods are ready, and delete the node with its machine.`,
  ),
  'If pods stay pending, stop and uncordon a node: the plan then missed a rule.',
]

const nodesText = (all: readonly NamedCount[]): string =>
  list(all.map(({ count, name }) => `${count} x ${name}`))

const nameOf = (offer: Offer): string => `${offer.instanceType}${isSpot(offer) ? ' on spot' : ''}`

const usdPerCore = ({ perMonthUsd, cores }: CurrentNodeType): number => (perMonthUsd ?? 0) / (cores || 1)

const list = (names: readonly string[]): string => new Intl.ListFormat('en').format(names)

const maxNamed = 5

const few = (names: readonly string[]): string =>
  list([
    ...names.slice(0, maxNamed),
    ...(names.length > maxNamed ? [`${names.length - maxNamed} more workloads`] : []),
  ])
