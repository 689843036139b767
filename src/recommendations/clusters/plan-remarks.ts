import { noteOn } from '../../costs/allocation/nodes.ts'
import { minMeasuredHours } from '../../domain/recommendation.ts'
import { daySeconds, hourSeconds } from '../../domain/time.ts'
import type { ClusterNodes, CurrentNode } from './cluster-nodes.ts'
import { type ClusterOption, isSpot } from './cluster-plan.ts'
import type { ClusterRules } from './cluster-rules.ts'
import type { ClusterPods } from './packing/cluster-pods.ts'

/** Returns the reasons why nothing can be recommended for a cluster. */
export function missingFacts(
  { measuredHours, endAt }: ClusterPods,
  nodes: readonly CurrentNode[],
  unreported: number,
  untilHour: number,
): string[] {
  const unlisted = nodes.filter(({ type }) => type.offer === undefined)
  const withoutType = unreported + unlisted.filter(({ type }) => type.cost.missing === 'instance type').length
  const withoutPrice = unlisted.filter(({ type }) => type.cost.missing === 'price').length
  const byMetric = unlisted.filter(({ type }) => type.cost.source === 'metric').length
  return [
    ...(measuredHours < minMeasuredHours
      ? [
          `Too little data: the cluster was measured for ${Math.floor(measuredHours)} ${Math.floor(measuredHours) === 1 ? 'hour' : 'hours'}, and at least ${minMeasuredHours} are needed.`,
        ]
      : []),
    ...(untilHour * hourSeconds - endAt > maxSilentSeconds
      ? [`The cluster has not reported since ${new Date(endAt * 1000).toISOString()}.`]
      : []),
    ...(nodes.length + unreported === 0 ? ['No node of the cluster is known.'] : []),
    ...(withoutType > 0 ? [noteOn('instance type', withoutType)] : []),
    ...(withoutPrice > 0 ? [noteOn('price', withoutPrice)] : []),
    ...(byMetric > 0
      ? [
          `${byMetric === 1 ? 'The price of one node is' : `The prices of ${byMetric} nodes are`} known only from metrics, so there is no price list of other types to compare with.`,
        ]
      : []),
  ]
}

/** A cluster that has not reported for longer may be gone. */
const maxSilentSeconds = daySeconds

/** Returns notes to read before acting. */
export function planNotes(
  known: ClusterNodes,
  pods: ClusterPods,
  {
    hasOptions,
    wasLarger,
    isAutoscaled,
  }: Readonly<Record<'hasOptions' | 'wasLarger' | 'isAutoscaled', boolean>>,
): string[] {
  return [
    ...(isAutoscaled
      ? [
          'An autoscaler adds and removes nodes: costs are those of the node-hours of the period, now as measured, and of options as each hour of the week needs them. The numbers of nodes of an option are the most that it needs.',
        ]
      : []),
    ...(!isAutoscaled && [...known.values()].some((node) => pods.wasAddedOrRemoved(node))
      ? ['Nodes were added or removed in this period: their number may vary.']
      : []),
    ...(wasLarger
      ? [
          'The cluster had more nodes in its busiest hour. These nodes are for the pods at the end of the period: let an autoscaler add nodes, or end the period at a busy hour.',
        ]
      : []),
    ...(hasOptions && !pods.areRulesKnown
      ? [
          'Selectors, affinity, spread and volumes of pods are not known from metrics: pods stay on nodes with the same taints (kube_node_spec_taint), and those of StatefulSets in their zones. Check the rest, or post the output of kubectl to /v1/clusters/plan.',
        ]
      : []),
  ]
}

/** What options take for granted because nothing reports it. */
export function assumptionNotes(
  options: readonly ClusterOption[],
  { spotShare, arm64 }: ClusterRules,
): string[] {
  const isAnywhere = (...efforts: readonly string[]) => options.some(({ effort }) => efforts.includes(effort))
  const isAny = (accepts: (offer: ClusterOption['pools'][number]['offer']) => boolean) =>
    options.some(({ pools }) => pools.some(({ offer }) => accepts(offer)))
  return [
    ...(spotShare > 0
      ? [
          `Pods of Deployments with more than one replica are assumed to tolerate spot nodes: up to ${Math.round(100 * spotShare)}% of each. Pods that are bound to a zone or protected by a budget that allows no disruption do not count.`,
        ]
      : []),
    ...(isAny(isSpot)
      ? ['Spot prices are those of the price list, of the third cheapest zone: they can change at any time.']
      : []),
    ...(arm64.length > 0 && isAny(({ architecture }) => architecture === 'arm64')
      ? ['Images of the stated workloads and of all daemon sets are assumed to exist for arm64.']
      : []),
    ...(isAnywhere('region', 'provider')
      ? [
          'For another region or provider, transfer of data, its control plane, and the move of volumes are not in the cost.',
        ]
      : []),
  ]
}
