import { expect, test } from 'vitest'
import { TopRows } from './recommendation-row.ts'

test('the greatest are kept, whether they save or cost; the others are counted', () => {
  const top = new TopRows<{ readonly worth: number }>(3)
  for (const worth of [1, -9, 2, 8, 0, 3, -1, 7, 2.5]) top.add({ worth })
  expect(top.items.map(({ worth }) => worth).sort((a, b) => a - b)).toEqual([-9, 7, 8])
  expect(top.dropped).toEqual({ count: 6, worth: 1 + 2 + 0 + 3 - 1 + 2.5 })
})

test('below the limit nothing is left out', () => {
  const top = new TopRows<{ readonly worth: number }>(3)
  for (const worth of [1, 2, 3]) top.add({ worth })
  expect(top.items).toHaveLength(3)
  expect(top.dropped).toEqual({ count: 0, worth: 0 })
})
