import { expect, test } from 'vitest'
import type { Measure } from '../../domain/usage-series.ts'
import { Accumulator } from './accumulator.ts'
import { digest, limits, measure } from './samples.case.ts'

/** Samples of a counter, one every ten seconds, are these values. */
const counter = (name: Measure, values: readonly number[], instance = 1) =>
  values.map((value, index) => [measure(name, { instance }), index * 10, value] as const)

test('a counter that falls by less than an eighth has not restarted', () => {
  const rows: [string, readonly number[], { seconds: number; resets: number }][] = [
    ['a dip of a millisecond', [1000, 1010, 1009.999, 1020], { seconds: 20, resets: 0 }],
    ['several dips in a row', [1000, 1010, 1008, 1009, 1007, 1012], { seconds: 12, resets: 0 }],
    ['just less than an eighth', [800, 700.001, 801], { seconds: 1, resets: 0 }],
    ['an eighth', [800, 700], { seconds: 700, resets: 1 }],
    ['a restart', [1000, 1010, 2, 5], { seconds: 15, resets: 1 }],
    ['a restart at 0', [1000, 0, 3], { seconds: 3, resets: 1 }],
    ['a restart after a dip', [1000, 999, 1, 4], { seconds: 4, resets: 1 }],
    ['a dip after a restart', [1000, 8, 7.9, 9], { seconds: 9, resets: 1 }],
  ]
  for (const [what, values, { seconds, resets }] of rows) {
    const into = new Accumulator(limits)
    const [hour] = digest(counter('cpu', values), into)
    expect([hour?.cpu.sum, into.resets], what).toEqual([seconds * 1e6, resets])
    expect([hour?.cpu.count, hour?.samples], what).toEqual([(values.length - 1) * 10, values.length])
  }
})

test('a dip has no effect on other counters either, and a new instance starts at 0', () => {
  expect(digest(counter('throttled', [100, 99.9, 101]))[0]?.throttledMs).toBe(1000)
  expect(digest(counter('periods', [1000, 999, 1003]))[0]?.periods).toBe(3)
  expect(digest(counter('oom', [10, 9, 11]))[0]?.oomEvents).toBe(1)
  const recreated = [...counter('restarts', [10]), [measure('restarts', { instance: 2 }), 10, 9] as const]
  expect(digest(recreated)[0]?.restarts).toBe(9)
})

test('user and system time are added as they are, and their sum may dip', () => {
  const [hour] = digest(
    [
      [100, 50],
      [105, 50],
      [104, 50],
      [107, 50],
    ].flatMap(([user, system], index) => [
      [measure('cpuUser'), index * 10, user!] as const,
      [measure('cpuSystem'), index * 10, system!] as const,
    ]),
  )
  expect([hour?.cpu.sum, hour?.cpu.count]).toEqual([7_000_000, 30])
})

test('when the scraper of a redundant pair ends, the other continues the same counter', () => {
  const process = { kind: 'process', vm: 'v', group: 'user', process: 'p', cgroup: '' } as const
  /** Both scrape every 30 seconds, the second 10 seconds later, and the first ends after five minutes. */
  const pair = (more: Parameters<typeof measure>[1], second: Parameters<typeof measure>[1] = {}) =>
    Array.from({ length: 40 }, (_, n) => n * 30).flatMap((at) => [
      ...(at < 300 ? [[measure('cpu', more), at, 1000 + at] as const] : []),
      [measure('cpu', { ...more, source: 2, ...second }), at + 10, 1010 + at] as const,
    ])
  const cpuOf = (samples: ReturnType<typeof pair>) => {
    const [hour] = digest(samples)
    return [hour?.cpu.sum, hour?.cpu.max]
  }
  expect(cpuOf(pair({})), 'a container').toEqual([1_180_000_000, 1_000_000])
  const withoutChange = [870_000_000, 1_000_000]
  expect(cpuOf(pair({}, { instance: 2 })), 'another container of the same name').toEqual(withoutChange)
  expect(cpuOf(pair({ subject: process })), 'a process').toEqual(withoutChange)
})

test('a source with precedence continues the counter of another, whose value may be a little higher', () => {
  const [hour] = digest([
    [measure('cpu'), 0, 1000],
    [measure('cpu'), 30, 1030],
    [measure('cpu', { source: 2, rank: 2 }), 40, 1029],
    [measure('cpu', { source: 2, rank: 2 }), 70, 1070],
  ])
  expect([hour?.cpu.sum, hour?.cpu.count]).toEqual([70_000_000, 70])
})
