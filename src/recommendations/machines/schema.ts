import Type from 'typebox'
import { nodePriceSources, nodePriceSourceText } from '../../costs/allocation/nodes.ts'
import { processGroups } from '../../domain/process-group.ts'
import { nullable, type View } from '../../domain/schema.ts'
import { CommittedSaving } from '../../pricing/commitments/schema.ts'
import { ComparisonOption } from '../../pricing/compare/schema.ts'
import { defaultDays, defaultMachines, defaultProcesses, maxMachines, maxProcesses } from './query.ts'

const filters = {
  vm: Type.Optional(Type.String({ maxLength: 2300, description: 'Only this machine' })),
  process_group: Type.Optional(
    Type.String({ maxLength: 64, description: `Only processes of this group: ${processGroups.join(', ')}` }),
  ),
  start_date: Type.Optional(
    Type.String({
      maxLength: 64,
      description: `Start of the window, RFC 3339; default: ${defaultDays} days before its end. Only hours that begin inside the window count: there is none from 09:15 to 09:45`,
    }),
  ),
  end_date: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'End of the window, RFC 3339; default: now. A time in the future counts as now',
    }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 8192, description: 'From the Link header' })),
}

export const VmRecommendationsQuery = Type.Object({
  ...filters,
  limit: Type.Integer({ minimum: 1, maximum: maxProcesses, default: defaultProcesses }),
})

export const VmSummariesQuery = Type.Object({
  ...filters,
  limit: Type.Integer({ minimum: 1, maximum: maxMachines, default: defaultMachines }),
  include_rehost: Type.Boolean({
    default: false,
    description: 'Add where the machine would cost the least, and whether it is idle',
  }),
})

const pricedValue = (description: string) =>
  Type.Object(
    {
      costInDollars: Type.Number({
        description:
          'value x the price of a core or GiB of this machine x the hours of the window, which ends now at the latest. The hours count whether or not the machine was measured all the time',
      }),
      value: Type.Number({ description: 'Cores or GiB' }),
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
const priceRules = Type.Optional(
  Type.Array(Type.String(), { description: 'Names of the price rules that apply, in order' }),
)
const priceDate = Type.Union([Type.String(), Type.Null()], {
  description: 'Day of the price, if it is from a price list',
})

export type VmRecommendation = View<typeof VmRecommendation>
export const VmRecommendation = Type.Object({
  vm: Type.String({ description: 'Name of the machine' }),
  process: Type.String({
    description: 'Name of the process; processes with the same name and cgroup count together',
  }),
  processGroup: Type.Enum([...processGroups], { description: 'Who runs it, derived from its cgroup' }),
  cgroup: Type.String({ description: 'Path of its cgroup' }),
  costDriver: Type.Enum(['cpu', 'memory'], {
    description:
      "Which of the two is the greater part of the process's spend, or of the machine's price if the process used nothing",
  }),
  currentSpend: Type.Number({
    description:
      "US dollars: the process's share of the machine's price in the hours of the window in which the machine was measured. The share is the part of its cores and GiB that the process used on average in these hours. Hours without data cost nothing. Capacity that no process used is in no spend",
  }),
  creationTime: Type.String({ format: 'date-time' }),
  cpu: Resource('cores'),
  memory: Resource('GiB'),
  priceSource,
  priceRules,
  priceDate,
})

const commitments = Type.Optional({
  ...CommittedSaving,
  description:
    'If your commitments cover the machine: what is saved while they last, which the other members have, and afterwards',
})

export type RehostTarget = View<typeof RehostTarget>
export const RehostTarget = Type.Object({
  provider: Type.String({ description: 'Display name' }),
  region: Type.String(),
  availabilityZone: Type.String({ description: 'Blank if the price applies to the whole region' }),
  instanceType: Type.String(),
  usageType: Type.String(),
  cpuCores: Type.Number(),
  ramGb: Type.Number({ description: 'In GiB' }),
  costPerHour: Type.Number(),
  savingsPerHour: Type.Union([Type.Number(), Type.Null()], {
    description:
      'Negative if every instance that is large enough costs more; null if the price of the machine is not known',
  }),
  savingsPerMonth: Type.Union([Type.Number(), Type.Null()]),
  commitments,
})

const RehostTargetView = Type.Union([RehostTarget, Type.Null()], {
  description:
    'Null if no instance is large enough for the recommended size, or without enough data; see reasons',
})

const total = (description: string) => Type.Number({ description })

const NeededView = Type.Object({
  lowerBound: Type.Number({ description: 'Less than this is probably too little' }),
  recommended: Type.Number(),
  upperBound: Type.Number({ description: 'More than this is probably wasted' }),
})

export type Rehost = View<typeof Rehost>
export const Rehost = Type.Object(
  {
    currentCostPerHour: Type.Union([Type.Number(), Type.Null()], {
      description: 'At base rates if no price list has the machine; null if its size is not known',
    }),
    currentCostPerMonth: Type.Union([Type.Number(), Type.Null()], {
      description: 'Of 730 hours, at most the monthly cap of its price; null if its size is not known',
    }),
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
    confidence: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Increases with the days for which the machine was measured; 0 without enough data',
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
  vm: Type.String({ description: 'Name of the machine' }),
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
  measuredHours: Type.Optional(
    Type.Number({ description: 'With include_rehost. Hours of the window in which it was measured' }),
  ),
  idle: Type.Optional(
    Type.Boolean({
      description:
        'With include_rehost. True if it was measured for a day or more, and in 95% of hours its processes used less than 3% of its cores, and on average less than a quarter of its memory',
    }),
  ),
  spend: Type.Optional(
    nullable(
      Type.Object(
        {
          total: Type.Number({ description: 'Price of the machine over its measured hours' }),
          processes: Type.Number({ description: 'Of it, the share of all its processes' }),
          unused: Type.Number({ description: 'The rest, which no process used' }),
        },
        {
          description:
            'With include_rehost. US dollars over measuredHours; processes and unused add up to the total. Null if the price is not known',
        },
      ),
    ),
  ),
  rehost: Type.Optional(Rehost),
})
