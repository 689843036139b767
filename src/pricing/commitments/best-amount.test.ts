import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assessAmount, bestAmount, type HoursOfUse, largestAmount } from './best-amount.ts'

test('steady usage is committed, and what runs less often than the discount pays is not', () => {
  // Two machines at a dollar always, two more half of the time; committed, each costs 60 cents.
  const machines = (count: number) => [{ onDemandUsd: count, committedUsd: 0.6 * count }]
  const days: HoursOfUse[] = [
    { hours: 12, uses: machines(2) },
    { hours: 12, uses: machines(4) },
  ]
  expect(bestAmount(days)).toBeCloseTo(1.2)
  expect(assessAmount(days, 1.2)).toMatchObject({ costUsd: 2.2, used: 1, underUsedHours: 0 })
  // At 40 cents it pays although it is not used half of the time.
  const cheaper = days.map(({ hours, uses }) => ({
    hours,
    uses: uses.map(({ onDemandUsd }) => ({ onDemandUsd, committedUsd: 0.4 * onDemandUsd })),
  }))
  expect(bestAmount(cheaper)).toBeCloseTo(1.6)
  expect(assessAmount(cheaper, 1.6)).toMatchObject({
    costUsd: 1.6,
    used: expect.closeTo(0.75),
    underUsedHours: 0.5,
  })
})

test('no other amount costs less', () => {
  const use = fc
    .record({ onDemandUsd: fc.integer({ min: 1, max: 9 }), ratio: fc.constantFrom(0.3, 0.5, 0.7, 0.9, 1) })
    .map(({ onDemandUsd, ratio }) => ({ onDemandUsd, committedUsd: onDemandUsd * ratio }))
  const hours = fc.record({ hours: fc.integer({ min: 1, max: 5 }), uses: fc.array(use, { maxLength: 4 }) })
  fc.assert(
    fc.property(fc.array(hours, { minLength: 1, maxLength: 6 }), (all) => {
      const cost = (amount: number) => assessAmount(all, amount).costUsd
      const most = largestAmount(all)
      const tried = Array.from({ length: 401 }, (_, step) => (step / 400) * 1.1 * most)
      expect(cost(bestAmount(all))).toBeLessThanOrEqual(Math.min(...tried.map(cost)) + 1e-9)
    }),
  )
})
