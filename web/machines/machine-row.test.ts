import { expect, test } from 'vitest'
import type { Option } from '../compare/candidates.ts'
import { bestOption, type MachineRow, machineRow, machineText, possibleSavings } from './machine-row.ts'
import type { Metadata, Summary } from './queries.ts'

const option = (effort: Option['effort'], ...costs: number[]): Option =>
  ({
    effort,
    why: '',
    offers: costs.map((cost_per_month) => ({
      cost_per_month,
      savings: { amount_per_month: 100 - cost_per_month },
    })),
  }) as unknown as Option

test('savings of a machine are those of another size, else of the next effort, without commitments and spot', () => {
  const others = [option('provider', 40, 30), option('commit', 5), option('spot', 1)]
  const best = (...options: Option[]) => {
    const found = bestOption(options)
    return [found?.effort, found?.offer.cost_per_month]
  }
  expect(best(option('resize', 60, 50), ...others)).toEqual(['resize', 50])
  expect(best(...others)).toEqual(['provider', 30])
  expect(bestOption([option('spot', 1)])).toBeUndefined()
  // What commitments cover saves nothing while they last.
  const covered = option('resize', 50)
  Object.assign(covered.offers[0]!, { commitments: { saves_per_month: -20 } })
  expect(best(covered, ...others)).toEqual(['provider', 30])
})

const needed = { cpuCores: { recommended: 0.006 }, ramGb: { recommended: 0.301 } }

test('a machine needs the size for which others are compared, with memory for the operating system', () => {
  const processes = { vm: 'm', totalRecommendedCPU: 0.006, totalRecommendedRAM: 0.051 }
  const summary = { ...processes, rehost: { options: [], reasons: [], needed } } as unknown as Summary
  expect(machineRow(summary, undefined, undefined).needed).toEqual({ cores: 0.006, gib: 0.301 })
  expect(machineRow(processes as Summary, undefined, undefined).needed).toEqual({ cores: 0.006, gib: 0.051 })
})

test('a machine is described by what is known of it', () => {
  const metadata = { provider: 'aws', instanceType: 'm5.xlarge', region: 'us-east-1', availabilityZone: '' }
  const said = (of: Metadata | undefined) => machineText(of, (key) => key.toUpperCase())
  expect(said(metadata as Metadata)).toBe('AWS m5.xlarge, us-east-1')
  expect(said({ ...metadata, provider: '', instanceType: '', region: '' } as Metadata)).toBe(
    'provider and type not reported',
  )
  expect(said(undefined)).toBe('provider and type not reported')
})

test('a machine that was idle for a week can be removed, and then saves all of its cost', () => {
  const summary = (measuredHours: number) =>
    ({
      vm: 'm',
      idle: true,
      measuredHours,
      rehost: { currentCostPerMonth: 73, options: [], reasons: [], needed },
    }) as unknown as Summary
  expect(machineRow(summary(7 * 24), undefined, undefined)).toMatchObject({
    isRemovable: true,
    savedPerMonth: 73,
  })
  expect(machineRow(summary(30), undefined, undefined)).toMatchObject({
    isRemovable: false,
    savedPerMonth: undefined,
  })
})

test.each([
  [[], true],
  [['Too little data'], false],
])('a machine with reasons %j against a recommendation is compared: %j', (reasons, isCompared) => {
  const rehost = { currentCostPerMonth: 73, options: [], reasons, needed }
  const summary = { vm: 'm', rehost } as unknown as Summary
  expect(machineRow(summary, undefined, undefined).isCompared).toBe(isCompared)
})

test('machines that were not compared are counted, and without any other there is no sum', () => {
  const row = (savedPerMonth: number | undefined, isCompared: boolean) =>
    ({ savedPerMonth, isCompared }) as MachineRow
  expect(possibleSavings([row(undefined, false), row(undefined, false)])).toEqual({
    perMonth: undefined,
    notCompared: 2,
  })
  expect(possibleSavings([row(30, true), row(undefined, false)])).toEqual({ perMonth: 30, notCompared: 1 })
  expect(possibleSavings([row(undefined, true)])).toEqual({ perMonth: 0, notCompared: 0 })
  // An idle machine can be removed whether or not it was compared.
  expect(possibleSavings([row(73, false)])).toEqual({ perMonth: 73, notCompared: 0 })
})
