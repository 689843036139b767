import { expect, test } from 'vitest'
import { exportOf } from '../parts/table/column.ts'
import { type CostTableRow, costColumns } from './columns.tsx'

test('exported usage is in percent, amounts are in US dollars and cents, and a name has columns for its parts', () => {
  const row = {
    name: 'shop',
    place: 'production',
    costUsd: 25.0049,
    totalUsd: 100,
    requestedCoreHours: 10,
    usedCoreHours: 2.5,
    requestedGibHours: 0,
    usedGibHours: 0,
  } as CostTableRow
  const columns = costColumns({ by: ['namespace'] }, undefined, new URLSearchParams(), false)
  expect(exportOf(columns, [row])).toEqual({
    header: ['Namespace', 'Part of', 'Cost (USD)', 'Share (%)', 'CPU used (%)', 'Memory used (%)'],
    rows: [['shop', 'production', 25, 25, 25, null]],
  })
})
