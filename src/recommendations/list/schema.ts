import Type from 'typebox'
import { nodePriceSourceText } from '../../costs/allocation/nodes.ts'
import { operatingSystems, usageTypes } from '../../domain/offer.ts'
import {
  defaultIdleDays,
  defaultRecommendationLimit,
  maxFacetValues,
  recommendationDays,
  recommendationFindings,
  recommendationGrades,
  recommendationKinds,
  recommendationStates,
} from '../../domain/recommendation.ts'
import { boolean, integer, nullable, number, optional, string, type View } from '../../domain/schema.ts'
import { ClusterRecommendation } from '../clusters/schema.ts'
import { ContainerRecommendation } from '../containers/schema.ts'
import { VmSummary } from '../machines/schema.ts'

const orNull = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  nullable(schema, description)
const usd = (description: string) => number(`${description}, in US dollars`)
const time = (description: string) => orNull(Type.String(), description)
const name = (description: string) => optional(string(description, { maxLength: 1024 }))
const several = (what: string, names: readonly string[], absent: string) =>
  optional(
    string(`${what}: some of ${names.join(', ')}, separated by commas, or all; default: ${absent}`, {
      maxLength: 200,
    }),
  )

export const RecommendationListQuery = Type.Object({
  kind: several('Kind', recommendationKinds, 'all'),
  state: several('State', recommendationStates, 'open'),
  risk: several('Risk', recommendationGrades, 'all'),
  finding: several('Finding', recommendationFindings, 'with and without'),
  cluster: name('Only this cluster'),
  namespace: name('Only this namespace'),
  min_worth: optional(number('Only recommendations that save at least this much per month')),
  min_confidence: optional(Type.Number({ minimum: 0, maximum: 1 })),
  q: optional(string('Only if the title or a name contains this, in any letter case', { maxLength: 200 })),
  idle_days: integer('Days without use after which something counts as idle', {
    minimum: 1,
    maximum: recommendationDays,
    default: defaultIdleDays,
  }),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: defaultRecommendationLimit }),
  cursor: optional(string('The next_cursor of the previous page', { maxLength: 8192 })),
})

export type SubjectSize = View<typeof SubjectSize>
export const SubjectSize = Type.Object({
  cpu_cores: orNull(Type.Number(), 'CPU request of a container, or vCPUs of a machine or of all nodes'),
  cpu_limit_cores: orNull(Type.Number(), 'CPU limit of a container'),
  memory_gib: orNull(Type.Number(), 'Memory request of a container, or memory of a machine or of all nodes'),
  memory_limit_gib: orNull(Type.Number(), 'Memory limit of a container'),
  provider: orNull(Type.String(), 'Provider of a machine'),
  region: orNull(Type.String(), 'Region of a machine'),
  instance_type: orNull(
    Type.String(),
    'Instance type of a machine, or of all nodes of a cluster, or type of the disk of a volume',
  ),
  nodes: optional(integer('Number of nodes; only for the kind cluster')),
})

export type Recommendation = View<typeof Recommendation>
export const Recommendation = Type.Object({
  id: string('Stays the same for the same container, workload, machine or cluster'),
  kind: Type.Enum([...recommendationKinds], {
    description:
      'container: other requests; machine: another instance type; idle: a workload or machine that does nothing; cluster: fewer or other nodes; volume: a persistent volume to remove, or another type of disk for it',
  }),
  title: Type.String(),
  cluster: orNull(Type.String(), 'null for machines, like the next three members'),
  namespace: orNull(Type.String(), 'Namespace'),
  workload: orNull(Type.String(), 'Kind/name'),
  container: orNull(Type.String(), 'Only for the kind container'),
  init: boolean('Whether it is an init container'),
  managed_by: optional(
    string(
      'Who sets the size of the container by a sizing rule. No patch contains it; absent if there is no such rule',
    ),
  ),
  machine: orNull(Type.String(), 'Name of a machine'),
  worth_per_month: usd(
    'Savings per month of 730 hours; negative if more is needed. For a container: the difference of CurrentSpend and NewSpend in its namespace recommendation; for a machine: the savings of rehost in its summary; for an idle workload or machine: its whole cost; for a cluster: the savings on its nodes; for an applied recommendation: the savings that are counted',
  ),
  cost_per_month: orNull(Type.Number(), 'Current cost per month, in US dollars'),
  risk: Type.Enum([...recommendationGrades], {
    description:
      'low: more is requested, or nothing observed would have been throttled or killed in a week or more; high: removal, a limit within 20% of the highest usage, less memory for a database or a single replica, or little history; medium: everything else',
  }),
  effort: Type.Enum([...recommendationGrades], {
    description:
      'low: other requests, or removal; medium: other requests of a StatefulSet or of a workload that no patch can change, or another machine or other nodes in the same region; high: a machine in another region or at another provider',
  }),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  replicas: orNull(Type.Number(), 'Running replicas'),
  current: SubjectSize,
  recommended: nullable(SubjectSize, 'null if it should be removed'),
  pools: optional(
    Type.Array(
      Type.Object({
        provider: Type.String(),
        region: Type.String(),
        instance_type: Type.String(),
        operating_system: Type.Enum([...operatingSystems]),
        usage_type: Type.Enum([...usageTypes]),
        count: Type.Integer(),
      }),
      { description: 'All nodes that a cluster should have; only for the kind cluster' },
    ),
  ),
  idle_days: orNull(Type.Number(), 'Whole days without use; only for removals'),
  findings: Type.Array(Type.Enum([...recommendationFindings]), {
    description:
      'crash-loop: restarts again and again without an OOM kill; oom-kills: OOM-killed in this period; throttled: throttled in more than 5% of CPU periods; leak: its memory grows every day; no-requests: requests no CPU or no memory; no-memory-limit: has no memory limit',
  }),
  reasons: Type.Array(Type.String()),
  price_sources: Type.Array(Type.String(), {
    description: nodePriceSourceText,
  }),
  price_date: orNull(Type.String(), 'Day of the oldest of these prices'),
  is_estimate: boolean('Whether part of it is priced at base rates'),
})

export type RecommendationView = View<typeof RecommendationView>
export const RecommendationView = Type.Object({
  ...Recommendation.properties,
  state: Type.Enum([...recommendationStates], {
    description: 'applied is detected from the current requests, instance type or nodes',
  }),
  state_reason: orNull(
    Type.String(),
    'Why it was accepted, dismissed or snoozed, or why such a decision has ended',
  ),
  state_until: time('End of a snooze, after which it is open again'),
  state_changed_at: time('When the state was set or detected'),
  state_changed_by: orNull(Type.String(), 'Name of the key that set the state; null if nobody did'),
  outdated_since: time(
    'If it was accepted, is not applied and is no longer recommended: since when. It then saves nothing, and its first reason says why',
  ),
  realised: Type.Union(
    [
      Type.Object({
        since: Type.String({ format: 'date-time' }),
        per_month: usd('Savings per month'),
        total: usd('Savings since then'),
      }),
      Type.Null(),
    ],
    { description: 'Savings of recommendations that were applied for it, now or before' },
  ),
  etag: string('Changes with each decision on it; for If-Match'),
})

export type FacetValue = View<typeof FacetValue>
export const FacetValue = Type.Object({
  value: Type.String(),
  count: Type.Integer(),
  worth_per_month: Type.Number(),
})
const Facet = Type.Array(FacetValue)

export type RecommendationTotals = View<typeof RecommendationTotals>
export const RecommendationTotals = Type.Object(
  {
    count: Type.Integer(),
    worth_per_month: usd('Sum of worth_per_month, without clusters'),
    estimated_per_month: usd('The part of worth_per_month that is priced at base rates'),
    nodes_per_month: usd(
      'Savings of clusters by other nodes; separate, because savings of containers are shares of the same nodes',
    ),
    savings: Type.Object(
      {
        total_per_month: usd('Sum of the five parts, in which no dollar counts twice'),
        nodes_per_month: usd('Part of clusters by other nodes'),
        containers_per_month: usd('Part of smaller containers'),
        machines_per_month: usd('Part of other machines'),
        idle_per_month: usd('Part of removals of workloads and machines'),
        volumes_per_month: usd('Part of volumes that nobody uses, or of other disks for them'),
        estimated_per_month: usd('Of the total, what is priced at base rates'),
        raises_per_month: usd('What containers cost in addition that need more; not subtracted'),
        raises_count: integer('Number of recommendations that cost more'),
      },
      {
        description:
          'Savings per month without recommendations that cost more. Of a cluster the larger sum counts: that of its nodes, which contains savings of containers, or that of containers and idle workloads',
      },
    ),
  },
  { description: 'Over all recommendations that match the filter, on all pages' },
)

export type RealisedTotals = View<typeof RealisedTotals>
export const RealisedTotals = Type.Object(
  {
    count: integer('Recommendations that were applied and are still in effect'),
    per_month: usd('Their savings per month, as recommended'),
    total: usd('Savings since they were applied, for at most a year each'),
    since: time('When the first was applied'),
  },
  { description: 'For the kinds, the cluster and the namespace of the filter, without the kind cluster' },
)

export type RecommendationPage = View<typeof RecommendationPage>
export const RecommendationPage = Type.Object({
  recommendations: Type.Array(RecommendationView),
  totals: RecommendationTotals,
  facets: Type.Object(
    { kind: Facet, state: Facet, risk: Facet, finding: Facet, cluster: Facet, namespace: Facet },
    {
      description: `Number of recommendations that are listed if the filter is set to this value; at most ${maxFacetValues} values each, the most frequent first`,
    },
  ),
  realised: RealisedTotals,
  left_out: Type.Object(
    { count: Type.Integer(), worth_per_month: Type.Number() },
    {
      description:
        'Recommendations with the smallest savings, beyond the 10,000 that are stored; not in totals',
    },
  ),
  computed_at: Type.String({ format: 'date-time' }),
  start_date: string(`Start of the period of usage, which has ${recommendationDays} days`, {
    format: 'date-time',
  }),
  end_date: Type.String({ format: 'date-time' }),
  next_cursor: orNull(Type.String(), 'null on the last page'),
})

export type ExplainedRecommendation = View<typeof ExplainedRecommendation>
export const ExplainedRecommendation = Type.Object({
  recommendation: RecommendationView,
  container: nullable(
    ContainerRecommendation,
    'As in namespace recommendations with explain; null for other kinds',
  ),
  machine: nullable(
    VmSummary,
    'As in machine summaries with include_rehost; null for containers and workloads',
  ),
  nodes: nullable(ClusterRecommendation, 'As in cluster recommendations; null for other kinds'),
  start_date: Type.String({ format: 'date-time' }),
  end_date: Type.String({ format: 'date-time' }),
})
