import { describe, expect, test } from 'vitest'
import { currency, usDollars } from './currency.ts'
import {
  ago,
  cores,
  count,
  day,
  gib,
  hourly,
  money,
  moneyOfParts,
  percent,
  range,
  share,
  signedPercent,
  textWithAmounts,
} from './figures.ts'
import { capNote } from './month-cap.ts'

const rows = <Value>(of: (value: Value) => string, cases: readonly (readonly [Value, string])[]) =>
  test.each(cases)(`${of.name} %s`, (value, said) => expect(of(value)).toBe(said))

describe('figures have units and separators', () => {
  rows(count, [
    [1_234_567, '1,234,567'],
    [0, '0'],
    [Number.NaN, '–'],
  ])
  rows(money, [
    [1234.5, '$1,234.50'],
    [-0.113, '-$0.11'],
    [-0.001, '$0.00'],
    [12_345.6, '$12,346'],
  ])
  test('parts add up to their total', () => {
    expect(money(1596.114)).toBe('$1,596.11')
    const parts = moneyOfParts(1596.114, [960.0965, 124.246, 342.6655, 169.106])
    expect(parts).toEqual(['$960.08', '$124.25', '$342.67', '$169.11'])
    expect(moneyOfParts(12_345.6, [9000.4, 3345.2])).toEqual(['$9,001', '$3,345'])
    expect(moneyOfParts(0, [])).toEqual([])
  })
  rows(hourly, [
    [0.192, '$0.1920'],
    [0.008996, '$0.008996'],
    [1.7314, '$1.731'],
    [98.304, '$98.30'],
    [0.0031, '$0.0031'],
    [1.56, '$1.560'],
    [0, '$0.0000'],
  ])
  rows(cores, [
    [1, '1 core'],
    [0.125, '0.125 cores'],
    [1024, '1,024 cores'],
  ])
  rows(gib, [
    [16, '16 GiB'],
    [0.5, '512 MiB'],
    [0, '0 GiB'],
    [1536.25, '1,536.25 GiB'],
  ])
  rows(percent, [
    [15.519, '15.5%'],
    [95, '95.0%'],
    [-0.04, '0.0%'],
  ])
  rows(signedPercent, [
    [3.14, '+3.1%'],
    [-0.4, '-0.4%'],
    [-0.04, '0.0%'],
    [0.04, '0.0%'],
  ])
  rows(share, [[0.114, '11%']])
  test('range writes a shared unit once', () => {
    expect(range(cores, 0.528, 1.54)).toBe('0.528–1.54 cores')
    expect(range(gib, 0.79, 2.92)).toBe('809 MiB–2.92 GiB')
  })
  rows(day, [['2026-08-22', '22 Aug 2026']])
  test('ago', () => {
    const now = Date.parse('2026-11-15T00:00:00Z')
    expect(ago('2026-11-14T00:00:00Z', now)).toBe('yesterday')
    expect(ago('2026-11-14T23:58:00Z', now)).toBe('2 minutes ago')
    expect(ago('2025-08-23', now)).toBe('15 months ago')
    expect(ago('2024-10-01', now)).toBe('2 years ago')
    expect(ago(null, now)).toBe('never')
  })
})

test('amounts in texts follow the selected currency', () => {
  const text = 'm6a.xlarge costs $0.1728 an hour instead of $0.4.'
  expect(textWithAmounts(text)).toBe(text)
  currency.set({ code: 'EUR', rate: 1.25, day: '2026-11-13' })
  expect(textWithAmounts(text)).toBe('m6a.xlarge costs €0.1382 an hour instead of €0.32.')
  currency.set(usDollars)
})

test('a month that a provider caps is said to have fewer hours', () => {
  expect(capNote(0.00893, 6)).toBe(', at most 672 h')
  expect(capNote(0.1, 73)).toBe('')
  expect(capNote(0.1, null)).toBe('')
})
