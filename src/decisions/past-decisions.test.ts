import { expect, test } from 'vitest'
import type { RequestsAndLimits } from '../rightsizing/workload.ts'
import type { SizeDecision } from './decision.ts'
import { settingsSince } from './past-decisions.ts'

const decided = (day: number, current: RequestsAndLimits): SizeDecision => ({
  day,
  evidence: { hour: (day + 1) * 24, seenHours: 24, daysSinceFirst: 1, isTrained: false },
  decidedAt: 0,
  late: false,
  current,
  replicas: 1,
})
const [small, large] = [
  { memoryRequest: 1, memoryLimit: 2, cpuRequest: 0.5 },
  { memoryRequest: 2, memoryLimit: 4, cpuRequest: 0.5 },
]
const now = { day: 20, hour: 500 }
const unknown = { cpuHour: undefined, memoryHour: undefined }

test.each<[string, SizeDecision[], RequestsAndLimits, ReturnType<typeof settingsSince>]>([
  ['nothing is known', [], small, { limitsSince: unknown }],
  [
    'the same size',
    [decided(18, small), decided(19, small)],
    small,
    { largest: small, limitsSince: unknown },
  ],
  [
    'raised on day 18',
    [decided(17, small), decided(18, large), decided(19, large)],
    large,
    {
      largest: large,
      replaced: { memoryRequest: 1, memoryLimit: 2 },
      limitsSince: { cpuHour: undefined, memoryHour: 19 * 24 },
    },
  ],
  [
    'raised now',
    [decided(19, small)],
    large,
    {
      largest: large,
      replaced: { memoryRequest: 1, memoryLimit: 2 },
      limitsSince: { ...unknown, memoryHour: 500 },
    },
  ],
  [
    'cut within a week',
    [decided(15, large)],
    small,
    { largest: large, replaced: { memoryRequest: 2, memoryLimit: 4 }, limitsSince: unknown },
  ],
  [
    'cut longer ago',
    [decided(12, large), decided(19, small)],
    small,
    { largest: small, limitsSince: unknown },
  ],
  [
    'a limit that was removed',
    [decided(19, small)],
    { memoryRequest: 3 },
    {
      largest: { ...small, memoryRequest: 3 },
      replaced: { memoryRequest: 1 },
      limitsSince: { cpuHour: undefined, memoryHour: 500 },
    },
  ],
])('%s', (_, past, current, expected) => {
  expect(settingsSince(past, current, now)).toEqual(expected)
})
