import { describe, expect, test } from 'vitest'
import { publicPolicyList } from './estimators/public-policies.ts'
import { explain } from './explain.ts'
import type { Resource, UsageSpan } from './input.ts'
import { recommend } from './recommend.ts'
import { prices, spansOf } from './usage.case.ts'
import type { SizingPreference, Workload } from './workload.ts'

/** The values 0.1, 0.2, ... 1, each equally often. */
const tenths = () => Array.from({ length: 10 }, (_, n) => (n + 1) / 10)
const steady = (more?: (hour: number) => Partial<UsageSpan>) =>
  spansOf(20, { cpu: tenths, gib: tenths }, more)

function check(resource: Resource, preference: SizingPreference = {}, workload: Partial<Workload> = {}) {
  const asked = { spans: steady(), ...workload }
  const context = { atHour: 20 * 24, model: {}, prices, preference }
  const made = recommend(asked, context)
  return { made, explanation: explain(asked, resource, context, made) }
}

describe.each<Resource>(['cpu', 'memory'])('%s', (resource) => {
  test('percentiles are those of the whole history', () => {
    const { days, percentiles, trainedOnDays } = check(resource).explanation!
    expect([days, trainedOnDays]).toEqual([20, 0])
    for (const [name, value] of Object.entries({ p50: 0.5, p90: 0.9, p95: 1, p99: 1, peak: 1 }))
      expect(percentiles[name as 'peak'], name).toBeCloseTo(value, 2)
  })

  test('lists every profile and public policy, and marks one as decisive', () => {
    const { made, explanation } = check(resource)
    const names = explanation!.estimates.map(({ by }) => by)
    expect(names.slice(0, 3)).toEqual(['cost', 'balanced', 'safe'])
    expect(names).toEqual(expect.arrayContaining(publicPolicyList.map(({ name }) => name)))
    expect(names).not.toContain('risk')
    const decided = explanation!.estimates.filter((one) => one.decided)
    expect(decided).toHaveLength(1)
    expect(decided[0]!.value).toBeCloseTo(made[resource]!.target, 6)
    for (const { steps, value } of explanation!.estimates) expect(steps[0]!.value).toBe(value)
  })

  test('numbers in steps are short', () => {
    const says = check(resource).explanation!.estimates.flatMap(({ steps }) => steps.map((step) => step.says))
    expect(says.filter((text) => /\d\.\d{4,}/.test(text))).toEqual([])
    expect(says).toContain('times 1.43')
  })

  test('a safer profile never gives a smaller request', () => {
    const [cost, balanced, safe] = check(resource).explanation!.estimates.map(({ value }) => value!)
    expect(cost).toBeLessThanOrEqual(balanced!)
    expect(balanced).toBeLessThanOrEqual(safe!)
  })

  test('a requested profile or risk is marked as decisive', () => {
    const deciding = (preference: SizingPreference) =>
      check(resource, preference)
        .explanation!.estimates.filter(({ decided }) => decided)
        .map(({ by }) => by)
    expect(deciding({ profile: 'safe' })).toEqual(['safe'])
    expect(deciding({ profile: 'cost' })).toEqual(['cost'])
    expect(deciding({ risk: 0.01 })).toEqual(['risk'])
  })
})

test('an adjustment that changed the size is marked as decisive', () => {
  const spans = steady((hour) => ({ oomKills: hour === 20 * 24 - 2 ? 3 : 0 }))
  const { made, explanation } = check('memory', {}, { spans, current: { memoryLimit: 4, memoryRequest: 4 } })
  const decided = explanation!.estimates.filter((one) => one.decided)
  expect(decided.map(({ by }) => by)).toEqual(['kills'])
  expect(decided[0]!.value).toBeCloseTo(made.memory!.target, 6)
  expect(decided[0]!.steps).toHaveLength(1)
})

test('there is no explanation without a recommendation', () => {
  expect(check('cpu', {}, { spans: steady().slice(0, 2) }).explanation).toBeNull()
})
