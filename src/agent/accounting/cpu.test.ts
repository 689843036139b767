import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CpuAccounting, type CpuConsumer } from './cpu.ts'

type Counters = Record<string, number | undefined>
interface Measurement {
  live?: [owner: string, cgroup: string, seconds: number][]
  vanished?: [owner: string, cgroup: string, seconds: number][]
  /** Counters of cgroups; the one of '/' is that of the machine. */
  counters: Counters
}

function play(measurements: Measurement[]): Record<string, number> {
  let counters: Counters = {}
  const accounting = new CpuAccounting<string>((path) => (path === '/' ? undefined : counters[path]))
  const credited: Record<string, number> = {}
  const add = (key: string, seconds: number) => {
    expect(seconds).toBeGreaterThanOrEqual(0)
    credited[key] = (credited[key] ?? 0) + seconds
  }
  const consumersOf = (list: Measurement['live'] = []): CpuConsumer<string>[] =>
    list.map(([owner, cgroup, seconds]) => ({ owner, cgroup, seconds }))
  for (const measurement of measurements) {
    counters = measurement.counters
    accounting.record(
      {
        live: consumersOf(measurement.live),
        vanished: consumersOf(measurement.vanished),
        machineSeconds: measurement.counters['/'] ?? 0,
      },
      { toOwner: add, toUnseen: (cgroup, seconds) => add(`unseen ${cgroup}`, seconds) },
    )
  }
  return credited
}

function check(measurements: Measurement[], expected: Record<string, number>) {
  const credited = play(measurements)
  for (const key of new Set([...Object.keys(credited), ...Object.keys(expected)]))
    expect.soft(credited[key] ?? 0, key).toBeCloseTo(expected[key] ?? 0, 6)
}

describe('CPU time is credited', () => {
  test('to live processes', () =>
    check(
      [
        { live: [['web', '/a', 0]], counters: { '/': 100, '/a': 50 } },
        { live: [['web', '/a', 3]], counters: { '/': 103, '/a': 53 } },
      ],
      { web: 3 },
    ))

  test('for short-lived processes, to the only owner in their cgroup', () =>
    check(
      [
        { live: [['web', '/a', 0]], counters: { '/': 100, '/a': 50 } },
        { live: [['web', '/a', 3]], counters: { '/': 110, '/a': 60 } },
      ],
      { web: 10 },
    ))

  test('for short-lived processes, as unseen if their cgroup has several owners', () =>
    check(
      [
        {
          live: [
            ['web', '/a', 0],
            ['sh', '/a', 0],
          ],
          counters: { '/': 100, '/a': 50 },
        },
        {
          live: [
            ['web', '/a', 3],
            ['sh', '/a', 1],
          ],
          counters: { '/': 110, '/a': 60 },
        },
      ],
      { web: 3, sh: 1, 'unseen /a': 6 },
    ))

  test('to a process that ended, at most what it is likely to have used', () =>
    check(
      [
        {
          live: [
            ['web', '/a', 0],
            ['job', '/a', 5],
          ],
          counters: { '/': 100, '/a': 50 },
        },
        { live: [['web', '/a', 3]], vanished: [['job', '/a', 5]], counters: { '/': 107, '/a': 57 } },
      ],
      { web: 3, job: 5 + 4 },
    ))

  test('for a removed cgroup, to its processes, from the counter of the parent', () =>
    check(
      [
        {
          live: [
            ['job', '/pods/a', 8],
            ['web', '/pods/b', 0],
          ],
          counters: { '/': 100, '/pods': 60, '/pods/a': 40, '/pods/b': 20 },
        },
        {
          live: [['web', '/pods/b', 2]],
          vanished: [['job', '/pods/a', 8]],
          counters: { '/': 108, '/pods': 68, '/pods/b': 22 },
        },
      ],
      { job: 8 + 6, web: 2 },
    ))

  test('for a cgroup that existed only between two measurements, to its parent', () =>
    check(
      [
        { live: [['web', '/pods/b', 0]], counters: { '/': 100, '/pods': 60, '/pods/b': 20 } },
        { live: [['web', '/pods/b', 1]], counters: { '/': 110, '/pods': 70, '/pods/b': 21 } },
      ],
      { web: 1, 'unseen /pods': 9 },
    ))

  test('for a new cgroup, from its creation', () =>
    check(
      [
        { live: [['web', '/a', 0]], counters: { '/': 100, '/a': 50 } },
        {
          live: [
            ['web', '/a', 0],
            ['job', '/b', 4],
          ],
          counters: { '/': 106, '/a': 50, '/b': 6 },
        },
      ],
      { job: 6 },
    ))

  test('for a cgroup that was empty before, at most what its parent used', () =>
    check(
      [
        { live: [['web', '/a', 0]], counters: { '/': 1000, '/a': 50 } },
        {
          live: [
            ['web', '/a', 0],
            ['job', '/b', 1],
          ],
          counters: { '/': 1001, '/a': 50, '/b': 700 },
        },
      ],
      { job: 1 },
    ))

  test('for a cgroup that was recreated under the same name', () =>
    check(
      [
        { live: [['web', '/a', 0]], counters: { '/': 100, '/a': 50 } },
        { live: [['web', '/a', 2]], counters: { '/': 104, '/a': 4 } },
      ],
      { web: 4 },
    ))

  test('from the counters of the machine, if no cgroup can be read', () =>
    check(
      [
        {
          live: [
            ['web', '/a', 0],
            ['sh', '/b', 0],
          ],
          counters: { '/': 100 },
        },
        {
          live: [
            ['web', '/a', 2],
            ['sh', '/b', 1],
          ],
          counters: { '/': 110 },
        },
      ],
      { web: 2, sh: 1, 'unseen /': 7 },
    ))

  test('not for differences between counters that are read at different instants', () =>
    check(
      [
        { live: [['web', '/a', 0]], counters: { '/': 100, '/a': 50 } },
        { live: [['web', '/a', 3.02]], counters: { '/': 103, '/a': 53 } },
        { live: [['web', '/a', 2.98]], counters: { '/': 106, '/a': 56 } },
      ],
      { web: 6 },
    ))
})

test('all CPU time that cgroups counted is credited, for random processes', () => {
  const cgroups = ['/', '/a', '/a/b', '/a/c', '/d']
  const step = fc.record({
    spent: fc.array(fc.tuple(fc.nat(7), fc.nat(40)), { maxLength: 12 }),
    starts: fc.array(fc.tuple(fc.nat(7), fc.constantFrom(...cgroups)), { maxLength: 3 }),
    ends: fc.array(fc.nat(7), { maxLength: 3 }),
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 20 }), (steps) => {
      const counters: Record<string, number> = Object.fromEntries(cgroups.map((path) => [path, 0]))
      const running = new Map<number, { cgroup: string; total: number; seen: number; delta: number }>()
      running.set(9, { cgroup: '/', total: 0, seen: 0, delta: 0 })
      const measurements: Measurement[] = []
      const row = (slot: number, { cgroup, delta }: { cgroup: string; delta: number }) =>
        [`p${slot}`, cgroup, delta] as [string, string, number]
      for (const { spent, starts, ends } of steps) {
        const vanished: Measurement['vanished'] = []
        for (const [slot, cgroup] of starts)
          if (!running.has(slot)) running.set(slot, { cgroup, total: 0, seen: 0, delta: 0 })
        for (const [slot, tenths] of spent) {
          const process = running.get(slot)
          if (process === undefined) continue
          process.total += tenths / 10
          for (const path of cgroups)
            if (path === '/' || process.cgroup === path || process.cgroup.startsWith(`${path}/`))
              counters[path] = counters[path]! + tenths / 10
        }
        for (const slot of ends) {
          const process = running.get(slot)
          if (process !== undefined && slot !== 9) vanished.push(row(slot, process))
          if (slot !== 9) running.delete(slot)
        }
        const live = [...running].map(([slot, process]) => {
          process.delta = measurements.length === 0 ? 0 : process.total - process.seen
          process.seen = process.total
          return row(slot, process)
        })
        measurements.push({ live, vanished, counters: { ...counters } })
      }
      const credited = Object.values(play(measurements)).reduce((sum, seconds) => sum + seconds, 0)
      const counted = measurements.at(-1)!.counters['/']! - measurements[0]!.counters['/']!
      expect(credited).toBeGreaterThan(counted - 0.05 * cgroups.length - 1e-6)
      expect(credited).toBeLessThan(counted + 1e-6)
    }),
  )
})
