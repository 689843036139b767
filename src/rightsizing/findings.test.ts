import { expect, test } from 'vitest'
import type { UsageSpan } from './input.ts'
import { recommend } from './recommend.ts'
import { prices, spansOf } from './usage.case.ts'
import type { RequestsAndLimits } from './workload.ts'

function reasonsOf(
  usage: Parameters<typeof spansOf>[1],
  current: RequestsAndLimits = {},
  more: (hour: number) => Partial<UsageSpan> = () => ({}),
): string {
  const spans = spansOf(10, usage, more)
  return recommend({ spans, current }, { atHour: 240, model: {}, prices }).reasons.join(' ')
}

test('a container that restarts again and again is said to, before its sizes', () => {
  const at = (restarts: number) => reasonsOf({ cpu: () => [0.2], gib: () => [1] }, {}, () => ({ restarts }))
  expect(at(1)).toMatch(/^Restarted 240 times in 10 days without an OOM kill: /)
  expect(at(0)).not.toContain('Restarted')
})

test('a leak reaches the limit on a day', () => {
  const growing = { gib: (hour: number) => [1 + hour / 24 / 10] }
  expect(reasonsOf(growing, { memoryLimit: 3, memoryRequest: 2 })).toMatch(
    /^Memory grows by 0\.1 GiB a day and reaches its limit of 3Gi about 1970-01-21\./,
  )
  expect(reasonsOf(growing)).not.toContain('reaches its limit')
})

test('kills are reported with the limit', () => {
  const killed = reasonsOf({ gib: () => [3.9] }, { memoryRequest: 4, memoryLimit: 4 }, (hour) => ({
    oomKills: hour === 239 ? 2 : 0,
  }))
  expect(killed).toContain('OOM-killed 2 times in the last 14 days, with a limit of 4Gi, so at least 4916Mi.')
})
