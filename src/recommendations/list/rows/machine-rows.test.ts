import { expect, test } from 'vitest'
import type { ComparisonOption } from '../../../pricing/compare/schema.ts'
import type { ReportedMachine } from '../../../pricing/reported-machine.ts'
import type { VmSummary } from '../../machines/schema.ts'
import { machineRows, machineSize } from './machine-rows.ts'

const offered = (changes: readonly string[], day: string, age_days: number): ComparisonOption =>
  ({
    effort: 'resize',
    why: '',
    offers: [
      {
        provider: 'AWS',
        region: 'us-east-1',
        availability_zone: '',
        instance_type: 't3a.xlarge',
        usage_type: 'ONDEMAND',
        price: { day, age_days },
        machine: { changes },
      },
    ],
  }) as unknown as ComparisonOption

const needed = (recommended: number) => ({ lowerBound: 1, recommended, upperBound: 12 })
const summary = (options: readonly ComparisonOption[]): VmSummary =>
  ({
    vm: 'erp',
    totalRecommendedCPU: 2,
    totalRecommendedRAM: 8,
    rehost: {
      currentCostPerHour: 0.4,
      currentCostPerMonth: 250,
      anywhere: null,
      sameRegion: {
        provider: 'AWS',
        region: 'us-east-1',
        availabilityZone: '',
        instanceType: 't3a.xlarge',
        usageType: 'ONDEMAND',
        cpuCores: 4,
        ramGb: 16,
        costPerHour: 0.1504,
        savingsPerHour: 0.2496,
        savingsPerMonth: 182.208,
      },
      priceSource: 'list',
      priceDate: '2026-11-01',
      confidence: 0.7,
      reasons: [],
      options,
      needed: { cpuCores: needed(2), ramGb: needed(8.4) },
      notes: ['The type m4.2xlarge will be retired on 2027-01-01.'],
    },
  }) as unknown as VmSummary

const facts = {
  provider: 'aws',
  region: 'us-east-1',
  instanceType: 'm4.2xlarge',
  cores: 8,
  gib: 32,
} as ReportedMachine
const displayName = (provider: string) => ({ aws: 'AWS' })[provider] ?? provider
const currentSize = machineSize(facts, displayName)

test.each<[string, ComparisonOption[], string[]]>([
  ['nothing changes', [offered(['payment'], '2026-11-01', 15)], []],
  [
    'what changes',
    [offered(['provider', 'fewer-cores', 'unknown-speed', 'burstable-vcpus'], '2026-11-01', 15)],
    [
      'What changes: fewer cores, speed not known, burstable vCPUs.',
      'Its vCPUs sustain the mean usage of the machine and use CPU credits for more: choose another type if the machine is busy for hours.',
    ],
  ],
  [
    'an old price',
    [offered([], '2025-08-23', 450)],
    ['Its price is from 2025-08-23, over a year ago: ask the provider before you act on it.'],
  ],
  ['it is not among the options', [], []],
])('reasons to replace a machine: %s', (_, options, expected) => {
  const [row] = machineRows(summary(options), currentSize)
  expect(row!.recommendation.reasons).toEqual([
    'It needs 2 cores and 8.4 GiB, with headroom and memory for the operating system.',
    't3a.xlarge costs $0.1504 an hour instead of $0.4.',
    ...expected,
    'The type m4.2xlarge will be retired on 2027-01-01.',
  ])
})

test('notes on an idle machine are among the reasons to remove it', () => {
  const notes = ['No data since 2026-11-15 03:00 UTC: check that the machine still runs.']
  const { rehost, ...of } = summary([])
  const idle = { ...of, idle: true, measuredHours: 48, rehost: { ...rehost!, notes } }
  const rows = machineRows(idle, currentSize)
  expect(rows.map(({ recommendation }) => [recommendation.kind, recommendation.reasons.at(-1)])).toEqual([
    ['idle', notes[0]],
    ['machine', notes[0]],
  ])
})

test('the provider is spelled alike before and after', () => {
  const [row] = machineRows(summary([]), currentSize)
  const { current, recommended, title } = row!.recommendation
  expect([current.provider, recommended!.provider]).toEqual(['AWS', 'AWS'])
  expect(title).toBe('Replace erp (m4.2xlarge) with t3a.xlarge of AWS in us-east-1')
  expect(machineSize({ ...facts, provider: '' }, displayName).provider).toBeNull()
  expect(machineSize({ ...facts, provider: 'acme' }, displayName).provider).toBe('acme')
})
