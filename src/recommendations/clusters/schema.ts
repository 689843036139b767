import Type, { type Static } from 'typebox'
import { nodePriceSourceText } from '../../costs/allocation/nodes.ts'
import { boolean, integer, nullable, number, optional, string, type View } from '../../domain/schema.ts'
import { CommittedSaving } from '../../pricing/commitments/schema.ts'
import { maxUnplaced } from './cluster-plan.ts'
import { clusterEfforts, defaultClusterDays, defaultClusterRules, maxClusterDays } from './cluster-rules.ts'

const time = (description: string) => optional(string(description, { maxLength: 64 }))

const rules = {
  headroom: number('Share of the allocatable cores and memory that stays free', {
    minimum: 0,
    maximum: 0.9,
    default: defaultClusterRules.headroom,
  }),
  min_nodes: integer('Minimum nodes of a pool; the current number if that is smaller', {
    minimum: 1,
    maximum: 1000,
    default: defaultClusterRules.minNodes,
  }),
  max_pools: integer('Maximum types of nodes among which pods can move', {
    minimum: 1,
    maximum: 3,
    default: defaultClusterRules.maxPools,
  }),
  min_gain: number('Share by which other types must cost less than the present ones; they stay otherwise', {
    minimum: 0,
    maximum: 1,
    default: defaultClusterRules.minGain,
  }),
  spot: number(
    'Share of the pods of each workload that tolerates it which options with spot nodes place there; 0: no such options. Deployments with more than one replica are assumed to tolerate it',
    { minimum: 0, maximum: 1, default: defaultClusterRules.spotShare },
  ),
  elsewhere: boolean('Whether other regions and providers are options', { default: true }),
}
const optionalRules = {
  arm64: optional(
    string(
      'Namespaces, or workloads as namespace/Kind/name, whose images exist for arm64, separated by commas; or all',
      { maxLength: 10_000 },
    ),
  ),
  pods_per_node: optional(
    integer(
      'Maximum pods on a node; default: as the nodes report it, otherwise as the Kubernetes service of the provider sets it for the type',
      { minimum: 1, maximum: 1000 },
    ),
  ),
}

/** How nodes are planned, in every request about them. */
export type RulesView = Static<typeof RulesView>
export const RulesView = Type.Object({ ...Type.Partial(Type.Object(rules)).properties, ...optionalRules })

export const ClustersQueryView = Type.Object({
  cluster: optional(string('Only this cluster', { maxLength: 1024 })),
  start_date: time(
    `RFC 3339; default: ${defaultClusterDays} days before end_date; at most ${maxClusterDays}`,
  ),
  end_date: time('RFC 3339; default: now. Pods and nodes are those at this time'),
  ...rules,
  ...optionalRules,
})

export type ClusterPlanRequest = Static<typeof ClusterPlanRequest>
export const ClusterPlanRequest = Type.Object({
  cluster: optional(string('A name for the answer', { maxLength: 1024 })),
  objects: optional(
    Type.Array(Type.Unknown(), {
      maxItems: 100_000,
      description:
        'Kubernetes objects or lists of them, such as the output of kubectl get pods,nodes,pv,pdb -A -o json. Only what a scheduler reads is used, and nothing is stored',
    }),
  ),
  pods: optional(
    Type.Array(
      Type.Object({
        name: Type.String({ minLength: 1, maxLength: 253 }),
        cpu_cores: Type.Number({ minimum: 0, maximum: 10_000 }),
        memory_gib: Type.Number({ minimum: 0, maximum: 100_000 }),
        count: optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
      }),
      { maxItems: 10_000, description: 'Pods with the same requests' },
    ),
  ),
  provider: optional(Type.String({ maxLength: 64 })),
  region: optional(Type.String({ maxLength: 64 })),
  instance_type: optional(
    string('A type like which the nodes are, if there are none among the objects', { maxLength: 128 }),
  ),
  usage_type: optional(Type.String({ maxLength: 32 })),
  nodes: optional(
    integer('Number of nodes of instance_type now; default: as many as the sums of the pods need', {
      minimum: 1,
      maximum: 5000,
    }),
  ),
  ...RulesView.properties,
})

const usd = (description: string) => number(`${description}, in US dollars`)
const usdOrNull = (description: string) =>
  nullable(Type.Number(), `${description}, in US dollars; null if not known`)
const fill = { cpu: Type.Number(), memory: Type.Number() }

export type NodePoolView = View<typeof NodePoolView>
export const NodePoolView = Type.Object({
  provider: nullable(Type.String()),
  region: nullable(Type.String()),
  instance_type: nullable(Type.String()),
  usage_type: nullable(Type.String()),
  count: integer('Nodes at the end of the period; of an option, the most that it needs'),
  mean_count: optional(
    number('Mean number of nodes, if an autoscaler adds and removes them; the cost follows it'),
  ),
  count_by_hour_of_week: optional(
    Type.Array(nullable(Type.Number()), {
      description:
        'Mean number of nodes in each of the 168 hours of the week from Monday 00:00 UTC, if an autoscaler adds and removes them; null if the hour was not measured',
    }),
  ),
  zones: optional(
    Type.Record(Type.String(), Type.Integer(), {
      description: 'Number of nodes in each zone, if pods are bound to zones or spread over them',
    }),
  ),
  cpu_cores: number('Cores of each node'),
  memory_gib: number('Memory of each node'),
  shared_vcpus: optional(boolean('true if the vCPUs of a planned node are shared with other customers')),
  cost_per_hour: usdOrNull('Cost of one node'),
  cost_per_month: usdOrNull('Cost of all nodes together for 730 hours'),
  price_source: string(nodePriceSourceText),
  price_rules: optional(
    Type.Array(Type.String(), { description: 'Names of the price rules that apply, in order' }),
  ),
  price_date: nullable(Type.String()),
})

const committed = (description: string) => optional({ ...CommittedSaving, description })

export type ClusterOptionView = View<typeof ClusterOptionView>
export const ClusterOptionView = Type.Object({
  id: string('Names the option among those of its cluster, for `option` in exports'),
  effort: Type.Enum([...clusterEfforts], {
    description:
      'fewer: the same types, fewer nodes; resize: other types in the same region; region: in another region of the provider on the same continent; provider: with another provider there',
  }),
  spot_share: number(
    'Share of the pods of each workload that tolerates it on spot nodes; 0: all nodes are paid as now',
  ),
  why: Type.String(),
  pools: Type.Array(NodePoolView),
  requested: Type.Object(fill, {
    description: 'Share of the cores and of the memory that pods request with the recommended sizes',
  }),
  cost_per_month: usd('Cost of all pools together'),
  savings: Type.Object({
    amount_per_month: usd('Compared with the current nodes'),
    percentage: Type.Number(),
  }),
  needs_sizes: boolean('Whether the pods fit only after they have the recommended sizes'),
  steps: Type.Array(Type.String(), { description: 'What to do, in order' }),
  commands: Type.Array(Type.String(), {
    description: 'What to run to move pods off the nodes that go; none for another cluster',
  }),
  formats: Type.Array(Type.String(), {
    description: 'Formats for `format` in which its pools can be written',
  }),
  commitments: committed('What the option saves if your commitments cover nodes'),
})

export type ClusterRecommendation = View<typeof ClusterRecommendation>
export const ClusterRecommendation = Type.Object({
  cluster: Type.String(),
  start_date: Type.String({ format: 'date-time' }),
  end_date: Type.String({ format: 'date-time' }),
  measured_hours: Type.Number(),
  nodes: Type.Array(
    Type.Object({
      ...NodePoolView.properties,
      requested: nullable(
        Type.Object(fill, { description: 'Share of the cores and of the memory that pods request now' }),
      ),
      used: nullable(Type.Object(fill, { description: 'Share that these pods used on average' })),
    }),
    { description: 'Nodes at the end of the period, by type' },
  ),
  pods: integer('Pods that run at the end of the period'),
  cost_per_month: Type.Object({
    now: usdOrNull('Cost of the current nodes'),
    with_sizes: usdOrNull(
      'Cost of the same nodes once pods have the recommended sizes: unchanged, because smaller requests save money only when nodes are removed',
    ),
    with_sizes_and_nodes: usdOrNull('Cost of the cheapest option in the same region, paid as now'),
    lower_bound: usdOrNull('No set of these types that fits the pods costs less'),
  }),
  commitments: committed('What giving up all nodes would save if your commitments cover some'),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  recommended: nullable(
    string('id of the cheapest option in the same region, paid as now, with which sums count'),
  ),
  options: Type.Array(ClusterOptionView, {
    description: 'By effort; each costs less than those that are easier and have no more spot nodes',
  }),
  pods_without_node: Type.Array(
    Type.Object({
      workload: string('namespace/Kind/name'),
      pods: Type.Integer(),
      cpu_cores: Type.Number(),
      memory_gib: Type.Number(),
      why: Type.String(),
    }),
    { description: `Pods that fit on no type; the ${maxUnplaced} largest` },
  ),
  reasons: Type.Array(Type.String(), { description: 'Why there are no options' }),
  notes: Type.Array(Type.String(), { description: 'What to know before acting' }),
})
