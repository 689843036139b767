import { expect, test } from 'vitest'
import { usDollars } from '../parts/currency.ts'
import { currencyOf, renewedCurrency } from './currency-choice.ts'

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

test('a stored rate is renewed; without a rate of the catalogue amounts are in US dollars', () => {
  const stored = { code: 'EUR', rate: 1.1, day: '2025-08-14' }
  const exchange = { from: 'EUR', to: 'USD', rate: 1.1567, day: '2026-08-14', source: 'ECB' }
  const renewed = { code: 'EUR', rate: 1.1567, day: '2026-08-14' }
  expect(renewedCurrency(stored, exchange)).toEqual(renewed)
  expect(renewedCurrency(renewed, exchange)).toBe(renewed)
  expect(renewedCurrency(stored, { ...exchange, from: 'GBP' })).toBe(usDollars)
  expect(renewedCurrency(stored, null)).toBe(usDollars)
  expect(renewedCurrency(usDollars, exchange)).toBe(usDollars)
})
