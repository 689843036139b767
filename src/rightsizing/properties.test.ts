import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { publicPolicyList } from './estimators/public-policies.ts'
import { dailyUsage } from './history/days.ts'
import { resourceHistory } from './history/history.ts'
import type { UsageSpan } from './input.ts'
import { type FleetSeries, type SizingModel, trainModel } from './model/model.ts'
import { recommend } from './recommend.ts'
import { profileNames } from './risk/levels.ts'
import { prices, spansOf } from './usage.case.ts'

const history = fc
  .array(fc.array(fc.double({ min: 0.2, max: 8, noNaN: true }), { minLength: 1, maxLength: 4 }), {
    minLength: 24,
    maxLength: 24 * 6,
  })
  .map((hours) => hours.map((samples, hour) => ({ samples, hour })))
type History = { samples: number[]; hour: number }[]

const spansFrom = (hours: History, factor = 1): UsageSpan[] =>
  hours.flatMap(({ samples, hour }) =>
    spansOf(1, { cpu: () => samples.map((x) => x * factor), gib: () => samples.map((x) => x * factor) })
      .slice(0, 1)
      .map((span) => ({ ...span, startHour: hour })),
  )

const seriesOf = (id: number, factor: number): FleetSeries => {
  const at = (hour: number): number => factor * (0.3 + (id % 7) / 4 + 0.2 * Math.sin(hour / (3 + (id % 5))))
  const spans = spansOf(9, { cpu: (hour) => [at(hour), at(hour) * 1.2], gib: (hour) => [at(hour) * 2] })
  return {
    id: String(id).padStart(3, '0'),
    usage: {
      cpu: dailyUsage(resourceHistory(spans, 'cpu'), 9 * 24),
      memory: dailyUsage(resourceHistory(spans, 'memory'), 9 * 24),
    },
  }
}
const fleet = (factor: number): FleetSeries[] => Array.from({ length: 30 }, (_, id) => seriesOf(id, factor))
const trained = trainModel(fleet(1))

function check(
  hours: History,
  options: {
    factor?: number
    model?: SizingModel
    risk?: number
    shortfall?: number
    profile?: (typeof profileNames)[number]
  } = {},
) {
  const { factor = 1, model = {}, ...preference } = options
  return recommend({ spans: spansFrom(hours, factor) }, { atHour: hours.length, model, prices, preference })
}

describe('for any usage', () => {
  test('usage times k gives k times the request', () => {
    fc.assert(
      fc.property(history, fc.double({ min: 1, max: 50, noNaN: true }), (hours, factor) => {
        for (const profile of profileNames) {
          const [one, many] = [check(hours, { profile }), check(hours, { profile, factor })]
          expect(many.cpu!.target / one.cpu!.target / factor).toBeCloseTo(1, 6)
          expect(many.memory!.target / one.memory!.target / factor).toBeCloseTo(1, 6)
        }
      }),
      { numRuns: 25 },
    )
  })

  test('a fleet times k, with a model trained on it, gives k times the request', () => {
    const model = trainModel(fleet(8))
    expect(model.p95).toBeDefined()
    for (const { id, usage } of fleet(1).slice(0, 5)) {
      expect(usage.cpu!.days).toHaveLength(9)
      const hours = Array.from({ length: 96 }, (_, hour) => ({
        hour,
        samples: [1 + ((Number(id) + hour) % 5)],
      }))
      const [one, many] = [check(hours, { model: trained }), check(hours, { model, factor: 8 })]
      expect(many.cpu!.target / one.cpu!.target / 8).toBeCloseTo(1, 5)
    }
  })

  test('a stricter risk never lowers the request, with and without a model', () => {
    fc.assert(
      fc.property(
        history,
        fc.double({ min: 0.0001, max: 0.3, noNaN: true }),
        fc.double({ min: 0.0001, max: 0.3, noNaN: true }),
        (hours, a, b) => {
          for (const model of [{}, trained]) {
            const [loose, strict] = [
              check(hours, { risk: Math.max(a, b), model }),
              check(hours, { risk: Math.min(a, b), model }),
            ]
            expect(strict.cpu!.target).toBeGreaterThanOrEqual(loose.cpu!.target * (1 - 1e-9))
            expect(strict.memory!.target).toBeGreaterThanOrEqual(loose.memory!.target * (1 - 1e-9))
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  test('a stricter shortfall never lowers the CPU request, at any risk, and does not affect memory', () => {
    const share = fc.double({ min: 0.0001, max: 0.3, noNaN: true })
    fc.assert(
      fc.property(history, share, share, share, (hours, risk, a, b) => {
        for (const model of [{}, trained]) {
          const [loose, strict] = [
            check(hours, { risk, shortfall: Math.max(a, b), model }),
            check(hours, { risk, shortfall: Math.min(a, b), model }),
          ]
          expect(strict.cpu!.target).toBeGreaterThanOrEqual(loose.cpu!.target * (1 - 1e-9))
          expect(strict.memory!.target).toBe(loose.memory!.target)
          const stricterRisk = check(hours, { risk: risk / 2, shortfall: a, model })
          const sameRisk = check(hours, { risk, shortfall: a, model })
          expect(stricterRisk.cpu!.target).toBeGreaterThanOrEqual(sameRisk.cpu!.target * (1 - 1e-9))
        }
      }),
      { numRuns: 20 },
    )
  })

  test('the order of spans and series does not matter', () => {
    fc.assert(
      fc.property(history, (hours) => {
        const spans = spansFrom(hours)
        const context = { atHour: hours.length, model: trained, prices }
        expect(recommend({ spans: [...spans].reverse() }, context)).toEqual(recommend({ spans }, context))
      }),
      { numRuns: 15 },
    )
    const shuffledModel = trainModel(fleet(1).reverse())
    expect(shuffledModel.peak!.forest).toEqual(trained.peak!.forest)
  })
})

describe('adversarial usage', () => {
  const broken = { count: 3, sum: Number.NaN, max: Number.NaN, *[Symbol.iterator]() {} }
  test.each<[string, UsageSpan[]]>([
    ['all zero', spansOf(3, { cpu: () => [0, 0], gib: () => [0] })],
    ['NaN', spansOf(3, {}, () => ({ cpu: broken, memory: broken }))],
    ['one day', spansOf(1, { cpu: () => [1], gib: () => [1] })],
    ['gaps of days', spansOf(20, { cpu: () => [1], gib: () => [1] }).filter((_, i) => i % 100 < 30)],
    ['one enormous sample', spansOf(3, { cpu: (h) => [h === 40 ? 1e6 : 0.1], gib: () => [1] })],
    [
      'spans without hours',
      spansOf(3, { cpu: () => [1], gib: () => [1] }, (h) => (h % 2 ? { hours: 0 } : {})),
    ],
    [
      'a clock that jumps',
      spansOf(3, { cpu: () => [1], gib: () => [1] }, (h) => (h === 5 ? { startHour: Number.NaN } : {})),
    ],
  ])('%s gives a finite result or none', (_, spans) => {
    for (const model of [{}, trained]) {
      const made = recommend({ spans }, { atHour: 24 * 20, model, prices })
      for (const part of [made.cpu, made.memory]) {
        if (part === null) continue
        for (const value of [part.target, part.lower, part.upper]) expect(value).toBeGreaterThan(0)
        expect(Number.isFinite(part.upper)).toBe(true)
      }
      expect(made.confidence).toBeGreaterThanOrEqual(0)
      expect(made.confidence).toBeLessThanOrEqual(1)
    }
  })

  test('a public policy returns null without usage', () => {
    const empty = { history: resourceHistory([], 'cpu'), spans: 0, atHour: 0 }
    for (const policy of publicPolicyList)
      for (const resource of ['cpu', 'memory'] as const) expect(policy[resource](empty).value).toBeNull()
  })
})
