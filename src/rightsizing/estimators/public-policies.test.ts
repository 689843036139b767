import { describe, expect, test } from 'vitest'
import { resourceHistory, viewAt } from '../history/history.ts'
import { spansOf } from '../usage.case.ts'
import { decidedBy } from './estimator.ts'
import { publicPolicyNamed } from './public-policies.ts'

/** Returns what a public policy asks for after this many days of usage. */
function check(
  name: string,
  days: number,
  usage: { cpu?: (hour: number) => number[]; gib?: (hour: number) => number[] },
) {
  const spans = spansOf(days, usage)
  const policy = publicPolicyNamed(name)!
  const value = (resource: 'cpu' | 'memory') =>
    policy[resource](viewAt(resourceHistory(spans, resource), days * 24))
  return { cpu: value('cpu'), memory: value('memory') }
}

describe('results computed by hand', () => {
  test('KRR: the linearly interpolated 95th percentile, and the peak plus 15%', () => {
    // 24 samples 1..24: rank 0.95 x 23 = 21.85, between 22 and 23.
    const { cpu, memory } = check('krr-simple', 1, { cpu: (hour) => [hour + 1], gib: (hour) => [hour + 1] })
    expect(cpu.value).toBeCloseTo(22.85, 9)
    expect(memory.value).toBeCloseTo(24 * 1.15, 9)
  })

  test('VPA: the end of the bucket plus 15%, and its minimums', () => {
    // Buckets end at 0.01 (1.05^n - 1) / 0.05: 1.0 core lies in bucket 36, which ends at 1.0163.
    const { cpu, memory } = check('VPA', 2, { cpu: () => [1], gib: () => [0.01] })
    expect(cpu.value).toBeCloseTo(((0.01 * (1.05 ** 37 - 1)) / 0.05) * 1.15, 9)
    expect(memory.value).toBe(250 / 1024)
  })

  test('VPA: a day above the request counts with a higher peak', () => {
    const calm = check('vpa', 3, { gib: () => [1] }).memory.value!
    const grown = check('vpa', 3, { gib: (hour) => [hour < 48 ? 1 : 2] }).memory.value!
    expect(calm).toBeGreaterThan(1.15)
    expect(grown).toBeGreaterThan(2 * 1.15)
  })

  test.each([
    ['krr-simple', 1, 1.15],
    ['krr-p99', 1, 1.15],
    ['aws-compute-optimizer', 1.2, 1.2],
    ['azure-advisor', 1.25, 1.25],
    ['kubecost', 1 / 0.7, 1 / 0.7],
  ])('%s: constant usage with its margins', (name, cpuMargin, memoryMargin) => {
    const { cpu, memory } = check(name, 20, { cpu: () => [2], gib: () => [3] })
    expect(cpu.value).toBeCloseTo(2 * cpuMargin, 9)
    expect(memory.value).toBeCloseTo(3 * memoryMargin, 9)
  })

  test.each([
    ['krr-simple', 14],
    ['krr-p99', 14],
    ['aws-compute-optimizer', 14],
    ['azure-advisor', 7],
    ['kubecost', 2],
    ['autopilot', 2],
  ])('%s: the highest memory of the last %i days', (name, days) => {
    const peakDaysAgo = (ago: number) =>
      check(name, 20, { gib: (hour) => [Math.floor(hour / 24) === 20 - ago ? 9 : 1] }).memory.value!
    expect(peakDaysAgo(days)).toBeGreaterThan(9)
    expect(peakDaysAgo(days + 1)).toBeLessThan(2)
  })

  test('windows ignore old usage, and half-lives reduce its weight', () => {
    const early = (hour: number): number[] => [hour < 24 ? 9 : 1]
    expect(check('kubecost', 4, { cpu: early }).cpu.value).toBeCloseTo(1 / 0.7, 9)
    expect(check('krr-p99', 4, { cpu: early }).cpu.value).toBe(9)
    expect(check('krr-p99', 20, { cpu: early }).cpu.value).toBe(1)
    expect(check('crane', 12, { cpu: early }).cpu.value).toBeLessThan(1.3)
  })

  test('Autopilot weighs by load', () => {
    const rare = (hour: number): number[] => [hour % 24 === 23 ? 10 : 0.1]
    expect(check('autopilot', 3, { cpu: rare }).cpu.value).toBeGreaterThan(10)
  })
})

test('a policy lists the steps that led to its result', () => {
  const said = decidedBy(check('aws-compute-optimizer', 2, { cpu: () => [1] }).cpu)
  expect(said.map(({ says }) => says)).toEqual(['times 1.2', 'p99.5 of the last 14 days'])
})

test.each(['', 'nothing', 'krr'])('there is no policy named %o', (name) => {
  expect(publicPolicyNamed(name)).toBeUndefined()
})
