import { expect, test } from 'vitest'
import {
  convertAmounts,
  exchangeHeader,
  inCurrency,
  nameAmounts,
  nameAsUsd,
  nameColumns,
  parseCurrency,
  readExchange,
  textInCurrency,
  writeExchange,
} from './currency.ts'

const known = { from: 'EUR', to: 'USD', rate: 1.25, day: '2026-11-13', source: 'ECB' }

test('amounts are converted and named, names of people stay', () => {
  const euro = parseCurrency('eur', known)!
  const row = {
    namespace: 'pay_usd',
    cost_usd: 5,
    node_cost_usd_per_hour: 0.1,
    used_core_hours: 2,
    note: null,
  }
  const converted = convertAmounts(row, euro)
  expect(nameAmounts(converted, euro)).toEqual({
    ...{ namespace: 'pay_usd', cost_eur: 4, node_cost_eur_per_hour: 0.08, used_core_hours: 2, note: null },
  })
  expect(nameAsUsd(nameAmounts(converted, euro), euro)).toEqual(converted)
  expect(nameColumns('namespace,cost_usd,cpu_cost_usd\r\n', euro)).toBe('namespace,cost_eur,cpu_cost_eur\r\n')
  expect(readExchange(new Headers({ [exchangeHeader]: writeExchange(euro) }))).toEqual(euro)
  expect(readExchange(new Headers())).toBeUndefined()
})

test('a currency without a dated rate is refused with those that have one', () => {
  expect([parseCurrency(undefined, known), parseCurrency('USD', null)]).toEqual([undefined, undefined])
  const errors = [{ pointer: '?currency', message: 'must be USD or EUR: there is no dated rate of others' }]
  expect(() => parseCurrency('XYZ', known)).toThrow(expect.objectContaining({ errors }))
  expect(() => parseCurrency('EUR', null)).toThrow()
})

test('amounts of an answer and of its texts are converted, quantities and what can be set again are not', () => {
  const euro = parseCurrency('EUR', known)!
  const answer = {
    worth_per_month: 10,
    cost_per_month: { now: 100, with_sizes: 50 },
    curve: [{ usd_per_hour: 0.5, saved_usd: 2.5 }],
    rules: [{ name: 'costs_usd', price_per_hour_usd: 0.1 }],
    hours_per_month: 730,
    grams_co2e_per_hour: 5,
    cores: 2,
    text: 'It costs $1,234.50 instead of -$0.125; more than $10, not $5.',
    title: 'a $5 machine',
  }
  expect(inCurrency(answer, euro)).toEqual({
    ...answer,
    worth_per_month: 8,
    cost_per_month: { now: 80, with_sizes: 40 },
    curve: [{ usd_per_hour: 0.5, saved_eur: 2 }],
    text: 'It costs €987.60 instead of -€0.100; more than €8.00, not €4.00.',
  })
  expect(textInCurrency('$1,249.994 $0.00', euro)).toBe('€999.995 €0.00')
})
