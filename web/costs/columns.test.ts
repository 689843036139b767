import { expect, test } from 'vitest'
import { exportOf } from '../parts/table/column.ts'
import { type CostTableRow, costColumns } from './columns.tsx'

test('exported usage is in percent, and amounts are in US dollars', () => {
  const row = {
    name: 'shop',
    place: '',
    costUsd: 25,
    totalUsd: 100,
    requestedCoreHours: 10,
    usedCoreHours: 2.5,
    requestedGibHours: 0,
    usedGibHours: 0,
  } as CostTableRow
  const columns = costColumns({ by: ['namespace'] }, undefined, new URLSearchParams(), false)
  expect(exportOf(columns, [row])).toEqual({
    header: ['Namespace', 'Cost (USD)', 'Share (%)', 'CPU used (%)', 'Memory used (%)'],
    rows: [['shop', 25, 25, 25, null]],
  })
})
