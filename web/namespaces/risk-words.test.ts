import { expect, test } from 'vitest'
import { Refused } from '../api/problem.ts'
import { inPercent, riskRefused, riskText, shareOf } from './risk-words.ts'

test.each([
  [0, 0, '0%'],
  [0.0025, 0.25, '0.25%'],
  [0.007, 0.7, '0.7%'],
  [0.29, 29, '29%'],
  [1, 100, '100%'],
  [Number.NaN, Number.NaN, '?'],
])('a share of %d is %d percent, converted in both directions', (share, percent, said) => {
  expect(inPercent(share)).toBe(percent)
  expect(shareOf(percent)).toBe(share)
  expect(riskText(share)).toBe(said)
})

const refused = (...pointers: string[]) =>
  new Refused(422, { errors: pointers.map((pointer) => ({ pointer, message: 'must be <= 1' })) })

test.each([
  [refused('?profile', '?risk'), 'must be <= 1'],
  [refused('?profile'), undefined],
  [new Refused(500, {}), undefined],
  [new Error('elsewhere'), undefined],
  [null, undefined],
])('%s', (error, why) => expect(riskRefused(error)).toBe(why))
