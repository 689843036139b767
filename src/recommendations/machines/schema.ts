import Type from 'typebox'
import { nodePriceSources, nodePriceSourceText } from '../../costs/allocation/nodes.ts'
import { processGroups } from '../../domain/process-group.ts'
import { boolean, nullable, number, optional, string, type View } from '../../domain/schema.ts'
import { CommittedSaving } from '../../pricing/commitments/schema.ts'
import { ComparisonOption } from '../../pricing/compare/schema.ts'
import { defaultDays, defaultMachines, defaultProcesses, maxMachines, maxProcesses } from './query.ts'

const filters = {
  vm: optional(string('Only this machine', { maxLength: 2300 })),
  process_group: optional(
    string(`Only processes of this group: ${processGroups.join(', ')}`, { maxLength: 64 }),
  ),
  start_date: optional(
    string(
      `Start of the window, RFC 3339; default: ${defaultDays} days before its end. Only hours that begin inside the window count: there is none from 09:15 to 09:45`,
      { maxLength: 64 },
    ),
  ),
  end_date: optional(
    string('End of the window, RFC 3339; default: now. A time in the future counts as now', {
      maxLength: 64,
    }),
  ),
  cursor: optional(string('From the Link header', { maxLength: 8192 })),
}

export const VmRecommendationsQuery = Type.Object({
  ...filters,
  limit: Type.Integer({ minimum: 1, maximum: maxProcesses, default: defaultProcesses }),
})

export const VmSummariesQuery = Type.Object({
  ...filters,
  limit: Type.Integer({ minimum: 1, maximum: maxMachines, default: defaultMachines }),
  include_rehost: boolean('Add where the machine would cost the least, and whether it is idle', {
    default: false,
  }),
})

const pricedValue = (description: string) =>
  Type.Object(
    {
      costInDollars: number(
        'value x the price of a core or GiB of this machine x the hours of the window, which ends now at the latest. The hours count whether or not the machine was measured all the time',
      ),
      value: number('Cores or GiB'),
    },
    { description },
  )

const Resource = (unit: string) =>
  Type.Object(
    {
      baseline: pricedValue('Median over the window, while the process ran'),
      current: pricedValue(
        "Mean of the machine's latest hour with data in the window; 0 if the process did not run then",
      ),
      recommended: pricedValue(
        'Recommended size, from the usage in the window; 0 for a process that ended more than a day before the last data of the machine',
      ),
    },
    { description: `In ${unit}` },
  )

export const priceSource = Type.Enum([...nodePriceSources], {
  description: `Where the machine's price comes from: ${nodePriceSourceText}`,
})
const priceRules = optional(
  Type.Array(Type.String(), { description: 'Names of the price rules that apply, in order' }),
)
const priceDate = nullable(Type.String(), 'Day of the price, if it is from a price list')

export type VmRecommendation = View<typeof VmRecommendation>
export const VmRecommendation = Type.Object({
  vm: string('Name of the machine'),
  process: string('Name of the process; processes with the same name and cgroup count together'),
  processGroup: Type.Enum([...processGroups], { description: 'Who runs it, derived from its cgroup' }),
  cgroup: string('Path of its cgroup'),
  costDriver: Type.Enum(['cpu', 'memory'], {
    description:
      "Which of the two is the greater part of the process's spend, or of the machine's price if the process used nothing",
  }),
  currentSpend: number(
    "US dollars: the process's share of the machine's price in the hours of the window in which the machine was measured. The share is the part of its cores and GiB that the process used on average in these hours. Hours without data cost nothing. Capacity that no process used is in no spend",
  ),
  creationTime: Type.String({ format: 'date-time' }),
  cpu: Resource('cores'),
  memory: Resource('GiB'),
  priceSource,
  priceRules,
  priceDate,
})

const commitments = optional({
  ...CommittedSaving,
  description:
    'If your commitments cover the machine: what is saved while they last, which the other members have, and afterwards',
})

export type RehostTarget = View<typeof RehostTarget>
export const RehostTarget = Type.Object({
  provider: string('Display name'),
  region: Type.String(),
  availabilityZone: string('Blank if the price applies to the whole region'),
  instanceType: Type.String(),
  usageType: Type.String(),
  cpuCores: Type.Number(),
  ramGb: number('In GiB'),
  costPerHour: Type.Number(),
  savingsPerHour: nullable(
    Type.Number(),
    'Negative if every instance that is large enough costs more; null if the price of the machine is not known',
  ),
  savingsPerMonth: nullable(Type.Number()),
  commitments,
})

const RehostTargetView = nullable(
  RehostTarget,
  'Null if no instance is large enough for the recommended size, or without enough data; see reasons',
)

const total = (description: string) => number(description)

const NeededView = Type.Object({
  lowerBound: number('Less than this is probably too little'),
  recommended: Type.Number(),
  upperBound: number('More than this is probably wasted'),
})

export type Rehost = View<typeof Rehost>
export const Rehost = Type.Object(
  {
    currentCostPerHour: nullable(
      Type.Number(),
      'At base rates if no price list has the machine; null if its size is not known',
    ),
    currentCostPerMonth: nullable(
      Type.Number(),
      'Of 730 hours, at most the monthly cap of its price; null if its size is not known',
    ),
    anywhere: {
      ...RehostTargetView,
      description: 'On the same continent, or anywhere if the place of the machine is not known',
    },
    sameRegion: RehostTargetView,
    options: Type.Array(ComparisonOption, {
      description:
        'As in POST /v1/comparisons: options that cost less and are large enough for the recommended size, in order of effort (resize, region, provider, commit, spot), with the best offer of each, and of each term',
    }),
    priceSource: Type.Enum([...nodePriceSources, 'commitment'], {
      description: `As for a process; or commitment: your commitments cover the machine, and what it costs is what giving it up saves while they last`,
    }),
    priceRules,
    priceDate,
    commitments,
    needed: Type.Object(
      { cpuCores: NeededView, ramGb: NeededView },
      {
        description:
          'What a replacement must have: what all processes of the machine need together, and memory for the operating system (5% of theirs, at least 0.25 GiB), but at most the size of the machine, if known',
      },
    ),
    confidence: number('Increases with the days for which the machine was measured; 0 without enough data', {
      minimum: 0,
      maximum: 1,
    }),
    reasons: Type.Array(Type.String(), {
      description:
        'Why there is no recommendation, which needs 24 hours of data and a known price; empty if there is one',
    }),
    notes: Type.Array(Type.String(), {
      description:
        'Whether the machine is silent, as in GET /v1/sources, and whether its type is retired or will be',
    }),
  },
  {
    description:
      'With include_rehost. The cheapest comparable instances, or the fastest of those that cost at most 1% more, near it or in its region, that are large enough for `needed`. They have its architecture and its usage type (on demand if not known)',
  },
)

export type VmSummary = View<typeof VmSummary>
export const VmSummary = Type.Object({
  vm: string('Name of the machine'),
  creationTime: Type.String({ format: 'date-time' }),
  totalCurrentCPU: total('Cores: sum of cpu.current over all its processes'),
  totalCurrentRAM: total('GiB: sum of memory.current over all its processes'),
  totalRecommendedCPU: total(
    'Cores: sum of cpu.recommended over all its processes, but at most the cores of the machine, if known; peaks of processes rarely coincide',
  ),
  totalRecommendedRAM: total(
    'GiB: sum of memory.recommended over all its processes, but at most the memory of the machine, if known',
  ),
  expectedUtilisationCPU: total(
    'Mean usage of the processes that have not ended, each since it was first seen, in percent of totalRecommendedCPU',
  ),
  expectedUtilisationRAM: total('The same for memory, in percent of totalRecommendedRAM'),
  measuredHours: optional(number('With include_rehost. Hours of the window in which it was measured')),
  idle: optional(
    boolean(
      'With include_rehost. True if it was measured for a day or more, and in 95% of hours its processes used less than 3% of its cores, and on average less than a quarter of its memory',
    ),
  ),
  spend: optional(
    nullable(
      Type.Object(
        {
          total: number('Price of the machine over its measured hours'),
          processes: number('Of it, the share of all its processes'),
          unused: number('The rest, which no process used'),
        },
        {
          description:
            'With include_rehost. US dollars over measuredHours; processes and unused add up to the total. Null if the price is not known',
        },
      ),
    ),
  ),
  rehost: optional(Rehost),
})
