import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recommend } from './recommend.ts'
import { profileNames } from './risk/levels.ts'
import { prices } from './usage.case.ts'
import { anyWorkload } from './workload.case.ts'
import type { ResourceRecommendation, SizingPreference, Workload } from './workload.ts'

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
    fc.property(anyWorkload, risk, risk, (one, a, b) => {
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
    fc.property(anyWorkload, (one) => {
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
