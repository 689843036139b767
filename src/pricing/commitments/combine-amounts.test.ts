import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bestAmount } from './best-amount.ts'
import { combineAmounts, hoursOfUse, type ScopedAmount, type SteadyHours } from './combine-amounts.ts'

const ratio = fc.integer({ min: 30, max: 60 }).map((percent) => percent / 100)
/** Two families, a general plan with lower discounts, and the usage of each family in each hour. */
const anyCase = fc.record({
  m5: ratio,
  c5: ratio,
  worse: fc.integer({ min: 0, max: 30 }).map((percent) => percent / 100),
  hours: fc.array(fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 8 })), {
    minLength: 2,
    maxLength: 8,
  }),
})

const amountsOf = (steady: readonly SteadyHours[], ratios: readonly ScopedAmount['ratios'][]) =>
  ratios.flatMap((one, at): ScopedAmount[] => {
    const hours = hoursOfUse(steady, one)
    const bestUsd = bestAmount(hours)
    const family = ['m5', 'c5'][at]
    const kind = 'savings_plan' as const
    const scope = {
      ...{ provider: 'aws', kind, covers: () => true },
      ...(family && { family, region: 'us-east-1' }),
    }
    return bestUsd > 0 ? [{ scope, term: '1y', hours, bestUsd, ratios: one }] : []
  })

/** An hour, covered by the families first, then by the plan for everything with the higher discount first. */
function hourUsd(
  use: readonly number[],
  ratios: readonly number[],
  general: readonly number[],
  usd: readonly number[],
) {
  const left = use.map((one, at) => Math.max(0, one - usd[at]! / ratios[at]!))
  let dollars = usd[2]!
  for (const at of general[0]! <= general[1]! ? [0, 1] : [1, 0]) {
    const used = Math.min(dollars, general[at]! * left[at]!)
    dollars -= used
    left[at]! -= used / general[at]!
  }
  return usd[0]! + usd[1]! + usd[2]! + left[0]! + left[1]!
}

test('together they save as replaying each hour says, more than any alone, and nearly the most of all amounts', () => {
  fc.assert(
    fc.property(anyCase, ({ m5, c5, worse, hours }) => {
      const steady = hours.map((leftUsd) => ({ hours: 1, leftUsd }))
      const general = [m5 + worse, c5 + worse]
      const amounts = amountsOf(steady, [[m5, undefined], [undefined, c5], general])
      const mean = (usd: readonly number[]) =>
        hours.reduce((sum, use) => sum + hourUsd(use, [m5, c5], general, usd), 0) / hours.length
      const nothing = mean([0, 0, 0])
      const bestOf = (from: readonly number[], to: readonly number[]): number => {
        let most = 0
        const steps = (at: number) =>
          Array.from({ length: 9 }, (_, n) => from[at]! + (n / 8) * (to[at]! - from[at]!))
        for (const a of steps(0))
          for (const b of steps(1)) for (const c of steps(2)) most = Math.max(most, nothing - mean([a, b, c]))
        return most
      }
      const found = combineAmounts(amounts, steady)
      const alone = Math.max(
        0,
        ...amounts.map(
          ({ scope: { family }, bestUsd }) =>
            nothing -
            mean([family === 'm5' ? bestUsd : 0, family === 'c5' ? bestUsd : 0, family ? 0 : bestUsd]),
        ),
      )
      const exhaustive = bestOf([0, 0, 0], [8 * m5, 8 * c5, 8 * (general[0]! + general[1]!)])
      if (found === undefined) return
      const usdOf = (family?: string) =>
        found.parts.find(({ amount }) => amount.scope.family === family)?.usd ?? 0
      expect(found.savedUsd).toBeCloseTo(nothing - mean([usdOf('m5'), usdOf('c5'), usdOf()]), 9)
      expect(found.savedUsd).toBeGreaterThan(alone)
      expect(found.savedUsd).toBeGreaterThanOrEqual(0.9 * exhaustive)
    }),
    { numRuns: 300 },
  )
})
