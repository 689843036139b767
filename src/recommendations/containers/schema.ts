import Type from 'typebox'
import { nodePriceSources, nodePriceSourceText } from '../../costs/allocation/nodes.ts'
import { boolean, integer, number, optional, string, type View } from '../../domain/schema.ts'

const nullable = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${description}; null if there is none` })

const BandView = Type.Object({
  Current: nullable('Current value'),
  Recommended: nullable('Recommended value'),
  LowerBound: nullable('Less than this is probably too little'),
  UpperBound: nullable('More than this is probably wasted'),
})

const UsageView = Type.Union([
  Type.Object({
    Mean: Type.Number(),
    P50: Type.Number(),
    P90: Type.Number(),
    P95: Type.Number(),
    P99: Type.Number(),
    Max: Type.Number(),
  }),
  Type.Null(),
])

const ResourceView = (unit: string) =>
  Type.Object({ Requests: BandView, Limits: BandView, Usage: UsageView }, { description: `In ${unit}` })

export type ExplanationView = View<typeof ExplanationView>
export const ExplanationView = Type.Object({
  Days: integer('Days of history that were used'),
  LearntFromDays: integer(
    "Days of the organisation's own containers that the model was trained on; 0 if only the built-in model is used",
  ),
  Distribution: Type.Array(Type.Object({ From: Type.Number(), To: Type.Number(), Percent: Type.Number() }), {
    description: 'Distribution of usage',
  }),
  Estimates: Type.Array(
    Type.Object({
      By: string('A profile, risk, a public policy, or an adjustment such as kills'),
      Value: nullable('Size that it results in'),
      Decided: boolean('Whether it decided the recommended value'),
      Steps: Type.Array(Type.Object({ Says: Type.String(), Value: nullable('Result of the step') }), {
        description: 'Steps of the computation, the last one first',
      }),
    }),
    { description: 'Result of each estimator, and which one decided' },
  ),
})

const MemoryFactsView = Type.Object(
  {
    Resident: nullable('Highest anonymous memory'),
    PageCache: nullable('Lowest page cache'),
    MappedPageCache: nullable('Highest mapped page cache, which may be shared memory'),
    HeapAfterCollection: nullable('Java heap in use after garbage collection'),
    HeapLimit: nullable('Limit of the Java heap (-Xmx)'),
    NonHeap: nullable('Highest use outside the Java heap'),
    KernelPeak: nullable("The kernel's high-water mark, page cache included"),
  },
  { description: 'Composition of its memory, in GiB' },
)

const ConstraintsView = Type.Array(
  Type.Object({
    Name: string('limits, min_cpu, max_cpu, min_memory, max_memory, cpu_memory_ratio'),
    Value: Type.String(),
    From: string('request, or the position in the list of sizing rules, such as rule 2'),
  }),
  { description: 'The constraints in force' },
)

const ReasonsView = Type.Array(
  Type.Object({
    Code: string(
      'Name of a profile, risk, a public policy, an adjustment, a guard rail, a constraint, crash loop or leak',
    ),
    Resource: Type.Union([Type.Enum(['cpu', 'memory']), Type.Null()], {
      description: 'null if it is about both',
    }),
    Figures: Type.Array(Type.Object({ Name: Type.String(), Value: Type.Number() }), {
      description: 'In cores, GiB, shares, hours or days',
    }),
  }),
  { description: 'What Reasons say, for programs' },
)

export type ContainerRecommendation = View<typeof ContainerRecommendation>
export const ContainerRecommendation = Type.Object({
  Kind: string('Deployment, StatefulSet, DaemonSet, CronJob, ...; Pod for a pod without a controller'),
  Workload: Type.String(),
  Container: Type.String(),
  Init: Type.Boolean(),
  RequestsUnknown: optional(
    boolean(
      'Present and true if kube-state-metrics sends nothing about the container: its requests and limits are unknown, not absent, and it is in no list, patch or total',
    ),
  ),
  CPU: ResourceView('cores'),
  Memory: ResourceView('GiB'),
  Replicas: Type.Object({
    Current: integer('At the end of the window'),
    Highest: integer('Highest number at one time in the window'),
    AutoscalerMaximum: nullable('Maximum replicas of its autoscaler'),
  }),
  CurrentSpend: number('US dollars over the window'),
  NewSpend: number('The same with the recommended requests'),
  OOMKills: Type.Integer(),
  Restarts: integer('Restarts for any reason'),
  ThrottledPercent: number('Percentage of CPU periods in which it was throttled'),
  MemoryLeak: boolean('Whether its memory has grown for days in a way that looks like a leak'),
  Confidence: Type.Number({ minimum: 0, maximum: 1 }),
  Reasons: Type.Array(Type.String(), { description: 'Why these sizes are recommended, in plain words' }),
  Explanation: optional(
    Type.Object(
      {
        CPU: ExplanationView,
        Memory: ExplanationView,
        MemoryFacts: optional(MemoryFactsView),
        Constraints: optional(ConstraintsView),
        Reasons: optional(ReasonsView),
      },
      { description: 'With explain=true' },
    ),
  ),
})

const QuotaView = Type.Object({
  Current: number('Hard quota on limits, otherwise on requests, otherwise 0'),
  Recommended: number(
    'Recommended limits at the highest replica count, plus 25% for rollouts; requests, if Current is a quota on requests',
  ),
})

const cores = (what: string) => number(`${what}, in cores`)
const gib = (what: string) => number(`${what}, in GiB`)
const monthly = (name: string) =>
  number(`${name} in US dollars per month of 730 hours, extrapolated from the measured hours`)
const saving = 'Current minus recommended; negative if more is needed'

export type NamespaceRecommendation = View<typeof NamespaceRecommendation>
export const NamespaceRecommendation = Type.Object({
  APIVersion: Type.String(),
  Cluster: Type.String(),
  Namespace: Type.String(),
  CreationTime: Type.String({ format: 'date-time' }),
  CurrentSpend: number('US dollars over the window'),
  NewSpend: number('The same with the recommended requests, if only this namespace changes'),
  TotalResourceSavingsAmount: number(
    'CurrentSpend minus NewSpend, over the window; negative if more is needed',
  ),
  ExpectedUtilisationPercent: Type.Object(
    { cpu: Type.Number(), memory: Type.Number() },
    { description: 'Mean usage as a percentage of the recommended requests' },
  ),
  ContainerRecommendations: Type.Record(Type.String(), ContainerRecommendation, {
    description: 'By Kind/workload/container',
  }),
  ResourceQuotaRecommendations: Type.Object({ CPU: QuotaView, Memory: QuotaView }),
  TotalCPULimits: cores('Value times replicas at the end of the window'),
  TotalCPULimitsSavings: cores(saving),
  TotalCPURequests: cores('Value times replicas at the end of the window'),
  TotalCPURequestsSavings: cores(saving),
  TotalMemoryLimits: gib('Value times replicas at the end of the window'),
  TotalMemoryLimitsSavings: gib(saving),
  TotalMemoryRequests: gib('Value times replicas at the end of the window'),
  TotalMemoryRequestsSavings: gib(saving),
  CurrentUtilisationPercent: Type.Object(
    { cpu: Type.Number(), memory: Type.Number() },
    { description: 'Mean usage as a percentage of the current requests' },
  ),
  MeasuredHours: number('Hours of the window between the first and the last sample of the cluster'),
  MonthlyCurrentSpend: monthly('CurrentSpend'),
  MonthlyNewSpend: monthly('NewSpend'),
  MonthlySavings: monthly('TotalResourceSavingsAmount'),
  MonthlySavingsIfAllChange: number(
    'US dollars per month if all namespaces change at once. Less than MonthlySavings if nodes are overcommitted: then this namespace pays for less than it requests, but no longer once the others need less',
  ),
  EstimatedSpend: number(
    'The part of CurrentSpend that is priced at base rates, because the price of a node is not known',
  ),
  Prices: Type.Array(
    Type.Object({
      Source: Type.Enum([...nodePriceSources], { description: nodePriceSourceText }),
      Rules: optional(
        Type.Array(Type.String(), { description: 'Names of the price rules that apply, in order' }),
      ),
      Date: Type.Union([Type.String(), Type.Null()], {
        description: 'Day of the price, if it is from a price list',
      }),
      Nodes: integer('Nodes with such a price'),
    }),
    { description: 'Where the prices of the nodes on which its pods ran come from' },
  ),
  Notes: Type.Array(Type.String(), { description: 'What to add for better prices and sizes' }),
})
