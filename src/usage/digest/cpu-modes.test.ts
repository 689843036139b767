import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Accumulator } from './accumulator.ts'
import { collectChanges, restoreAccumulator, settleChanges } from './checkpoint.ts'
import { maxWaitingSamples } from './cpu-modes.ts'
import {
  bytesOf,
  combine,
  crashes,
  digest,
  digestWithCrashes,
  feed,
  limits,
  measure,
  type Sample,
} from './samples.case.ts'

const process = { kind: 'process', vm: 'v', group: 'user', process: 'p', cgroup: '' } as const

/** Samples every 30 seconds; 3 seconds of CPU in every tenth interval and half a second in the others. */
const mode = (name: 'cpuUser' | 'cpuSystem', count: number): Sample[] => {
  let seconds = 100
  return Array.from({ length: count }, (_, n): Sample => {
    seconds += n % 10 === 0 ? 3 : 0.5
    return [measure(name, { subject: process }), n * 30, seconds]
  })
}

/** Both modes as they are scraped. */
const scraped = (count: number): Sample[] => {
  const system = mode('cpuSystem', count)
  return mode('cpuUser', count).flatMap((user, n) => [user, system[n]!])
}

test('one mode may be ahead of the other by as many samples as may wait', () => {
  const count = maxWaitingSamples + 1
  const expected = bytesOf(digest(scraped(count)))
  expect(bytesOf(digest([...mode('cpuUser', count), ...mode('cpuSystem', count)]))).toBe(expected)
  expect(bytesOf(digest([...mode('cpuSystem', count), ...mode('cpuUser', count)]))).toBe(expected)
})

test('modes that arrive in any order, with crashes at any point, give the digests of both in order', () => {
  const order = fc.array(fc.boolean(), { minLength: 80, maxLength: 80 })
  fc.assert(
    fc.property(order, crashes, (userFirst, plan) => {
      const [user, system] = [mode('cpuUser', 40), mode('cpuSystem', 40)]
      const samples = userFirst.map((isUser) => (isUser ? user.shift() : system.shift()))
      const all = [...samples.filter((sample) => sample !== undefined), ...user, ...system]
      expect(bytesOf(digestWithCrashes(all, plan))).toBe(bytesOf(digest(scraped(40))))
    }),
    { numRuns: 300 },
  )
})

test('if one mode is hours ahead, the rate is less detailed and no CPU time is lost', () => {
  const count = 360
  const cpuOf = (samples: readonly Sample[]) => digest(samples).map(({ cpu }) => cpu)
  const live = cpuOf(scraped(count))
  const late = cpuOf([...mode('cpuUser', count), ...mode('cpuSystem', count)])
  const sum = (of: typeof live) => of.reduce((total, cpu) => total + cpu.sum, 0)
  const seconds = (of: typeof live) => of.reduce((total, cpu) => total + cpu.count, 0)
  expect([sum(late), seconds(late)]).toEqual([sum(live), seconds(live)])
  expect(late).toHaveLength(3)
})

test('samples that lack one mode are left out, and nothing waits for times that have passed', () => {
  const into = new Accumulator(limits)
  const samples: Sample[] = [
    [measure('cpuUser'), 0, 10],
    [measure('cpuSystem'), 0, 10],
    [measure('cpuUser'), 30, 11],
    [measure('cpuUser'), 60, 12],
    [measure('cpuUser'), 90, 13],
    [measure('cpuSystem'), 60, 14],
    [measure('cpuSystem'), 120, 15],
    [measure('cpuSystem'), 150, 16],
    [measure('cpuUser'), 135, 17],
    [measure('cpuUser'), 150, 18],
  ]
  const [hour] = digest(samples, into)
  expect([hour?.cpu.sum, hour?.cpu.count, hour?.samples]).toEqual([14_000_000, 150, 3])
  expect([...into.subjects.values()][0]?.waiting).toBeUndefined()
})

test('samples that wait are part of a checkpoint; without them it is one that earlier releases can read', () => {
  const into = new Accumulator(limits)
  const commit = () => {
    const changes = collectChanges(into)
    settleChanges(into, changes)
    return changes.subjects[0]!
  }
  const [user, system] = [mode('cpuUser', 10), mode('cpuSystem', 10)]
  feed(into, [user[0]!, system[0]!, user[1]!])
  const before = commit()
  expect(Buffer.from(before.state).toString('hex')).toBe(stateOfVersion1)
  feed(into, user)
  const during = commit()
  expect(during.state[0]).toBe(2)
  for (const { key, state } of [before, during]) {
    const restored = new Accumulator(limits)
    restoreAccumulator(restored, { epoch: 1, resume: '', subjects: [{ key, state }], entities: [] })
    feed(restored, [...user, ...system])
    const [hour] = combine(collectChanges(restored).subjects)
    expect([hour?.cpu.sum, hour?.samples]).toEqual([9_000_000, 9])
  }
  feed(into, system)
  expect(commit().state[0]).toBe(1)
})

/** What earlier releases store after user and system time at t0 and user time 30 seconds later. */
const stateOfVersion1 =
  '0180d0dfb4ab33b0bae1b4ab330fdfd4030100000001000000000000000000e05940001100010000000100000000000000' +
  '0000c059400001000000000001000000000000000000c0694000'
