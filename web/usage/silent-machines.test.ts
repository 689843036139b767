import { expect, test } from 'vitest'
import { silentMachines } from './silent-machines.ts'

test('silent machines are listed with their last hour; clusters are not', () => {
  const last_seen = '2026-11-15T04:00:00.000Z'
  const source = (kind: 'cluster' | 'machine', name: string, is_silent: boolean) => ({
    kind,
    name,
    last_seen,
    is_silent,
  })
  const sources = [
    source('cluster', 'prod', true),
    source('machine', 'build-7', false),
    source('machine', 'old', true),
  ]
  expect([...silentMachines(sources)]).toEqual([['old', last_seen]])
  expect(silentMachines(undefined).size).toBe(0)
})
