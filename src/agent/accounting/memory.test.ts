import { expect, test } from 'vitest'
import type { Process } from '../proc/process-table.ts'
import { shareMemory } from './memory.ts'

const mib = 1 << 20

/** [cgroup, resident MiB, PSS in MiB or null if it may not be read] -> MiB. */
function check(
  processes: [string, number, number | null][],
  mapped: { cgroups: Record<string, number>; machine: number },
  expected: number[],
) {
  const live = processes.map(
    ([memory, rss]) =>
      ({ rssBytes: rss * mib, cgroupPaths: { shown: memory, cpu: memory, memory } }) as Process,
  )
  const pss = new Map(live.map((process, index) => [process, processes[index]![2]]))
  const { bytes, scaled } = shareMemory(
    live,
    (process) => {
      const read = pss.get(process)
      return read === null || read === undefined ? undefined : read * mib
    },
    {
      mappedBytes: (path) => {
        const told = mapped.cgroups[path]
        return told === undefined ? undefined : told * mib
      },
    },
    () => mapped.machine * mib,
  )
  expect(live.map((process) => Math.round(bytes.get(process)! / mib))).toEqual(expected)
  expect(scaled).toBe(processes.filter(([, , read]) => read === null).length)
}

test('PSS is used if it can be read', () =>
  check(
    [
      ['/a', 100, 60],
      ['/a', 100, 70],
    ],
    { cgroups: {}, machine: 0 },
    [60, 70],
  ))
test('the resident size is scaled to the mapped memory of the cgroup', () =>
  check(
    [
      ['/a', 100, null],
      ['/a', 300, null],
    ],
    { cgroups: { '/a': 200 }, machine: 0 },
    [50, 150],
  ))
test('without the PSS that was read there', () =>
  check(
    [
      ['/a', 100, 80],
      ['/a', 300, null],
    ],
    { cgroups: { '/a': 230 }, machine: 0 },
    [80, 150],
  ))
test('it is never scaled up', () => check([['/a', 100, null]], { cgroups: { '/a': 900 }, machine: 0 }, [100]))
test('in the root it is scaled to the rest of the memory of the machine', () =>
  check(
    [
      ['/a', 100, 80],
      ['/b', 300, null],
      ['/', 200, null],
      ['/', 200, null],
    ],
    { cgroups: { '/b': 150 }, machine: 430 },
    [80, 150, 100, 100],
  ))
test('a minimum remains if the pages are charged to other cgroups', () =>
  check([['/a', 100, null]], { cgroups: { '/a': 0 }, machine: 0 }, [5]))
