import { expect, test } from 'vitest'
import { costText, statesText } from './fleet-words.ts'
import type { MachineRow } from './machine-row.ts'

const machine = (of: { idle?: boolean; silentSince?: string; cost?: number; source?: string }) =>
  ({
    summary: { idle: of.idle ?? false, rehost: { priceSource: of.source ?? 'list' } },
    silentSince: of.silentSince,
    costPerMonth: of.cost ?? null,
  }) as unknown as MachineRow
const since = '2026-11-15T04:00:00.000Z'

test.each([
  [[{}], 'none is idle', 'per month'],
  [[{ idle: true, cost: 5, source: 'base' }, {}], '1 idle', 'per month, 1 machine by estimate'],
  [[{ silentSince: since }], 'none is idle, 1 silent', 'per month'],
  [
    [{ silentSince: since, cost: 70.08 }, { silentSince: since, cost: 10 }, { cost: 30 }],
    'none is idle, 2 silent',
    'per month; includes $80.08 of 2 silent machines, not counted in the overview',
  ],
])('%j', (machines, states, cost) => {
  expect(statesText(machines.map(machine))).toBe(states)
  expect(costText(machines.map(machine))).toBe(cost)
})
