import fc from 'fast-check'
import type { UsageSpan } from './input.ts'
import { spansOf } from './usage.case.ts'
import type { Workload } from './workload.ts'

const size = fc.option(fc.double({ min: 0.05, max: 12, noNaN: true }), { nil: undefined })
const share = fc.option(fc.double({ min: 0.1, max: 1.5, noNaN: true }), { nil: undefined })

/** A workload with any combination of leaks, kills, throttling, spikes, busy replicas and autoscalers. */
export const anyWorkload = fc
  .record({
    days: fc.integer({ min: 1, max: 9 }),
    usage: fc.array(fc.double({ min: 0, max: 6, noNaN: true }), { minLength: 3, maxLength: 12 }),
    growth: fc.constantFrom(0, 0, 0.3),
    oomKills: fc.constantFrom(0, 0, 1),
    throttledShare: fc.constantFrom(0, 0, 0.03, 0.6),
    spike: fc.constantFrom(0, 0, 9),
    busiest: fc.constantFrom(0, 0, 3),
    current: fc.record({ cpuRequest: size, cpuLimit: size, memoryRequest: size, memoryLimit: size }),
    autoscaler: fc.record({ cpuTarget: share, memoryTarget: share }),
    replicas: fc.double({ min: 0.01, max: 50, noNaN: true }),
    job: fc.boolean(),
    init: fc.boolean(),
  })
  .map(({ days, usage, growth, oomKills, throttledShare, spike, busiest, ...rest }) => {
    const at = (hour: number, more = 0): number[] => [
      usage[hour % usage.length]! + more + (growth * hour) / 24,
    ]
    const starts = (hour: number): boolean => spike > 0 && hour % 30 === 3
    const spans = spansOf(
      days,
      { cpu: (hour) => at(hour, starts(hour) ? spike : 0), gib: (hour) => at(hour) },
      (hour): Partial<UsageSpan> => ({
        oomKills: hour === days * 24 - 2 ? oomKills : 0,
        throttledShare,
        ...(starts(hour) ? { cpuWithoutStarts: null } : {}),
      }),
    )
    const busiestSpans = spansOf(days, { cpu: (hour) => at(hour, busiest), gib: (hour) => at(hour) })
    const made: Workload = { ...rest, spans, ...(busiest > 0 ? { busiest: busiestSpans } : {}) }
    return { made, atHour: days * 24 }
  })
