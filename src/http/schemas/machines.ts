import Type from 'typebox'
import { processGroups } from '../../domain/process-group.ts'
import { defaultDays } from '../../operations/recommend-machines/query.ts'
import { defaultProcesses, maxProcesses } from '../../operations/recommend-machines/recommend-machines.ts'
import { defaultMachines, maxMachines } from '../../operations/recommend-machines/summarise-machines.ts'
import { OptionView } from './comparisons.ts'

const filters = {
  vm: Type.Optional(Type.String({ maxLength: 2300, description: 'Only this machine' })),
  process_group: Type.Optional(
    Type.String({ maxLength: 64, description: `Only processes of this group: ${processGroups.join(', ')}` }),
  ),
  start_date: Type.Optional(
    Type.String({
      maxLength: 64,
      description: `Start of the window, RFC 3339; absent: ${defaultDays} days before its end. Only whole hours that begin inside the window count: none does from 09:15 to 09:45`,
    }),
  ),
  end_date: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'End of the window, RFC 3339; absent or in the future: now, as hours to come cost nothing',
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
    description: 'Add where the machine would cost least, and whether it is idle',
  }),
})

const PricedValue = (description: string) =>
  Type.Object(
    {
      costInDollars: Type.Number({
        description:
          'value x the price of a core or GiB of this machine x the hours of the window, which ends at now at the latest: what this much costs, whether or not the machine was seen all the time',
      }),
      value: Type.Number({ description: 'Cores or GiB' }),
    },
    { description },
  )

const Resource = (unit: string) =>
  Type.Object(
    {
      baseline: PricedValue('The median of the window, while the process ran'),
      current: PricedValue(
        "The mean of the machine's latest hour with data in the window; 0 where the process did not run then",
      ),
      recommended: PricedValue(
        'What right-sizing asks for, from the usage in the window; 0 for a process that had ended more than a day before the last data of the machine',
      ),
    },
    { description: `In ${unit}` },
  )

export const priceSource = Type.Enum(['list', 'own', 'metric', 'base'], {
  description:
    "Where the machine's price comes from: a provider's list, your own prices, metrics, or base rates, which are an estimate",
})
const priceDate = Type.Union([Type.String(), Type.Null()], { description: 'Day of a price on a list' })

export const VmRecommendationView = Type.Object({
  vm: Type.String({ description: 'Name of the machine' }),
  process: Type.String({ description: 'Name of the process; those of one name and cgroup count together' }),
  processGroup: Type.Enum([...processGroups], { description: 'Who runs it, derived from its cgroup' }),
  cgroup: Type.String({ description: 'Path of its cgroup' }),
  costDriver: Type.Enum(['cpu', 'memory'], {
    description:
      "Which of the two is the greater part of the process's spend; of a process that used nothing, of the machine's price",
  }),
  currentSpend: Type.Number({
    description:
      "Dollars: the process's share of the machine's price in those hours of the window in which the machine was seen, which is the part of its cores and GiB that the process had on average then. Hours of which nothing is known cost nothing. What no process used is in nobody's spend",
  }),
  creationTime: Type.String({ format: 'date-time' }),
  cpu: Resource('cores'),
  memory: Resource('GiB'),
  priceSource,
  priceDate,
})

const Home = Type.Union(
  [
    Type.Object({
      provider: Type.String({ description: 'Display name' }),
      region: Type.String(),
      availabilityZone: Type.String({ description: 'Blank where the price holds in the whole region' }),
      instanceType: Type.String(),
      usageType: Type.String(),
      cpuCores: Type.Number(),
      ramGb: Type.Number({ description: 'In GiB' }),
      costPerHour: Type.Number(),
      savingsPerHour: Type.Union([Type.Number(), Type.Null()], {
        description:
          'Negative where all that holds it costs more than it does; null where its own price is not known',
      }),
      savingsPerMonth: Type.Union([Type.Number(), Type.Null()]),
    }),
    Type.Null(),
  ],
  {
    description: 'Null where no instance holds the recommended size, or without enough evidence; see reasons',
  },
)

const total = (description: string) => Type.Number({ description })

const NeededView = Type.Object({
  lowerBound: Type.Number({ description: 'Less than this is likely too little' }),
  recommended: Type.Number(),
  upperBound: Type.Number({ description: 'More than this is likely wasted' }),
})

export const VmSummaryView = Type.Object({
  vm: Type.String({ description: 'Name of the machine' }),
  creationTime: Type.String({ format: 'date-time' }),
  totalCurrentCPU: total('Cores: cpu.current of all its processes added up'),
  totalCurrentRAM: total('GiB: memory.current of all its processes added up'),
  totalRecommendedCPU: total(
    'Cores: cpu.recommended of all its processes added up, and at most the cores that the machine has, if that is known; peaks of processes rarely coincide',
  ),
  totalRecommendedRAM: total(
    'GiB: memory.recommended of all its processes added up, and at most the memory that the machine has, if that is known',
  ),
  expectedUtilisationCPU: total(
    'Percent of totalRecommendedCPU: mean usage of the processes that have not ended, each since it was first seen',
  ),
  expectedUtilisationRAM: total('Likewise'),
  measuredHours: Type.Optional(
    Type.Number({ description: 'With include_rehost. Hours of the window in which it was measured' }),
  ),
  idle: Type.Optional(
    Type.Boolean({
      description:
        'With include_rehost. Watched for a day or more, and in nineteen of twenty hours its processes used less than 3% of its cores',
    }),
  ),
  rehost: Type.Optional(
    Type.Object(
      {
        currentCostPerHour: Type.Union([Type.Number(), Type.Null()], {
          description: 'At base rates where no price list has the machine; null where its size is not known',
        }),
        anywhere: Home,
        sameRegion: Home,
        options: Type.Array(OptionView, {
          description:
            'As in POST /v1/comparisons: what costs less and holds the recommended size, in order of effort (resize, region, provider, commit, spot), with the best offer of each, and of each term',
        }),
        priceSource,
        priceDate,
        needed: Type.Object(
          { cpuCores: NeededView, ramGb: NeededView },
          { description: 'What the machine must hold, all processes together' },
        ),
        confidence: Type.Number({
          minimum: 0,
          maximum: 1,
          description: 'Grows with the days the machine was measured; 0 without enough evidence',
        }),
        reasons: Type.Array(Type.String(), {
          description:
            'Why there is no recommendation: it needs 24 hours of measurements and a known price; empty where there is one',
        }),
        notes: Type.Array(Type.String(), { description: 'That its type ends or has ended' }),
      },
      {
        description:
          'With include_rehost. The cheapest comparable instances, near it or in its region, that hold the recommended size of the whole machine, which is at most the size it has where that is known, of its architecture and bought as it is (on demand where that is not known)',
      },
    ),
  ),
})
