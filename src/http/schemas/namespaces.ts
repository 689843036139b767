import Type from 'typebox'

const nullable = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${description}; null where there is none` })

const BandView = Type.Object({
  Current: nullable('As it is set now'),
  Recommended: nullable('What it should be'),
  LowerBound: nullable('Less than this is likely too little'),
  UpperBound: nullable('More than this is likely wasted'),
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

const ExplanationView = Type.Object({
  Days: Type.Integer({ description: 'Days of history it was judged by' }),
  LearntFromDays: Type.Integer({
    description:
      "Days of the organisation's own containers that were learnt from; 0: experience from elsewhere",
  }),
  Distribution: Type.Array(Type.Object({ From: Type.Number(), To: Type.Number(), Percent: Type.Number() }), {
    description: 'How usage was spread',
  }),
  Estimates: Type.Array(
    Type.Object({
      By: Type.String({ description: 'A profile, risk, a public policy, or a kind of care such as kills' }),
      Value: nullable('What it asks for'),
      Decided: Type.Boolean({ description: 'Its value is what was recommended' }),
      Steps: Type.Array(Type.Object({ Says: Type.String(), Value: nullable('What it came to') }), {
        description: 'How it came to it, the last step first',
      }),
    }),
    { description: 'What each estimator said, and which one decided' },
  ),
})

const MemoryFactsView = Type.Object(
  {
    Resident: nullable('Most anonymous memory at a time'),
    PageCache: nullable('Page cache that was always there'),
    MappedPageCache: nullable('Most of it that was mapped, which may be shared memory'),
    HeapAfterCollection: nullable('Of a Java virtual machine: the heap in use after collections'),
    HeapLimit: nullable('Its limit (-Xmx)'),
    NonHeap: nullable('Most in use outside the heap'),
    KernelPeak: nullable("The kernel's high-water mark, page cache included"),
  },
  { description: 'What is known of its memory besides how much was used, in GiB' },
)

const ConstraintsView = Type.Array(
  Type.Object({
    Name: Type.String({ description: 'limits, min_cpu, max_cpu, min_memory, max_memory, cpu_memory_ratio' }),
    Value: Type.String(),
    From: Type.String({ description: 'request, or the place in the list of sizing rules: rule 2' }),
  }),
  { description: 'The constraints in force' },
)

export const ContainerView = Type.Object({
  Kind: Type.String({
    description: 'Deployment, StatefulSet, DaemonSet, CronJob, ...; Pod for a pod of its own',
  }),
  Workload: Type.String(),
  Container: Type.String(),
  Init: Type.Boolean(),
  CPU: ResourceView('cores'),
  Memory: ResourceView('GiB'),
  Replicas: Type.Object({
    Current: Type.Integer({ description: 'At the end of the window' }),
    Highest: Type.Integer({ description: 'The most at one time in the window' }),
    AutoscalerMaximum: nullable('The most that its autoscaler makes'),
  }),
  CurrentSpend: Type.Number({ description: 'US dollars over the window' }),
  NewSpend: Type.Number({ description: 'The same with the recommended requests' }),
  OOMKills: Type.Integer(),
  Restarts: Type.Integer({ description: 'Of any cause' }),
  ThrottledPercent: Type.Number({ description: 'Of the periods of its CPU limit' }),
  Confidence: Type.Number({ minimum: 0, maximum: 1 }),
  Reasons: Type.Array(Type.String(), { description: 'In plain words' }),
  Explanation: Type.Optional(
    Type.Object(
      {
        CPU: ExplanationView,
        Memory: ExplanationView,
        MemoryFacts: Type.Optional(MemoryFactsView),
        Constraints: Type.Optional(ConstraintsView),
      },
      { description: 'With explain=true' },
    ),
  ),
})

const QuotaView = Type.Object({
  Current: Type.Number({ description: 'The hard quota on limits, else on requests, else 0' }),
  Recommended: Type.Number({
    description: 'Recommended limits at the highest replica count, and a quarter for roll-outs',
  }),
})

const cores = (what: string) => Type.Number({ description: `${what}, in cores` })
const gib = (what: string) => Type.Number({ description: `${what}, in GiB` })
const monthly = (name: string) =>
  Type.Number({ description: `${name} per month: US dollars of 730 hours like those measured` })
const saving = 'Current less recommended; negative where more is needed'

export const NamespaceView = Type.Object({
  APIVersion: Type.String(),
  Cluster: Type.String(),
  Namespace: Type.String(),
  CreationTime: Type.String({ format: 'date-time' }),
  CurrentSpend: Type.Number({ description: 'US dollars over the window' }),
  NewSpend: Type.Number({
    description: 'The same with the recommended requests, if this namespace alone changes',
  }),
  TotalResourceSavingsAmount: Type.Number({
    description: 'CurrentSpend less NewSpend, over the window; negative where more is needed',
  }),
  ExpectedUtilisationPercent: Type.Object(
    { cpu: Type.Number(), memory: Type.Number() },
    { description: 'Mean usage as a percentage of the recommended requests' },
  ),
  ContainerRecommendations: Type.Record(Type.String(), ContainerView, {
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
    { description: 'Mean usage as a percentage of the requests as they are' },
  ),
  MeasuredHours: Type.Number({
    description: 'Hours of the window between the first and the last sample of the cluster',
  }),
  MonthlyCurrentSpend: monthly('CurrentSpend'),
  MonthlyNewSpend: monthly('NewSpend'),
  MonthlySavings: monthly('TotalResourceSavingsAmount'),
  MonthlySavingsIfAllChange: Type.Number({
    description:
      'US dollars per month if all namespaces change at once. Less than MonthlySavings where nodes are overfull: then this namespace alone pays for less than it requests, and no longer once the others need less',
  }),
  EstimatedSpend: Type.Number({
    description:
      'The part of CurrentSpend that is priced by base rates, because the price of a node is not known',
  }),
  Prices: Type.Array(
    Type.Object({
      Source: Type.Enum(['list', 'own', 'metric', 'base'], {
        description:
          "A provider's price list, your own prices, node prices reported by OpenCost, or base rates, which are an estimate",
      }),
      Date: Type.Union([Type.String(), Type.Null()], { description: 'Day of a price on a list' }),
      Nodes: Type.Integer({ description: 'Nodes with such a price' }),
    }),
    { description: 'Where the prices of the nodes come from that its pods ran on' },
  ),
  Notes: Type.Array(Type.String(), { description: 'What to add for better prices' }),
})

const time = (which: string) =>
  Type.String({
    maxLength: 64,
    description: `${which} of the period, RFC 3339. An hour belongs to the period in which it begins.`,
  })

const maxPageSize = 1000
const largestContainerPage = 10_000
const window = { start_date: time('Start'), end_date: time('End') }
const preference = (names: readonly string[]) => ({
  profile: Type.Optional(
    Type.String({
      maxLength: 64,
      description: `How much risk to take: ${names.join(', ')}. Default: what the organisation set, else ${names[0]}`,
    }),
  ),
  risk: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Instead of a profile: the share of time (CPU) and of days (memory) above the request that is accepted over all containers, such as 0.01',
    }),
  ),
  shortfall: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'The share of all CPU usage that may lie above the requests, such as 0.01: how far above, where risk says how often. Default: as strict as the risk or the profile',
    }),
  ),
})

const size = (description: string) =>
  Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description }))

/** Constraints on sizes that both a query and a sizing rule can set. */
export const constraintMembers = {
  limits: Type.Optional(
    Type.Enum(['none', 'ratio', 'quantile'], {
      description:
        'CPU limits: none; ratio, in the proportion to the request that is set now (default); or quantile, at p99.9 of usage. Memory limits keep their proportion',
    }),
  ),
  min_cpu: size('Least CPU request, in cores'),
  max_cpu: size('Greatest CPU request, in cores'),
  min_memory: size('Least memory request, in GiB'),
  max_memory: size('Greatest memory request, in GiB'),
  cpu_memory_ratio: Type.Optional(
    Type.String({
      maxLength: 32,
      description:
        'GiB of memory for each core, such as 4, or a range such as 1-6.5; the smaller of the two requests is raised to match',
    }),
  ),
}

export const NamespacesQuery = (profiles: readonly string[]) =>
  Type.Object({
    cluster: Type.Optional(Type.String({ maxLength: 1024, description: 'Only of this cluster' })),
    namespace: Type.Optional(Type.String({ maxLength: 1024, description: 'Only of this namespace' })),
    ...window,
    ...preference(profiles),
    ...constraintMembers,
    explain: Type.Boolean({
      default: false,
      description: 'Add to each container how its usage was spread and what each estimator said',
    }),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxPageSize, description: 'Namespaces a page; default: all' }),
    ),
    container_limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: largestContainerPage,
        description:
          'Containers a page, of one namespace or of several; default: all. A namespace that does not fit goes on in the next page, and its totals are those of the whole namespace in each',
      }),
    ),
    cursor: Type.Optional(Type.String({ maxLength: 8192, description: 'From the Link header' })),
  })

export const ManifestsQuery = (profiles: readonly string[], formats: readonly string[]) =>
  Type.Object({
    ...window,
    ...preference(profiles),
    ...constraintMembers,
    format: Type.Enum(formats as [string, ...string[]], { description: 'Default: patch', default: 'patch' }),
  })
