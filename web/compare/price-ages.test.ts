import { expect, test } from 'vitest'
import { type Price, priceAgesText } from './price-ages.ts'

const price = (day: string | null, age_days: number | null, more: Partial<Price> = {}): Price => ({
  day,
  age_days,
  is_indicative: false,
  price_source: 'list',
  ...more,
})
const recent = price('2026-11-01', 18)
const old = price('2025-04-01', 597)

test.each<[Price[], string]>([
  [[], ''],
  [[price(null, null), price('2026-11-01', 18, { price_source: 'own' })], ''],
  [[recent, recent], 'List prices of 2026-11-01.'],
  [
    [recent, old],
    'List prices of 2025-04-01 to 2026-11-01. One of them is over a year old: ask the provider before acting on them.',
  ],
  [
    [old, old],
    'List prices of 2025-04-01. All of them are over a year old: ask the provider before acting on them.',
  ],
  [[recent, { ...old, is_indicative: true }], 'List prices of 2025-04-01 to 2026-11-01.'],
])('%j', (prices, text) => {
  expect(priceAgesText(prices, (day) => day)).toBe(text)
})
