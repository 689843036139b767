import { expect, test } from 'vitest'
import { currency, usDollars } from '../currency.ts'
import { type Column, exportOf } from './column.ts'

interface Row {
  readonly name: string
  readonly has: number
  readonly needs: number
}

const columns: readonly Column<Row>[] = [
  { id: 'name', header: 'Name', value: ({ name }) => name },
  {
    id: 'cpu',
    header: 'CPU: has, needs',
    value: ({ needs }) => needs,
    exported: [
      { header: 'CPU: has', unit: 'cores', value: ({ has }) => has },
      { header: 'CPU: needs', unit: 'cores', value: ({ needs }) => needs },
    ],
  },
  { id: 'cost', header: 'Cost', unit: 'USD', value: () => 12.504 },
  { id: 'remove', header: 'Change', value: () => null, action: true },
]

test('exported files have units in their headers, every value of a cell, and no buttons', () => {
  expect(exportOf(columns, [{ name: 'a', has: 4, needs: 1 }])).toEqual({
    header: ['Name', 'CPU: has (cores)', 'CPU: needs (cores)', 'Cost (USD)'],
    rows: [['a', 4, 1, 12.5]],
  })
  currency.set({ code: 'EUR', rate: 1.25, day: '2026-11-13' })
  expect(exportOf(columns.slice(2), [{ name: 'a', has: 4, needs: 1 }])).toEqual({
    header: ['Cost (EUR)'],
    rows: [[10]],
  })
  currency.set(usDollars)
})
