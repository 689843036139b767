import { expect, test } from 'vitest'
import { usDollars } from '../parts/currency.ts'
import { currencyOf } from './currency-choice.ts'

test('a stored currency is restored; anything else becomes US dollars', () => {
  const euro = { code: 'EUR', rate: 1.1567, day: '2026-08-14' }
  expect(currencyOf(JSON.stringify(euro))).toEqual(euro)
  for (const stored of [
    null,
    '',
    'null',
    '{}',
    '{"code":"EUR"}',
    JSON.stringify({ ...euro, rate: 0 }),
    JSON.stringify({ ...euro, code: 'euro' }),
  ])
    expect(currencyOf(stored)).toBe(usDollars)
})
