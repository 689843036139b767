import Type from 'typebox'
import {
  boolean,
  currency,
  integer,
  nullable,
  number,
  optional,
  string,
  type View,
} from '../../domain/schema.ts'
import { nodePriceSourceText } from '../allocation/nodes.ts'
import { sharingMethods } from '../allocation/share-costs.ts'
import { costPartNames } from '../parts/cost-part.ts'

const usd = (what: string) => number(`${what}, in US dollars`)
const hours = (what: string) => number(what)
const start = string('Start of the step, or of the period if that is later', { format: 'date-time' })
const end = string('End of the step, or of the period if that is earlier', { format: 'date-time' })

const name = (description: string) => optional(nullable(string(description)))

export type CostRowView = View<typeof CostRowView>
export const CostRowView = Type.Object({
  cluster: name('Null for machines outside clusters'),
  namespace: name('Null for idle cost and for machines'),
  kind: name('Kind of the workload, such as Deployment, or Machine; null for idle cost of clusters'),
  workload: name('Kind/name, such as Machine/db-1; null for idle cost of clusters'),
  pod: name('Null for idle cost'),
  container: name('Of a machine, the group and name of the process; null for idle cost'),
  node: name('Node or machine; null for pods whose node is not known'),
  node_type: name('Instance type of the node; null if it is not known'),
  storage_class: name('Storage class of a volume; null for other costs'),
  label: optional(Type.String()),
  value: optional(
    nullable(
      Type.String(),
      'Value of the label of the workload, otherwise of its namespace; null if neither has it',
    ),
  ),
  start,
  end,
  cost_usd: usd(
    'The greater of requests and usage, and requested GPUs, at the price of the node; or idle cost. All rows together are the whole cost',
  ),
  cost_type: Type.Union([Type.Literal('usage'), Type.Literal('idle')], {
    description:
      'usage, or idle: the cost of nodes beyond what runs on them, in rows of their own; there are none with a namespace',
  }),
  cpu_cost_usd: usd('CPU only; 0 for idle cost'),
  memory_cost_usd: usd('Memory only'),
  gpu_cost_usd: usd('GPUs only'),
  other_cost_usd: usd('What has a price of its own, such as volumes and load balancers'),
  shared_cost_usd: optional(
    usd('Idle cost and cost of shared namespaces that it received; only if costs are shared'),
  ),
  estimated_cost_usd: usd(
    'The part of cost_usd that is priced at base rates, because the node has no known price',
  ),
  measured_hours: optional(
    hours(
      'Hours of the step between the first and the last sample of the cluster; only grouped by cluster or node, and without a namespace',
    ),
  ),
  requested_core_hours: hours('CPU requests, in cores times hours'),
  used_core_hours: hours('CPU used, in cores times hours'),
  requested_gib_hours: hours('Memory requests, in GiB times hours'),
  used_gib_hours: hours('Memory used, in GiB times hours'),
  requested_gpu_hours: hours('Requested GPUs, as the cluster counts them, times hours'),
  unpriced_hours: hours('Hours of load balancers and volumes without a price, which are in no cost'),
  network_at_most_usd: usd(
    'What pods sent, if all of it went to the internet. In no cost, until the share that does is set at /v1/cost_sharing',
  ),
  node_cost_usd_per_hour: optional(nullable(Type.Number(), 'By node; null if its size is not known')),
  price_source: optional(nullable(Type.String(), `By node: ${nodePriceSourceText}`)),
  price_rules: optional(
    nullable(string('By node: names of the price rules that apply, separated by semicolons')),
  ),
  price_date: optional(nullable(Type.String(), 'By node: day of the price, if it is from a price list')),
  note: optional(nullable(Type.String(), 'By node: what to add for a better price')),
})

const time = (which: string) => optional(string(which, { maxLength: 64 }))

const windowQuery = (days: number, names: readonly string[]) => ({
  step: optional(string(`${names.join(', ')}, in UTC, weeks from Monday; default: day`, { maxLength: 16 })),
  start_date: time(`Start of the period, a date or a time of RFC 3339; default: ${days} days before its end`),
  end_date: time('End of the period; a date without a time includes that day; default: now'),
})

const maxRows = 10_000

const without = optional(
  string(
    `Parts of the bill to leave out, with commas: ${costPartNames.join(', ')}; nothing; or saved (default), as the organisation has set at /v1/cost_sharing`,
    { maxLength: 200 },
  ),
)

const sharing = optional(
  Type.Enum(['saved', 'apart', 'by_cost', 'evenly'], {
    description:
      'How idle cost and the cost of shared namespaces is divided; saved (default): as the organisation has set at /v1/cost_sharing',
  }),
)

export const CostsQuery = (kinds: readonly string[], steps: readonly string[], days: number) =>
  Type.Object({
    group_by: optional(
      string(
        `Up to three of ${kinds.join(', ')}, or label:NAME such as label:app or annotation:NAME, with commas; default: namespace`,
        { maxLength: 400 },
      ),
    ),
    ...windowQuery(days, steps),
    sharing,
    without,
    cluster: optional(string('Only this cluster', { maxLength: 1024 })),
    namespace: optional(string('Only this namespace', { maxLength: 1024 })),
    format: optional(
      Type.Enum(['focus'], {
        description: 'focus: CSV with the columns of FOCUS 1.3; not in steps of a week',
      }),
    ),
    currency,
    limit: optional(integer('Rows per page; default: all', { minimum: 1, maximum: maxRows })),
    cursor: optional(string('From the Link header', { maxLength: 8192 })),
  })

export const UsageQuery = (steps: readonly string[], days: number) => Type.Object(windowQuery(days, steps))

const centsOf = (what: string) => number(`${what}, in US dollars and whole cents`)
const partMembers = {
  hours_usd: centsOf(
    'More or fewer hours of the cluster: a longer period, or one that was measured for longer',
  ),
  new_usd: centsOf('What did not run before'),
  gone_usd: centsOf('What ran before and no longer does'),
  count_usd: centsOf('More or fewer pods, or pods that ran longer or shorter'),
  size_usd: centsOf('Larger or smaller requests or usage of a pod, whichever is greater'),
  mix_usd: centsOf('Nodes of other types, at the prices of before'),
  price_usd: centsOf('Other prices of the same nodes'),
  idle_usd: centsOf('Idle cost of nodes'),
  shared_usd: centsOf('What it receives of idle cost and of shared namespaces, less what it passes on'),
}

export type CostChangeView = View<typeof CostChangeView>
export const CostChangeView = Type.Object({
  start,
  end,
  before_start: Type.String({ format: 'date-time' }),
  before_end: Type.String({ format: 'date-time' }),
  measured_hours: hours('Hours of the period in which any cluster was measured'),
  before_measured_hours: hours('The same of the period before'),
  before_usd: centsOf('Cost of the period before'),
  cost_usd: centsOf('Cost of the period'),
  change_usd: centsOf('cost_usd minus before_usd: the sum of the parts'),
  ...partMembers,
  note: nullable(
    string(
      'Why the change says little, if much less of one period was measured: it then compares costs per measured hour, and there are no causes',
    ),
  ),
  groups: Type.Array(
    Type.Object({
      cluster: nullable(string('Null for machines outside clusters')),
      namespace: nullable(string('Null for idle cost and for machines')),
      workload: optional(nullable(string('Kind/name'))),
      before_usd: centsOf('Cost of the period before'),
      cost_usd: centsOf('Cost of the period'),
      change_usd: centsOf('The sum of the parts'),
      ...partMembers,
    }),
    { description: 'The largest change first; all of them add up to the whole, in every member' },
  ),
  causes: Type.Array(
    Type.Object({
      usd: centsOf('What it adds'),
      part: Type.String(),
      text: string('A sentence'),
    }),
    { description: 'The largest causes, of workloads and clusters' },
  ),
})

const compared = (which: string) =>
  optional(string(`${which} of the period to compare with`, { maxLength: 64 }))
export const CostChangeQuery = Type.Object({
  group_by: optional(Type.Enum(['cluster', 'namespace', 'workload'], { description: 'Default: namespace' })),
  start_date: time('Start of the period, a date or a time of RFC 3339; default: 30 days before its end'),
  end_date: time('End of the period; a date without a time includes that day; default: now'),
  before_start_date: compared('Start'),
  before_end_date: compared('End'),
  sharing,
  without,
  cluster: optional(string('Only this cluster', { maxLength: 1024 })),
  namespace: optional(string('Only this namespace', { maxLength: 1024 })),
})

const orNone = (what: string) => nullable(centsOf(what))
export type CostForecastView = View<typeof CostForecastView>
export const CostForecastView = Type.Object({
  month: string('YYYY-MM, in UTC'),
  days: integer('Days of the month'),
  so_far_usd: centsOf('Cost of the month until now'),
  measured_days: number('Days of the month that were measured'),
  history_days: integer('Whole days from which it is forecast'),
  forecast_usd: orNone('Cost of the whole month; null if it is too early'),
  low_usd: orNone('With a chance of 80%, not less than this'),
  high_usd: orNone('With a chance of 80%, not more than this'),
  has_weekdays: boolean('Whether there is enough history to tell weekdays apart'),
  text: string('The same as a sentence'),
})
export const CommittedCostsQuery = Type.Object({
  start_date: time('Start of the period, a date or a time of RFC 3339; default: 30 days before its end'),
  end_date: time('End of the period; a date without a time includes that day; default: now'),
})
export const CostForecastQuery = Type.Object({
  cluster: optional(string('Only this cluster', { maxLength: 1024 })),
  namespace: optional(string('Only this namespace, without idle cost', { maxLength: 1024 })),
  without,
})

export type CostKeys = View<typeof CostKeys>
export const CostKeys = Type.Object({
  kinds: Type.Array(Type.String(), { description: 'What costs can be grouped by besides labels' }),
  labels: Type.Array(
    Type.Object({
      name: string('For group_by=label:NAME'),
      values: Type.Array(
        Type.Object({
          value: Type.String(),
          count: integer('Workloads and namespaces that have it'),
        }),
        { description: 'The most frequent first; empty if none was received' },
      ),
      left_out: integer('Number of further values'),
    }),
  ),
})

const method = (what: string) =>
  Type.Enum([...sharingMethods], {
    description: `${what}: apart (default) in rows of its own, by_cost, evenly by namespace, or fixed by shares`,
  })
const sharingMembers = {
  idle: method('Idle cost of nodes'),
  shared_namespaces: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    maxItems: 100,
    description: 'Namespaces that all others use, such as kube-system or monitoring-*; * matches any text',
  }),
  shared: method('Cost of these namespaces'),
  shares: Type.Record(Type.String({ maxLength: 253 }), Type.Number({ minimum: 0, maximum: 100 }), {
    maxProperties: 1000,
    description:
      'Percent by namespace, for fixed. What they leave stays apart, and so does the share of a namespace without cost',
  }),
  load_balancer_usd_per_month: nullable(
    number('Your price of a load balancer (a Service of the type LoadBalancer); null: not known', {
      minimum: 0,
      maximum: 1_000_000,
    }),
  ),
  network_usd_per_gib: nullable(
    number('Your price of a GiB sent to the internet; null: what pods send is not shown', {
      minimum: 0,
      maximum: 1000,
    }),
  ),
  network_internet_percent: nullable(
    number(
      'The part of what pods send that goes to the internet; null: not known, so that it is shown beside the costs as at most',
      { minimum: 0, maximum: 100 },
    ),
  ),
  off: Type.Array(Type.Enum([...costPartNames]), {
    maxItems: costPartNames.length,
    description: 'Parts of the bill that are left out of costs, forecasts and changes',
  }),
}
export const SharingBody = Type.Partial(Type.Object(sharingMembers))
export const SharingView = Type.Object({
  organisation: Type.String(),
  ...sharingMembers,
  set: boolean('False: nothing was set, and everything stays apart'),
})

const figure = nullable(Type.Number())
const ResourceUsage = (unit: string) =>
  Type.Object(
    { mean: figure, p50: figure, p95: figure, max: figure, request: figure, limit: figure },
    { description: `In ${unit}, over all replicas; request and limit as last set; null if not known` },
  )

export type UsageReport = View<typeof UsageReport>
export const UsageReport = Type.Object({
  kind: Type.String(),
  id: Type.String(),
  steps: Type.Array(
    Type.Object({
      start,
      end,
      replicas: integer('Number of pods, or of cgroups of a process, that were measured'),
      cpu_cores: ResourceUsage('cores'),
      memory_gib: ResourceUsage('GiB'),
      oom_kills: Type.Integer(),
      restarts: Type.Integer(),
    }),
  ),
  decisions: optional(
    Type.Array(Type.Object({ start, cpu_cores: figure, memory_gib: figure }), {
      description:
        'Of a container: the requests that were decided on each day, at the profile and rules of now; null if there was too little data',
    }),
  ),
})
