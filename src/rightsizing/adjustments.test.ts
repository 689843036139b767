import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { UsageSpan } from './input.ts'
import { recommend } from './recommend.ts'
import { profileNames } from './risk/levels.ts'
import { prices, spansOf } from './usage.case.ts'
import type { ResourceRecommendation, SizingPreference, Workload } from './workload.ts'

const size = fc.option(fc.double({ min: 0.05, max: 12, noNaN: true }), { nil: undefined })
const share = fc.option(fc.double({ min: 0.1, max: 1.5, noNaN: true }), { nil: undefined })

/** A workload with any combination of leaks, kills, throttling, spikes, busy replicas and autoscalers. */
const workload = fc
  .record({
    days: fc.integer({ min: 1, max: 9 }),
    usage: fc.array(fc.double({ min: 0, max: 6, noNaN: true }), { minLength: 3, maxLength: 12 }),
    growth: fc.constantFrom(0, 0, 0.3),
    oomKills: fc.constantFrom(0, 0, 1),
    throttledShare: fc.constantFrom(0, 0, 0.03, 0.6),
    spike: fc.constantFrom(0, 0, 9),
    busiest: fc.constantFrom(0, 0, 3),
    current: fc.record({ cpuRequest: size, cpuLimit: size, memoryRequest: size, memoryLimit: size }),
    autoscaler: fc.record({ cpuTarget: share, memoryTarget: share }),
    replicas: fc.double({ min: 0.01, max: 50, noNaN: true }),
    job: fc.boolean(),
    init: fc.boolean(),
  })
  .map(({ days, usage, growth, oomKills, throttledShare, spike, busiest, ...rest }) => {
    const at = (hour: number, more = 0): number[] => [
      usage[hour % usage.length]! + more + (growth * hour) / 24,
    ]
    const starts = (hour: number): boolean => spike > 0 && hour % 30 === 3
    const spans = spansOf(
      days,
      { cpu: (hour) => at(hour, starts(hour) ? spike : 0), gib: (hour) => at(hour) },
      (hour): Partial<UsageSpan> => ({
        oomKills: hour === days * 24 - 2 ? oomKills : 0,
        throttledShare,
        ...(starts(hour) ? { cpuWithoutStarts: null } : {}),
      }),
    )
    const busiestSpans = spansOf(days, { cpu: (hour) => at(hour, busiest), gib: (hour) => at(hour) })
    const made: Workload = { ...rest, spans, ...(busiest > 0 ? { busiest: busiestSpans } : {}) }
    return { made, atHour: days * 24 }
  })

const steps = (_: string, value: number): number => Math.ceil(value * 1000) / 1000

function check({ made, atHour }: { made: Workload; atHour: number }, preference: SizingPreference) {
  const { cpu, memory, confidence, reasons } = recommend(made, {
    atHour,
    model: {},
    prices,
    preference,
    round: steps,
  })
  expect(confidence).toBeGreaterThanOrEqual(0)
  expect(confidence).toBeLessThanOrEqual(1)
  expect(reasons.length).toBeGreaterThan(0)
  for (const part of [cpu!, memory!]) {
    expect(part.lower).toBeLessThanOrEqual(part.target)
    expect(part.upper).toBeGreaterThanOrEqual(part.target)
    expect(Number.isFinite(part.upper)).toBe(true)
    if (part.limit !== null) expect(part.limit).toBeGreaterThanOrEqual(part.target)
  }
  return [proposed(cpu!), proposed(memory!)] as const
}

/** The request after the recommendation is applied. */
const proposed = ({ worthChanging, target, current }: ResourceRecommendation): number =>
  worthChanging ? target : current!

const risk = fc.double({ min: 0, max: 0.4, noNaN: true })

test('the target is within its bounds, and a stricter risk never lowers it', () => {
  fc.assert(
    fc.property(workload, risk, risk, (one, a, b) => {
      const preferences: SizingPreference[][] = [
        [{ risk: Math.max(a, b) }, { risk: Math.min(a, b) }],
        profileNames.map((profile) => ({ profile })),
      ]
      for (const loosestFirst of preferences) {
        const asked = loosestFirst.map((preference) => check(one, preference))
        for (const [index, [cpu, memory]] of asked.slice(1).entries()) {
          expect(cpu).toBeGreaterThanOrEqual(asked[index]![0])
          expect(memory).toBeGreaterThanOrEqual(asked[index]![1])
        }
      }
    }),
    { numRuns: 40 },
  )
})

test('with an autoscaler no request is raised, except memory after an OOM kill', () => {
  fc.assert(
    fc.property(workload, (one) => {
      const { cpuTarget, memoryTarget } = one.made.autoscaler!
      const { cpuRequest, memoryRequest } = one.made.current!
      const killed = one.made.spans.some(({ oomKills = 0 }) => oomKills > 0)
      const [cpu, memory] = check(one, {})
      if (cpuTarget !== undefined && cpuRequest !== undefined)
        expect(cpu).toBeLessThanOrEqual(steps('cpu', cpuRequest))
      if (memoryTarget !== undefined && memoryRequest !== undefined && !killed)
        expect(memory).toBeLessThanOrEqual(steps('memory', memoryRequest))
    }),
    { numRuns: 40 },
  )
})
