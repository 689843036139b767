import { describe, expect, test } from 'vitest'
import { Distribution } from '../usage/distribution/distribution.ts'
import { historyText } from './adjustments/band.ts'
import type { UsageSpan } from './input.ts'
import { recommend } from './recommend.ts'
import { RecommendationWorkspace } from './risk/resource-forecast.ts'
import { prices, spansOf } from './usage.case.ts'
import type { SizingPreference, Workload } from './workload.ts'

const wave = (hour: number, high: number): number[] =>
  Array.from({ length: 12 }, (_, i) => high * (0.6 + 0.4 * Math.abs(Math.sin((hour * 12 + i) / 23))))
const steady = spansOf(14, { cpu: (hour) => wave(hour, 1), gib: (hour) => wave(hour, 2) })

function check(workload: Partial<Workload>, preference: SizingPreference = {}) {
  const spans = workload.spans ?? steady
  const atHour = Math.max(0, ...spans.map(({ startHour, hours }) => startHour + hours))
  const made = recommend({ ...workload, spans }, { atHour, model: {}, prices, preference })
  return { ...made, words: made.reasons.join(' ') }
}

describe('a band with reasons', () => {
  test('a steady series gets a little more than it uses', () => {
    const { cpu, memory, confidence } = check({})
    expect(cpu!.target).toBeGreaterThan(0.95)
    expect(cpu!.target).toBeLessThan(2)
    expect(memory!.target).toBeGreaterThan(1.9)
    expect(memory!.target).toBeLessThan(3)
    for (const part of [cpu!, memory!]) {
      expect(part.lower).toBeLessThanOrEqual(part.target)
      expect(part.upper).toBeGreaterThanOrEqual(part.target)
    }
    expect(confidence).toBeGreaterThan(0.6)
  })

  test('a short history gives wide bounds and low confidence', () => {
    const young = check({ spans: steady.slice(0, 24) })
    const grown = check({})
    expect(young.confidence).toBeLessThan(0.3)
    expect(young.words).toContain('Only 1 day of history')
    const width = (part: { upper: number; lower: number }): number => part.upper / part.lower
    expect(width(young.memory!)).toBeGreaterThan(width(grown.memory!))
    expect(young.cpu!.target).toBeLessThan(5)
  })

  test.each([
    ['6 hours', steady.slice(0, 6)],
    ['23 hours', steady.slice(0, 23)],
    ['1 day', steady.slice(0, 24)],
    ['2 days', steady.slice(0, 26)],
    // The spike lasts four hours a day.
    ['2 days', steady.filter((_, hour) => hour < 48 && hour % 24 < 4)],
  ])('%s of history', (long, spans) => {
    const { words } = check({ spans: spans as UsageSpan[] })
    expect(words).toContain(`Only ${long} of history: bounds are wide.`)
    for (const name of ['CPU', 'Memory'])
      expect(words).toMatch(new RegExp(`${name}: p99 [\\d.]+ \\w+, peak [\\d.]+ \\w+ in ${long}; `))
  })

  test('a size far above p99 says how far usage rises above p99', () => {
    // Three times as much in 0.9% of the time, all of it in the last week.
    const builds = (hour: number) =>
      wave(hour, 1).map((use, i) => (hour > 168 && (hour * 12 + i) % 56 === 0 ? 3 : use))
    const safe = check(
      { spans: spansOf(14, { cpu: builds, gib: (hour) => wave(hour, 2) }) },
      { profile: 'safe' },
    )
    expect(safe.cpu!.target).toBeGreaterThan(2)
    expect(safe.words).toMatch(
      /, more than p99, because p99\.5 is 3(\.\d+)? cores and recent days count more\./,
    )
    expect(check({}, { profile: 'safe' }).words).not.toContain('more than p99')
  })

  test.each([[[]], [steady.slice(0, 1)], [steady.slice(0, 5)]])(
    'too little data gives no recommendation and says so',
    (spans) => {
      const { cpu, memory, confidence, words } = check({ spans: spans as UsageSpan[] })
      expect([cpu, memory, confidence]).toEqual([null, null, 0])
      expect(words).toContain('at least 6 hours are needed')
    },
  )
})

describe('adjustments', () => {
  test('an OOM kill raises memory at once', () => {
    const spans = steady.map((span, i) => (i === steady.length - 1 ? { ...span, oomKills: 2 } : span))
    const { memory, words } = check({ spans, current: { memoryLimit: 4, memoryRequest: 4 } })
    expect(memory!.target).toBeCloseTo(4.8, 6)
    expect(words).toContain('killed 2 times')
    const long = spansOf(30, { gib: () => [1, 1] }, (hour) => (hour === 3 ? { oomKills: 1 } : {}))
    expect(check({ spans: long, current: { memoryLimit: 4 } }).memory!.target).toBeLessThan(2)
  })

  test('throttling counts as demand', () => {
    const held = steady.map((span) => ({ ...span, throttledShare: 0.5 }))
    const { cpu, words } = check({ spans: held })
    expect(cpu!.target / check({}).cpu!.target).toBeCloseTo(1.5, 6)
    expect(words).toContain('50% of periods')
  })

  test('a startup spike counts for the limit only', () => {
    const spans = spansOf(7, { cpu: (hour) => (hour % 48 === 0 ? [8, 0.2] : [0.2, 0.2]) }, (hour) =>
      hour % 48 === 0 ? { cpuWithoutStarts: null } : {},
    )
    const { cpu, words } = check({ spans, current: { cpuRequest: 1, cpuLimit: 8 } })
    expect(cpu!.target).toBeLessThan(0.5)
    expect(cpu!.limit).toBeGreaterThanOrEqual(8)
    expect(words).toContain('occur only at startup')
    // If the limit equals the request, or the workload is a job, the request must cover the spike.
    const kept: Partial<Workload>[] = [{ current: { cpuRequest: 8, cpuLimit: 8 } }, { job: true }]
    for (const more of kept) {
      const held = check({ spans, ...more })
      expect(held.cpu!.upper).toBeGreaterThan(cpu!.upper)
      expect(held.words).not.toContain('occur only at startup')
    }
  })

  test('a leak is reported and does not raise the request', () => {
    const spans = spansOf(8, { gib: (hour) => [1 + hour / 48, 1 + hour / 48] })
    const { memory, words } = check({ spans, current: { memoryRequest: 4 } })
    expect(words).toContain('looks like a leak')
    expect(memory!.target).toBeLessThanOrEqual(spans.at(-1)!.memory!.max / 2 ** 30 + 1e-9)
  })

  test('with an autoscaler the request may only fall, and not below usage divided by its target', () => {
    const spans = spansOf(14, { cpu: () => [0.5, 0.5, 0.5] })
    const { cpu, words } = check({ spans, current: { cpuRequest: 1 }, autoscaler: { cpuTarget: 0.5 } })
    expect(cpu!.target).toBe(1)
    expect(cpu!.worthChanging).toBe(false)
    expect(words).toContain('left as it is')
    const idle = spansOf(14, { cpu: () => [0.1, 0.1] })
    const lower = check({ spans: idle, current: { cpuRequest: 1 }, autoscaler: { cpuTarget: 0.5 } })
    expect(lower.cpu!.target).toBeCloseTo(0.2, 6)
  })

  test('the request covers a replica that is busier than the others', () => {
    const busiest = spansOf(14, { cpu: () => [2, 2.1], gib: () => [1, 1] })
    const spans = spansOf(14, { cpu: () => [...Array(38).fill(0.1), 2, 2.1], gib: () => [1, 1] })
    const { cpu, words } = check({ spans, busiest, replicas: 20 })
    expect(cpu!.target).toBeGreaterThan(2)
    expect(words).toContain('one replica is always busier')
  })

  test('a job is sized by its runs', () => {
    const spans = spansOf(14, { cpu: () => [1, 1], gib: () => [1, 1] }).filter(
      ({ startHour }) => startHour % 24 < 2,
    )
    const { cpu, words } = check({ spans })
    expect(cpu!.target).toBeGreaterThanOrEqual(1)
    expect(words).toContain('Runs intermittently')
  })

  test.each([
    ['of a fiftieth', { cpuRequest: 1.02 }, 'less than 10%'],
    ['worth less than a cent a day', { cpuRequest: 0.012 }, 'less than a cent'],
  ])('a change %s is not proposed', (name, given, reason) => {
    const base = check({}).cpu!.target
    const spans = name === 'of a fiftieth' ? steady : spansOf(14, { cpu: () => [0.0001] })
    const current = name === 'of a fiftieth' ? { cpuRequest: base * given.cpuRequest } : given
    const { cpu, words } = check({ spans, current })
    expect(cpu!.worthChanging).toBe(false)
    expect(words).toContain(reason)
  })

  test('a public policy can be selected by name', () => {
    const { cpu } = check({ spans: spansOf(14, { cpu: () => [1, 1] }) }, { policy: 'kubecost' })
    expect(cpu!.target).toBeCloseTo(1 / 0.7, 6)
  })
})

test('a workspace that other workloads have used does not change the result', () => {
  const workspace = new RecommendationWorkspace()
  const context = { atHour: 14 * 24, model: {}, prices }
  const busy = spansOf(14, { cpu: (hour) => wave(hour, 9), gib: (hour) => wave(hour, 30) })
  for (const workload of [
    { spans: steady },
    { spans: busy, busiest: steady },
    { spans: steady.slice(0, 40) },
    { spans: steady, busiest: busy },
    { spans: steady },
  ])
    expect(recommend(workload, context, workspace)).toEqual(recommend(workload, context))
})

test('the reasons name no more days than the window has, even if it touches one more', () => {
  expect(historyText(15, 336)).toBe('14 days')
  expect(historyText(2, 26)).toBe('2 days')
})

test('a partly measured first day counts in part', () => {
  const [first, ...rest] = steady
  const spans = [{ ...first!, hours: 6 }, { ...rest[0]!, startHour: 24, hours: 24 }, ...steady.slice(48, 64)]
  // There are 6 + 24 + 16 hours on three calendar days.
  expect(check({ spans: spans as UsageSpan[] }).words).toMatch(/CPU: p99 .* in 2 days; /)
})

test('usage of a few minutes is given in minutes', () => {
  const cpu = new Distribution()
  cpu.add(1000, 300)
  const [span] = steady
  expect(check({ spans: [{ ...span!, cpu } as UsageSpan] }).words).toContain(
    'usage of only 5 minutes is known',
  )
  // Three pods side by side for two minutes.
  cpu.add(1000, 60)
  expect(check({ spans: [{ ...span!, cpu } as UsageSpan], reachSeconds: 120 }).words).toContain(
    'usage of only 2 minutes is known',
  )
})
