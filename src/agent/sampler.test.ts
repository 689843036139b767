import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FakeHost } from './fake-host.case.ts'
import type { HostReading } from './sampler.ts'
import { measurementGaps } from './timeline.ts'

let host: FakeHost
beforeEach(() => {
  host = new FakeHost()
})
afterEach(() => host.remove())

/** CPU seconds and MiB by [process, cgroup, group]. */
function check(reading: HostReading, expected: Record<string, [cpuSeconds: number, memoryMib?: number]>) {
  const told = Object.fromEntries(
    reading.groups.map(({ process, cgroup, group, cpuSeconds, memoryBytes }) => [
      `${process} ${cgroup} ${group}`,
      memoryBytes === undefined ? [near(cpuSeconds)] : [near(cpuSeconds), near(memoryBytes / 2 ** 20)],
    ]),
  )
  expect(told).toEqual(expected)
}
const near = (value: number): number => Math.round(value * 1000) / 1000

describe('groups', () => {
  test('processes of one name in one cgroup are one group', () => {
    const cgroup = '/system.slice/web.service'
    host.cgroup('/system.slice', { cpuSeconds: 0 })
    host.cgroup(cgroup, { cpuSeconds: 0 })
    host.process(10, { cgroup, pssMib: 5 })
    host.process(11, { cgroup, pssMib: 6 })
    host.process(12, { cgroup: '/', pssMib: 1 })
    host.process(13, { comm: 'sh', cgroup, pssMib: 2 })
    check(host.sampler().measure(), {
      'web /system.slice/web.service system': [0, 11],
      'web / unknown': [0, 1],
      'sh /system.slice/web.service system': [0, 2],
    })
  })

  test('kernel threads are in the group system and have no memory', () => {
    host.process(2, { comm: 'kthreadd', flags: 2129984, rssMib: 0 })
    host.process(3, { comm: 'kworker/0:1-events', flags: 69238880, rssMib: 0 })
    host.process(4, { comm: 'kworker/1:0', flags: 69238880, rssMib: 0 })
    host.process(5, { comm: 'kworker', pssMib: 1 })
    check(host.sampler().measure(), {
      'kthreadd / system': [0, 0],
      'kworker / system': [0, 0],
      'kworker / unknown': [0, 1],
    })
  })

  test('a process that is renamed counts for its new name from then on', () => {
    host.process(10, { comm: 'sh', pssMib: 1 })
    const sampler = host.sampler()
    sampler.measure()
    host.process(10, { comm: 'job', cpuSeconds: 3, pssMib: 1 })
    host.machine({ taskSeconds: 3 })
    check(sampler.measure(), { 'job / unknown': [3, 1] })
  })

  test('names may contain any bytes', () => {
    host.process(10, { comm: 'two\nlines', pssMib: 1 })
    host.process(11, { comm: Uint8Array.from([0xff, 0x29, 0x20, 0x28]), pssMib: 1 })
    check(host.sampler().measure(), {
      'two\ufffdlines / unknown': [0, 1],
      '\ufffd) ( / unknown': [0, 1],
    })
  })

  test('when there are too many, the others are one group', () => {
    for (let pid = 10; pid < 30; pid++) host.process(pid, { comm: `job-${pid}`, pssMib: 1 })
    const { groups } = host.sampler({ maxGroups: 5, maxIdleMeasurements: 10 }).measure()
    expect(groups).toHaveLength(6)
    expect(groups.find(({ process }) => process === '(other)')).toMatchObject({ processes: 15 })
  })
})

describe('CPU time', () => {
  test('counts from the first measurement, and a new process from its start', () => {
    host.process(10, { cpuSeconds: 500, pssMib: 1 })
    const sampler = host.sampler()
    check(sampler.measure(), { 'web / unknown': [0, 1] })
    host.process(10, { cpuSeconds: 507, pssMib: 1 })
    host.process(11, { comm: 'job', cpuSeconds: 4, startSeconds: 1005, pssMib: 1 })
    host.machine({ taskSeconds: 11, uptimeSeconds: 1015 })
    check(sampler.measure(), { 'web / unknown': [7, 1], 'job / unknown': [4, 1] })
  })

  test('never decreases when processes end', () => {
    host.process(10, { cpuSeconds: 0, pssMib: 1 })
    host.process(11, { cpuSeconds: 0, pssMib: 1 })
    const sampler = host.sampler()
    sampler.measure()
    host.process(10, { cpuSeconds: 6, pssMib: 1 })
    host.process(11, { cpuSeconds: 8, pssMib: 1 })
    host.machine({ taskSeconds: 14 })
    check(sampler.measure(), { 'web / unknown': [14, 2] })
    host.end(11)
    host.machine({ taskSeconds: 17 })
    check(sampler.measure(), { 'web / unknown': [17, 1] })
    host.end(10)
    check(sampler.measure(), { 'web / unknown': [17] })
    check(sampler.measure(), {})
  })

  test('a reused pid is another process', () => {
    host.process(10, { cpuSeconds: 100, pssMib: 1 })
    host.process(20, { comm: 'sh', pssMib: 1 })
    const sampler = host.sampler()
    sampler.measure()
    host.process(10, { cpuSeconds: 2, startSeconds: 1007, pssMib: 1 })
    host.machine({ taskSeconds: 2, uptimeSeconds: 1015 })
    check(sampler.measure(), { 'web / unknown': [2, 1], 'sh / unknown': [0, 1] })
  })

  test('earlier CPU time of a process that becomes visible is not counted', () => {
    host.process(10, { pssMib: 1 })
    const sampler = host.sampler()
    sampler.measure()
    host.process(11, { comm: 'old', cpuSeconds: 900, startSeconds: 5, pssMib: 1 })
    host.machine({ uptimeSeconds: 1015 })
    check(sampler.measure(), { 'web / unknown': [0, 1], 'old / unknown': [0, 1] })
  })

  test('processes that come and go between two measurements count through their cgroup', () => {
    const cgroup = '/docker/abc'
    host.cgroup('/docker', { cpuSeconds: 50 })
    host.cgroup(cgroup, { cpuSeconds: 50 })
    host.process(10, { comm: 'sh', cgroup, pssMib: 1 })
    host.process(20, { comm: 'make', cgroup, pssMib: 1 })
    const sampler = host.sampler()
    sampler.measure()
    host.cgroup('/docker', { cpuSeconds: 59 })
    host.cgroup(cgroup, { cpuSeconds: 59 })
    host.process(20, { comm: 'make', cgroup, cpuSeconds: 1, pssMib: 1 })
    host.machine({ taskSeconds: 9 })
    check(sampler.measure(), {
      'sh /docker/abc docker': [0, 1],
      'make /docker/abc docker': [1, 1],
      '(unseen) /docker/abc docker': [8],
    })
  })

  test('no CPU time is lost when a cgroup disappears', () => {
    host.cgroup('/docker', { cpuSeconds: 50 })
    host.cgroup('/docker/abc', { cpuSeconds: 50 })
    host.process(10, { cgroup: '/docker/abc', cpuSeconds: 40, pssMib: 1 })
    host.process(20, { comm: 'sh', pssMib: 1 })
    host.process(21, { comm: 'init', cgroup: '/docker', pssMib: 1 })
    const sampler = host.sampler()
    sampler.measure()
    host.process(10, { cgroup: '/docker/abc', cpuSeconds: 45, pssMib: 1 })
    host.cgroup('/docker', { cpuSeconds: 55 })
    host.cgroup('/docker/abc', { cpuSeconds: 55 })
    host.machine({ taskSeconds: 5 })
    sampler.measure()
    host.end(10)
    host.cgroup('/docker/abc', undefined)
    host.cgroup('/docker', { cpuSeconds: 58 })
    host.machine({ taskSeconds: 8 })
    check(sampler.measure(), {
      'web /docker/abc docker': [8],
      'sh / unknown': [0, 1],
      'init /docker unknown': [0, 1],
    })
  })

  test('interrupts are reported separately, stolen time is not counted', () => {
    host.process(10, { pssMib: 1 })
    const sampler = host.sampler()
    sampler.measure()
    host.machine({ softirqSeconds: 3 })
    check(sampler.measure(), { 'web / unknown': [0, 1], '(interrupts) / system': [3] })
  })

  test('processes that vanish while being read, and a truncated stat', () => {
    host.process(10, { pssMib: 1 })
    host.vanishing(11)
    host.vanishing(12)
    check(host.sampler().measure(), { 'web / unknown': [0, 1] })
  })
})

describe('memory', () => {
  test('follows the resident size between two readings, which come once a minute', () => {
    host.process(12, { rssMib: 10, pssMib: 5 })
    const sampler = host.sampler()
    sampler.measure()
    host.process(12, { rssMib: 12, pssMib: 99 })
    const mib = () => sampler.measure().groups[0]!.memoryBytes! / 2 ** 20
    expect(mib()).toBe(99)
    host.process(12, { rssMib: 6, pssMib: 1 })
    expect([mib(), mib(), mib(), mib()]).toEqual([49.5, 49.5, 49.5, 1])
  })

  test('is read at once if a process has grown much', () => {
    host.process(11, { rssMib: 10, pssMib: 5 })
    const sampler = host.sampler()
    sampler.measure()
    host.process(11, { rssMib: 300, pssMib: 290 })
    expect(sampler.measure().groups[0]!.memoryBytes! / 2 ** 20).toBe(290)
  })

  test('is scaled if it cannot be read, and this is reported', () => {
    host.cgroup('/a', { mappedMib: 30 })
    host.process(10, { cgroup: '/a', rssMib: 20 })
    host.process(11, { cgroup: '/a', rssMib: 40 })
    const reading = host.sampler().measure()
    check(reading, { 'web /a unknown': [0, 30] })
    expect(measurementGaps(reading).join()).toMatch(
      /memory of 2 of 2 processes is estimated .* they have just ended or because this user lacks CAP_SYS_PTRACE/,
    )
  })
})

test('hidepid is detected and reported', () => {
  host.machine({ hidepid: 'invisible' })
  host.process(10, { pssMib: 1 })
  expect(measurementGaps(host.sampler().measure()).join()).toMatch(/hidepid \(invisible\)/)
})
