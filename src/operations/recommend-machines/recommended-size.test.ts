import { expect, test } from 'vitest'
import { unitsOf } from '../../rightsizing/input.ts'
import { Distribution } from '../../usage/distribution/distribution.ts'
import type { ProcessAdvisor } from './reading-deps.ts'
import { recommendedSize } from './recommended-size.ts'

const says =
  (cpu: number | null, memory: number | null): ProcessAdvisor =>
  () => ({
    cpu: cpu === null ? null : { target: cpu },
    memory: memory === null ? null : { target: memory },
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
  const size = recommendedSize(advise, { spans: () => spans, high: used }, 101)
  expect(size.cores).toBeCloseTo(expected.cores, 6)
  expect(size.gib).toBeCloseTo(expected.gib, 6)
}

test('what right-sizing asks for', () => {
  check(says(0.7, 1.5), { cores: 0.5, gib: 1 }, { cores: 0.7, gib: 1.5 })
})

test('a process that hardly does anything is not asked the least that a container has', () => {
  check(says(0.01, 0.0938), { cores: 0.0002, gib: 0.004 }, { cores: 0.0002, gib: 0.004 })
})

test('from too little for right-sizing: the highest seen, with a fifth free', () => {
  check(says(null, null), { cores: 0.4, gib: 0.8 }, { cores: 0.5, gib: 1 })
})

test('of nothing nothing follows', () => {
  expect(recommendedSize(says(null, null), { spans: () => [], high: { cores: 0, gib: 0 } }, 101)).toEqual({
    cores: 0,
    gib: 0,
  })
})
