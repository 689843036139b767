import { anyPod } from '../../domain/node-placement.ts'
import { orProblem } from '../../domain/not-found.ts'
import { Problem } from '../../domain/problem.ts'
import { plural } from '../../domain/text.ts'
import { hourMs, hourSeconds } from '../../domain/time.ts'
import { findCurrent } from '../../pricing/find-current.ts'
import { type Market, marketOf, type PricingDeps } from '../../pricing/market.ts'
import { Yielder } from '../../runtime/yielder.ts'
import { type Entity, newEntity, setAttribute } from '../../usage/digest/entities.ts'
import { type ClusterNodes, type CurrentNode, PricedNodeTypes } from './cluster-nodes.ts'
import type { ClusterPlan } from './cluster-plan.ts'
import { defaultClusterRules } from './cluster-rules.ts'
import { addResources, ClusterPods, noResources } from './packing/cluster-pods.ts'
import { isDaemon } from './packing/workload-pods.ts'
import { planCluster } from './plan-cluster.ts'
import { rulesOf } from './query.ts'
import {
  type ListedCluster,
  type ListedNode,
  readClusterObjects,
  type ScheduledPods,
} from './read-objects.ts'
import type { ClusterPlanRequest, ClusterRecommendation } from './schema.ts'
import { viewCluster } from './view-cluster.ts'

const maxPods = 200_000

/** Plans the nodes of a cluster from its pods alone, without any history. Nothing of the request is stored. */
export async function planObjects(
  pricing: PricingDeps,
  organisation: string,
  request: ClusterPlanRequest,
  now: number,
  signal: AbortSignal,
): Promise<{ readonly view: ClusterRecommendation; readonly plan: ClusterPlan }> {
  const listed = withOwnPods(readClusterObjects(request.objects ?? []), request)
  const count = listed.pods.reduce(
    (sum, { counts }) => sum + [...counts.values()].reduce((a, b) => a + b, 0),
    0,
  )
  if (count === 0 || count > maxPods)
    throw new Problem(
      'invalid',
      count === 0
        ? 'There are no pods in the request.'
        : `There are more than ${maxPods} pods in the request.`,
    )
  const market = await marketOf(pricing, organisation)
  const untilHour = Math.floor(now / hourMs) + 1
  const types = new PricedNodeTypes(pricing, market)
  const nodes =
    listed.nodes.length > 0 ? listed.nodes : likeNodes(listed, request, types, { ...pricing, market })
  const known: Map<string, CurrentNode> = new Map(
    nodes.map((node) => {
      const known = types.nodeOf(entityOf(node, untilHour - 1), node.placement)
      return [node.name, { ...known, firstHour: untilHour - measuredHours }]
    }),
  )
  const pods = podsOf(listed, known, request.cluster ?? 'plan', untilHour)
  const hours = { from: untilHour - measuredHours, to: untilHour }
  const plan = await planCluster(
    { ...pricing, market },
    known,
    pods,
    { ...rulesOf(request), fromHour: hours.from, untilHour: hours.to },
    new Yielder(signal),
  )
  const view = viewCluster(pricing, market, hours, plan)
  const notes = [...notesOn(listed, request), ...view.notes]
  return { view: { ...view, measured_hours: 0, confidence: 1, notes }, plan }
}

/** Requests are taken as they are, so no history is needed. */
const measuredHours = 24

function notesOn(
  { pods, nodes, withAffinity }: ListedCluster,
  { instance_type }: ClusterPlanRequest,
): string[] {
  const daemons = pods.filter(({ name, counts }) => isDaemon(workloadOf(name)) && counts.has(''))
  return [
    ...(daemons.length > 0
      ? [`A pod of each of these counts on every node: ${daemons.map(({ name }) => name).join(', ')}.`]
      : []),
    ...(nodes.length === 0
      ? [
          `No nodes are in the request: it is compared with as many ${instance_type} as the pods request in sum.`,
        ]
      : []),
    'Pods count with the requests that they have, and stay on nodes with the same taints and the same labels by which pods select.',
    ...(withAffinity > 0
      ? [
          `Not checked: ${plural(withAffinity, 'pod')} must run on the same host as other pods (required pod affinity by kubernetes.io/hostname). Check that they still fit together on one of the planned nodes.`,
        ]
      : []),
  ]
}

/** Adds pods that are stated by hand. Equal names are workloads of their own, and get a number. */
function withOwnPods(listed: ListedCluster, { pods = [] }: ClusterPlanRequest): ListedCluster {
  const taken = new Map(listed.pods.map(({ name }) => [name, 1]))
  const uniqueName = (name: string): string => {
    const count = (taken.get(name) ?? 0) + 1
    taken.set(name, count)
    return count === 1 ? name : uniqueName(`${name}-${count}`)
  }
  const own = pods.map(
    ({ name, cpu_cores, memory_gib, count }): ScheduledPods => ({
      name: uniqueName(`default/Deployment/${name}`),
      size: { cores: cpu_cores, gib: memory_gib },
      counts: new Map([['', count ?? 1]]),
      isProtected: false,
      rules: {},
    }),
  )
  return { ...listed, pods: [...listed.pods, ...own] }
}

/** Without nodes, as many of the stated type as the requests in sum leave four fifths full. */
function likeNodes(
  { pods }: ListedCluster,
  request: ClusterPlanRequest,
  types: PricedNodeTypes,
  { market, ...pricing }: PricingDeps & { readonly market: Market },
): ListedNode[] {
  const { provider, region, instance_type: instanceType } = request
  if (provider === undefined || region === undefined || instanceType === undefined)
    throw new Problem(
      'invalid',
      'Without nodes among the objects, provider, region and instance_type must say like which nodes the new ones are.',
    )
  const usageType = request.usage_type ?? ''
  orProblem(
    findCurrent(pricing, market, {
      provider,
      region,
      instance_type: instanceType,
      usage_type: usageType || 'ONDEMAND',
      operating_system: 'Linux',
      availability_zone: '',
      service: '',
    }),
  )
  const node = {
    name: 'node-0',
    texts: { provider, region, instanceType, capacityType: usageType },
    numbers: {},
    placement: anyPod,
  }
  const { cores, gib } = types.typeOf(entityOf(node, 0))
  const need = noResources()
  for (const { size, counts, name } of pods)
    if (!isDaemon(workloadOf(name))) for (const count of counts.values()) addResources(need, size, count)
  const needed = Math.max(need.cores / (fullShare * cores || 1), need.gib / (fullShare * gib || 1))
  const count = request.nodes ?? Math.max(defaultClusterRules.minNodes, Math.ceil(needed))
  return Array.from({ length: Math.min(count, maxLikeNodes) }, (_, index) => ({
    ...node,
    name: `node-${index}`,
  }))
}

const fullShare = 0.8
const maxLikeNodes = 5000

/** "namespace/Kind/name" -> "Kind/name" */
const workloadOf = (name: string): string => name.slice(name.indexOf('/') + 1)

function entityOf({ name, texts, numbers }: ListedNode, hour: number): Entity {
  const entity = newEntity({ kind: 'node', cluster: 'plan', namespace: '', name }, hour)
  for (const [attribute, value] of [...Object.entries(texts), ...Object.entries(numbers)])
    if (value !== '') setAttribute(entity, attribute, value, hour * hourSeconds)
  return entity
}

function podsOf(listed: ListedCluster, known: ClusterNodes, cluster: string, untilHour: number): ClusterPods {
  // Without nodes in the list, all pods are on those that they are compared with.
  const [first] = listed.nodes.length === 0 ? known.values() : []
  const pods = new ClusterPods(cluster, (node = '') => (known.get(node) ?? first)?.type.key ?? '')
  pods.measuredHours = measuredHours
  pods.areRulesKnown = true
  pods.firstHour = untilHour - measuredHours
  pods.endAt = untilHour * hourSeconds - 1
  for (const { name, size, isProtected, counts, rules } of listed.pods) {
    const byType = new Map<string, number>()
    // A DaemonSet whose pods are not listed.
    const isOnEach = isDaemon(workloadOf(name)) && counts.has('')
    for (const [node, count] of isOnEach ? [...known.keys()].map((node) => [node, 1] as const) : counts) {
      const type = pods.typeOf(node)
      byType.set(type, (byType.get(type) ?? 0) + count)
      addResources(pods.requested.getOrInsertComputed(type, noResources), size, count)
      if (known.has(node)) pods.nodes.add(node)
    }
    pods.addWorkload({
      name,
      isDaemon: isDaemon(workloadOf(name)),
      recommended: size,
      current: size,
      counts: byType,
      confidence: 1,
      byHour: undefined,
      rules,
      isProtected,
    })
  }
  return pods
}
