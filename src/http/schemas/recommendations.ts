import Type from 'typebox'
import {
  adviceFindings,
  adviceGrades,
  adviceKinds,
  adviceStates,
  mostFacetValues,
} from '../../domain/recommendation.ts'
import { adviceDays } from '../../operations/list-recommendations/collect-advice.ts'
import { defaultAdviceLimit, defaultIdleDays } from '../../operations/list-recommendations/query.ts'
import { ClusterView } from './clusters.ts'
import { VmSummaryView } from './machines.ts'
import { ContainerView } from './namespaces.ts'

const orNull = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description })
const usd = (description: string) => Type.Number({ description: `${description}, in US dollars` })
const time = (description: string) => orNull(Type.String(), description)
const name = (description: string) => Type.Optional(Type.String({ maxLength: 1024, description }))
const several = (what: string, names: readonly string[], absent: string) =>
  Type.Optional(
    Type.String({
      maxLength: 200,
      description: `${what}: some of ${names.join(', ')}, separated by commas, or all; default: ${absent}`,
    }),
  )

export const AdviceListQuery = Type.Object({
  kind: several('Kind', adviceKinds, 'all'),
  state: several('State', adviceStates, 'open'),
  risk: several('Risk', adviceGrades, 'all'),
  finding: several('Finding', adviceFindings, 'with and without'),
  cluster: name('Only this cluster'),
  namespace: name('Only this namespace'),
  min_worth: Type.Optional(Type.Number({ description: 'Only what saves at least this much per month' })),
  min_confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  q: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only if the title or a name contains this, in any case' }),
  ),
  idle_days: Type.Integer({
    minimum: 1,
    maximum: adviceDays,
    default: defaultIdleDays,
    description: 'Days without use after which something counts as idle',
  }),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: defaultAdviceLimit }),
  cursor: Type.Optional(Type.String({ maxLength: 8192, description: 'The next_cursor of the page before' })),
})

const AdvisedSizeView = Type.Object({
  cpu_cores: orNull(Type.Number(), 'CPU request of a container, or vCPUs of a machine or of all nodes'),
  cpu_limit_cores: orNull(Type.Number(), 'CPU limit of a container'),
  memory_gib: orNull(Type.Number(), 'Memory request of a container, or memory of a machine or of all nodes'),
  memory_limit_gib: orNull(Type.Number(), 'Memory limit of a container'),
  provider: orNull(Type.String(), 'Provider of a machine'),
  region: orNull(Type.String(), 'Region of a machine'),
  instance_type: orNull(Type.String(), 'Instance type of a machine, or of all nodes of a cluster'),
  nodes: Type.Optional(Type.Integer({ description: 'How many nodes; only of the kind cluster' })),
})

export const AdviceItemView = Type.Object({
  id: Type.String({ description: 'Stays the same for the same container, workload, machine or cluster' }),
  kind: Type.Enum([...adviceKinds], {
    description:
      'container: other requests; machine: another instance type; idle: a workload or machine that does nothing; cluster: fewer or other nodes',
  }),
  title: Type.String(),
  cluster: orNull(Type.String(), 'null for machines, as the three members below'),
  namespace: orNull(Type.String(), 'Namespace'),
  workload: orNull(Type.String(), 'Kind/name'),
  container: orNull(Type.String(), 'Only of the kind container'),
  init: Type.Boolean({ description: 'It is an init container' }),
  machine: orNull(Type.String(), 'Name of a machine'),
  worth_per_month: usd(
    'What is saved per month of 730 hours; negative where more is needed. Of a container the difference of CurrentSpend and NewSpend in its namespace recommendation, of a machine the savings of rehost in its summary, of something idle all that it costs, of a cluster what its nodes cost less, of what was applied the savings that are counted',
  ),
  cost_per_month: orNull(Type.Number(), 'What it costs per month now, in US dollars'),
  risk: Type.Enum([...adviceGrades], {
    description:
      'low: more, or less CPU; medium: less memory, another machine, other nodes or removal; one more with little data, OOM kills or throttling',
  }),
  effort: Type.Enum([...adviceGrades], {
    description:
      'low: other requests, or removal; medium: of a StatefulSet, or another machine or other nodes in the same region; high: a machine elsewhere',
  }),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  replicas: orNull(Type.Number(), 'Running replicas'),
  current: AdvisedSizeView,
  recommended: Type.Union([AdvisedSizeView, Type.Null()], { description: 'null: remove it' }),
  idle_days: orNull(Type.Number(), 'Whole days without use; only of the kind idle'),
  findings: Type.Array(Type.Enum([...adviceFindings]), {
    description:
      'oom-kills: killed for lack of memory in these days; throttled: held back in more than 5% of the periods of its CPU limit; leak: its memory grows day by day',
  }),
  reasons: Type.Array(Type.String()),
  price_sources: Type.Array(Type.String(), {
    description:
      "list (a provider's price list), own (your prices), metric (reported by OpenCost), base (an estimate)",
  }),
  price_date: orNull(Type.String(), 'Oldest day of these prices'),
  is_estimate: Type.Boolean({ description: 'Some of it is priced by base rates' }),
  state: Type.Enum([...adviceStates], {
    description: 'applied is recognised from the requests, the instance type or the nodes in force',
  }),
  state_reason: orNull(Type.String(), 'Why it was accepted, dismissed or snoozed'),
  state_until: time('End of a snooze, after which it is open again'),
  state_changed_at: time('When the state was set, or recognised'),
  state_changed_by: orNull(Type.String(), 'Name of the key that set the state'),
  realised: Type.Union(
    [
      Type.Object({
        since: Type.String({ format: 'date-time' }),
        per_month: usd('What is saved per month'),
        total: usd('What was saved since then'),
      }),
      Type.Null(),
    ],
    { description: 'Savings of what was applied for this subject, now or before' },
  ),
})

const Facet = Type.Array(
  Type.Object({ value: Type.String(), count: Type.Integer(), worth_per_month: Type.Number() }),
)

export const AdvicePageView = Type.Object({
  recommendations: Type.Array(AdviceItemView),
  totals: Type.Object(
    {
      count: Type.Integer(),
      worth_per_month: usd('Sum of worth_per_month, without clusters'),
      estimated_per_month: usd('The part of it that is priced by base rates'),
      nodes_per_month: usd(
        'What clusters save by other nodes; apart, because savings of containers are shares of the same nodes',
      ),
    },
    { description: 'Over all that pass the filter, whatever the page' },
  ),
  facets: Type.Object(
    { kind: Facet, state: Facet, risk: Facet, finding: Facet, cluster: Facet, namespace: Facet },
    {
      description: `How many are listed of each if it is the only one chosen of that member; at most ${mostFacetValues} each, the most frequent first`,
    },
  ),
  realised: Type.Object(
    {
      count: Type.Integer({ description: 'Recommendations that were applied and are in force' }),
      per_month: usd('What they save per month, as recommended'),
      total: usd('What was saved since they were applied, at most a year each'),
      since: time('When the first was applied'),
    },
    { description: 'Of the kinds, the cluster and the namespace of the filter, without clusters' },
  ),
  left_out: Type.Object(
    { count: Type.Integer(), worth_per_month: Type.Number() },
    { description: 'The least worthwhile recommendations, beyond the 10,000 that are kept; not in totals' },
  ),
  computed_at: Type.String({ format: 'date-time' }),
  start_date: Type.String({ format: 'date-time', description: `Start of the usage, ${adviceDays} days` }),
  end_date: Type.String({ format: 'date-time' }),
  next_cursor: orNull(Type.String(), 'null on the last page'),
})

export const ExplainedAdviceView = Type.Object({
  recommendation: AdviceItemView,
  container: Type.Union([ContainerView, Type.Null()], {
    description: 'As in namespace recommendations with explain; null for other kinds',
  }),
  machine: Type.Union([VmSummaryView, Type.Null()], {
    description: 'As in machine summaries with include_rehost; null for containers and workloads',
  }),
  nodes: Type.Union([ClusterView, Type.Null()], {
    description: 'As in cluster recommendations; null for other kinds',
  }),
  start_date: Type.String({ format: 'date-time' }),
  end_date: Type.String({ format: 'date-time' }),
})
