import { expect, test } from 'vitest'
import {
  convertAmounts,
  exchangeHeader,
  nameAmounts,
  nameAsUsd,
  nameColumns,
  parseCurrency,
  readExchange,
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
