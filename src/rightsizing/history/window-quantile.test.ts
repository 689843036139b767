import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spansOf } from '../usage.case.ts'
import { resourceHistory, viewAt } from './history.ts'
import { windowQuantile } from './window-quantile.ts'

test('a quantile of a window equals that of its sorted values', () => {
  const samples = fc.array(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 6 }), {
    minLength: 48,
    maxLength: 48,
  })
  fc.assert(
    fc.property(
      samples,
      fc.integer({ min: 0, max: 48 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (hours, window, q) => {
        const view = viewAt(resourceHistory(spansOf(2, { cpu: (hour) => hours[hour]! }), 'cpu'), 48)
        const sorted = hours
          .slice(48 - window)
          .flat()
          .sort((a, b) => a - b)
        const found = windowQuantile(view, window, q)
        if (sorted.length === 0) {
          expect(found).toBeNull()
          return
        }
        const rank = q * (sorted.length - 1)
        const [low, high] = [sorted[Math.floor(rank)]!, sorted[Math.ceil(rank)]!]
        expect(found).toBeCloseTo(low + (high - low) * (rank - Math.floor(rank)), 9)
      },
    ),
  )
})
