import fc from 'fast-check'
import { expect, test } from 'vitest'
import { roundUpSize } from './advisor.ts'
import { publicPolicyList } from './estimators/public-policies.ts'
import { gatherEvidence } from './evidence.ts'
import { recommend } from './recommend.ts'
import { profileNames } from './risk/levels.ts'
import { sizeFromEvidence } from './size-from-evidence.ts'
import { prices, spansOf } from './usage.case.ts'
import { anyWorkload } from './workload.case.ts'
import type { SizingPreference } from './workload.ts'

const share = fc.double({ min: 0.0001, max: 0.4, noNaN: true })
const anyPreference: fc.Arbitrary<SizingPreference> = fc.oneof(
  fc.record({ profile: fc.constantFrom(...profileNames) }),
  fc.record({ policy: fc.constantFrom(...publicPolicyList.map(({ name }) => name)) }),
  fc.record({ risk: share }),
  fc.record({ risk: share, shortfall: share }),
)
const gib = fc.double({ min: 0.05, max: 8, noNaN: true })
const anyFacts = fc.record(
  { rssGib: gib, cacheGib: gib, mappedGib: gib, heapLowGib: gib, heapLimitGib: gib, kernelPeakGib: gib },
  { requiredKeys: [] },
)
const anyConstraints = fc.record(
  { limits: fc.constantFrom('none', 'ratio', 'quantile'), minCpu: gib, maxMemory: gib },
  { requiredKeys: [] },
)
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value))

test('evidence that was stored gives the same sizes as the history', () => {
  fc.assert(
    fc.property(
      anyWorkload,
      anyPreference,
      anyFacts,
      anyConstraints,
      ({ made, atHour }, preference, memoryFacts, constraints) => {
        const workload = { ...made, memoryFacts }
        const context = { atHour, model: {}, preference }
        const { current = {}, autoscaler = {}, replicas = 1 } = made
        const options = { prices, preference, constraints, autoscaler, replicas, round: roundUpSize }
        const evidence = gatherEvidence(workload, context)
        expect(stored(evidence)).toEqual(evidence)
        const expected = recommend(workload, { ...options, ...context })
        expect(sizeFromEvidence(stored(evidence), current, options)).toEqual(expected)
        if (preference.shortfall !== undefined) return
        const forOthers = gatherEvidence(workload, { atHour, model: {} })
        expect(sizeFromEvidence(forOthers, current, options)).toEqual(expected)
      },
    ),
    { numRuns: 60 },
  )
})

test('a shortfall that was not gathered leaves the risk to decide', () => {
  fc.assert(
    fc.property(anyWorkload, share, share, ({ made, atHour }, risk, shortfall) => {
      const evidence = gatherEvidence(made, { atHour, model: {} })
      const sizeAt = (preference: SizingPreference) => sizeFromEvidence(evidence, {}, { prices, preference })
      expect(sizeAt({ risk, shortfall }).cpu?.target).toBe(sizeAt({ risk }).cpu?.target)
    }),
    { numRuns: 20 },
  )
})

test.each([
  ['days that differ within the week', 16, (day: number) => (day % 7 < 2 ? 2 : 1), false],
  ['days of the first week that rise', 7, (day: number) => (day < 5 ? 1 : 2), true],
  ['days that rise over the week before', 16, (day: number) => (day < 14 ? 1 : 2), true],
])('a trend as the cause of a raise: %s', (_, days, factorOf, isTrend) => {
  const usage = (hour: number): number[] => [(1 + (hour % 24) / 24) * factorOf(Math.floor(hour / 24))]
  const { cpu } = gatherEvidence({ spans: spansOf(days, { cpu: usage }) }, { atHour: days * 24, model: {} })
  expect(cpu!.growth !== undefined).toBe(isTrend)
})

test.each([
  ['weeks that are alike', 16, (day: number) => (day % 7 < 2 ? 2 : 1), true],
  ['a last day that is larger', 16, (day: number) => (day < 15 ? 1 : 1.2), undefined],
  ['a first week', 7, () => 1, undefined],
])('whether usage repeats itself: %s', (_, days, factorOf, repeats) => {
  const usage = (hour: number): number[] => [(1 + (hour % 24) / 24) * factorOf(Math.floor(hour / 24))]
  const spans = spansOf(days, { cpu: usage, gib: usage })
  const { cpu, memory } = gatherEvidence({ spans }, { atHour: days * 24, model: {} })
  expect([cpu!.repeats, memory!.repeats]).toEqual([repeats, repeats])
})
