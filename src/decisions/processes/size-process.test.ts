import { expect, test } from 'vitest'
import { unitsOf } from '../../rightsizing/input.ts'
import { Distribution } from '../../usage/distribution/distribution.ts'
import { type ProcessAdvisor, sizeProcess } from './size-process.ts'

const says =
  (cpu: number | null, memory: number | null): ProcessAdvisor =>
  () => ({
    cpu: cpu === null ? null : { target: cpu, lower: cpu / 2, upper: cpu * 2 },
    memory: memory === null ? null : { target: memory, lower: memory / 2, upper: memory * 2 },
  })

function check(
  advise: ProcessAdvisor,
  used: { cores: number; gib: number },
  expected: { cores: number; gib: number },
) {
  const spans = [
    {
      startHour: 100,
      hours: 1,
      cpu: Distribution.of(Math.round(used.cores * unitsOf.cpu)),
      memory: Distribution.of(Math.round(used.gib * unitsOf.memory)),
    },
  ]
  const size = sizeProcess(advise, { spans: () => spans, high: used }, 101)
  expect(size.target.cores).toBeCloseTo(expected.cores, 6)
  expect(size.target.gib).toBeCloseTo(expected.gib, 6)
  expect(size.lower.cores).toBeLessThanOrEqual(size.target.cores)
  expect(size.upper.gib).toBeGreaterThanOrEqual(size.target.gib)
  return size
}

test('the size is the one that right-sizing recommends', () => {
  const { lower, upper } = check(says(0.7, 1.5), { cores: 0.5, gib: 1 }, { cores: 0.7, gib: 1.5 })
  expect([lower, upper]).toEqual([
    { cores: 0.35, gib: 0.75 },
    { cores: 1.4, gib: 3 },
  ])
})

test('a nearly idle process gets less than the minimum size of a container', () => {
  check(says(0.01, 0.0938), { cores: 0.0002, gib: 0.004 }, { cores: 0.0002, gib: 0.004 })
})

test('with too little data for right-sizing: the highest usage with a fifth free', () => {
  check(says(null, null), { cores: 0.4, gib: 0.8 }, { cores: 0.5, gib: 1 })
})

test('no usage gives size 0', () => {
  expect(sizeProcess(says(null, null), { spans: () => [], high: { cores: 0, gib: 0 } }, 101).target).toEqual({
    cores: 0,
    gib: 0,
  })
})
