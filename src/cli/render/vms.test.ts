import { expect, test } from 'vitest'
import type { VmSummary } from '../../operations/recommend-machines/summarise-machines.ts'
import type { VmRecommendation } from '../../operations/recommend-machines/view-process.ts'
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

const home = {
  provider: 'AWS',
  region: 'us-east-1',
  availabilityZone: '',
  instanceType: 'm5.large',
  usageType: 'ONDEMAND',
  cpuCores: 2,
  ramGb: 8,
  costPerHour: 0.096,
  savingsPerHour: 0.096,
  savingsPerMonth: 70.08,
}

test('machines, then processes, the dearest first', () => {
  const rehost = {
    currentCostPerHour: 0.192,
    anywhere: home,
    sameRegion: null,
    priceSource: 'list',
    priceDate: null,
    confidence: 0.5,
    reasons: [],
  } as const
  const text = renderVms([summary({ idle: true, rehost })], [process('a', 1), process('b', 2.5)])
  expect(text.split('\n')).toEqual([
    'MACHINE       CORES  NEEDS  FILLED    GIB  NEEDS  FILLED  CHEAPEST HOME                 A MONTH',
    'web-1 (idle)  0.500  0.625   80.0%  2.000  2.500   75.5%  m5.large of AWS in us-east-1  -$70.08',
    '',
    'MACHINE  PROCESS  GROUP   CORES  NEEDS    GIB  NEEDS  SPENT  CGROUP',
    'web-1    b        system  0.200  0.300  2.000  3.000  $2.50  /',
    'web-1    a        system  0.200  0.300  2.000  3.000  $1.00  /',
  ])
})

test('names cannot command a terminal, long paths are cut, many processes are left out', () => {
  const many = Array.from({ length: 23 }, (_, index) => process(`p${index}`, index))
  const text = renderVms(
    [summary({ vm: 'a\u001b[2J' })],
    [process('x', 99, `/${'long/'.repeat(20)}end`), ...many],
  )
  expect(text).not.toContain('\u001b')
  expect(text).toMatch(/….*(long\/)+end/)
  expect(text).toContain('(4 more processes; --all shows them)')
  expect(renderVms([summary({})], many, true)).not.toContain('more process')
})

test('where there is nothing, how to get something', () => {
  expect(renderVms([], [])).toContain('cheapside agent')
})
