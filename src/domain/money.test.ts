import { expect, test } from 'vitest'
import { dollars } from './money.ts'
import { plural } from './text.ts'

test('amounts have two decimals, and one thing is singular', () => {
  expect([24.254, -3.5, 0, -0.001, 146.755].map(dollars)).toEqual([
    '$24.25',
    '-$3.50',
    '$0.00',
    '$0.00',
    '$146.76',
  ])
  expect([0, 1, 2].map((count) => plural(count, 'recommendation'))).toEqual([
    '0 recommendations',
    '1 recommendation',
    '2 recommendations',
  ])
})
