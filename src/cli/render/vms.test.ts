import { expect, test } from 'vitest'
import type { Effort } from '../../pricing/compare/comparison.ts'
import type { ComparisonOption } from '../../pricing/compare/schema.ts'
import type { VmRecommendation, VmSummary } from '../../recommendations/machines/schema.ts'
import { renderVms } from './vms.ts'

const summary = (over: Partial<VmSummary>): VmSummary => ({
  vm: 'web-1',
  creationTime: '2026-11-15T00:00:00.000Z',
  totalCurrentCPU: 0.5,
  totalCurrentRAM: 2,
  totalRecommendedCPU: 0.625,
  totalRecommendedRAM: 2.5,
  expectedUtilisationCPU: 80,
  expectedUtilisationRAM: 75.5,
  ...over,
})

const priced = (value: number) => ({ value, costInDollars: 0 })
const process = (name: string, currentSpend: number, cgroup = '/'): VmRecommendation => ({
  vm: 'web-1',
  process: name,
  processGroup: 'system',
  cgroup,
  costDriver: 'cpu',
  currentSpend,
  creationTime: '2026-11-15T00:00:00.000Z',
  cpu: { baseline: priced(0.1), current: priced(0.2), recommended: priced(0.3) },
  memory: { baseline: priced(1), current: priced(2), recommended: priced(3) },
  priceSource: 'list',
  priceDate: '2026-11-14',
})

const onePrice = {
  currentCostPerHour: 0.192,
  currentCostPerMonth: 140.16,
  anywhere: null,
  sameRegion: null,
  priceSource: 'list',
  priceDate: '2026-11-01',
  needed: {
    cpuCores: { lowerBound: 1, recommended: 2, upperBound: 4 },
    ramGb: { lowerBound: 1, recommended: 2, upperBound: 4 },
  },
  confidence: 0.5,
} as const
const option = (
  effort: Effort,
  ...offers: [type: string, term: string | null, perHour: number][]
): ComparisonOption => ({
  effort,
  why: '',
  offers: offers.map(([type, term, perHour]) => ({
    provider: 'AWS',
    region: 'us-east-1',
    availability_zone: '',
    instance_type: type,
    operating_system: 'Linux',
    usage_type: term === null ? 'ONDEMAND' : 'RESERVED',
    term,
    vm: { cpu_cores: 2, ram_gb: 8 },
    gpu: null,
    cost_per_hour: perHour,
    cost_per_month: 70.08,
    price: {
      price_source: 'list',
      source: 'test',
      day: '2026-11-01',
      age_days: 14,
      is_old: false,
      is_indicative: false,
    },
    machine: {
      accelerator_kind: null,
      vcpu_kind: null,
      kinds: [],
      generation: 'current',
      ends_on: null,
      speed: null,
      processor: null,
      local_disk: null,
      network: null,
      spot_interruption: null,
      carbon: null,
      changes: ['fewer-cores', 'shared-vcpus'],
      performance: { ratio: 1, low: 0.9, high: 1.1, basis: 'coremark' },
    },
    savings: { percentage: 50, amount_per_hour: 0.096, amount_per_month: 70.08, amount_per_year: 840.96 },
  })),
})

test('renders machines, replacements by effort, then processes, most expensive first', () => {
  const commit = option(
    'commit',
    ['m5.large', '1y', 0.06],
    ['m5.large', '1y-savings-plan', 0.05],
    ['m5.large', '3y', 0.04],
  )
  const rehost = {
    ...onePrice,
    options: [option('resize', ['m5.large', null, 0.096]), commit],
    reasons: [],
    notes: [],
  }
  const young = {
    ...onePrice,
    priceSource: 'base' as const,
    options: [],
    reasons: ['Measured for 2 of the 24 hours that options need.'],
    notes: ['The type m4.large will be retired on 2027-01-01.'],
  }
  const text = renderVms(
    [summary({ idle: true, rehost }), summary({ vm: 'web-2', rehost: young })],
    [process('a', 1), process('b', 2.5)],
  )
  expect(text.split('\n')).toEqual([
    'MACHINE       CORES USED  CORES NEEDED  CPU UTILISATION  GIB USED  GIB NEEDED  MEMORY UTILISATION    PER HOUR  UNUSED',
    'web-1 (idle)       0.500         0.625            80.0%     2.000       2.500               75.5%   $0.192000       -',
    'web-2              0.500         0.625            80.0%     2.000       2.500               75.5%  ~$0.192000       -',
    'Used: mean of the latest hour. Needed: the recommended size. Utilisation: mean usage of the whole period, of the needed size. Unused: the part of the price that no process used.',
    '~ Estimated at base rates: the price of the machine is not known.',
    '',
    'Cheaper machines that are large enough, with memory for the operating system (5%, at least 0.25 GiB):',
    'MACHINE  EFFORT  TYPE      REGION         TERM             CORES  GIB  VCPU SPEED   PER HOUR  SAVES  SAVES A MONTH  PRICE DATE  CHANGES',
    'web-1    resize  m5.large  AWS us-east-1  on demand            2    8       1.00x  $0.096000  50.0%         $70.08  2026-11-01  fewer cores, shared vCPUs',
    'web-1    commit  m5.large  AWS us-east-1  1y-savings-plan      2    8       1.00x  $0.050000  50.0%         $70.08  2026-11-01  fewer cores, shared vCPUs',
    'web-1    commit  m5.large  AWS us-east-1  3y                   2    8       1.00x  $0.040000  50.0%         $70.08  2026-11-01  fewer cores, shared vCPUs',
    '',
    'web-2: The type m4.large will be retired on 2027-01-01.',
    'web-2: Measured for 2 of the 24 hours that options need.',
    '',
    'MACHINE  PROCESS  GROUP   CORES USED  CORES NEEDED  GIB USED  GIB NEEDED  SPENT  CGROUP',
    'web-1    b        system       0.200         0.300     2.000       3.000  $2.50  /',
    'web-1    a        system       0.200         0.300     2.000       3.000  $1.00  /',
  ])
})

test('control characters are replaced, long paths shortened, and of many processes some left out', () => {
  const many = Array.from({ length: 23 }, (_, index) => process(`p${index}`, index))
  const reasons = ['The catalogue has no type "a\u009b2J" of AWS.']
  const rehost = { ...onePrice, options: [], reasons, notes: [] }
  const text = renderVms(
    [summary({ vm: 'a\u001b[2J\u202e', rehost })],
    [process('x', 99, `/${'long/'.repeat(20)}end`), ...many],
  )
  for (const control of ['\u001b', '\u202e', '\u009b']) expect(text).not.toContain(control)
  expect(text).toMatch(/….*(long\/)+end/)
  expect(text).toContain('(4 more processes; --all shows them)')
  expect(renderVms([summary({})], many, true)).not.toContain('more process')
})

test('without machines it explains how to send usage', () => {
  expect(renderVms([], [])).toContain('cheapside agent')
})
