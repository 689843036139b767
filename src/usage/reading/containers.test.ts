import { describe, expect, test } from 'vitest'
import { containerOf, containersOf, PodSums } from './containers.ts'
import { firstHour, podOf, type SyntheticPod } from './pods.case.ts'

const sumsOf = (pods: readonly SyntheticPod[]) => {
  const sums = new PodSums()
  for (const pod of pods) sums.add(podOf(pod, { from: firstHour, to: firstHour + 48 }))
  return sums
}
const many = (count: number, pod: SyntheticPod = {}) =>
  Array.from({ length: count }, (_, n): SyntheticPod => ({ ...pod, pod: `web-${n}` }))

describe('containers', () => {
  test('combine all pods of a workload, ordered by key', () => {
    const pods = [
      { workload: 'StatefulSet/db', pod: 'db-0' },
      { workload: 'Deployment/web', container: 'proxy', pod: 'web-0' },
      { workload: 'Deployment/web', container: 'app', pod: 'web-0' },
      { workload: 'Deployment/web', container: 'app', pod: 'web-1' },
    ].map((pod) => podOf(pod))
    const containers = containersOf(pods)
    expect(containers.map(({ key, sums }) => [key, sums.count])).toEqual([
      ['Deployment/web/app', 2],
      ['Deployment/web/proxy', 1],
      ['StatefulSet/db/app', 1],
    ])
    expect(containersOf(pods.toReversed()).map(({ key }) => key)).toEqual(containers.map(({ key }) => key))
  })

  test('have the sizes of the pod seen last, and are init containers if all are', () => {
    const early = podOf({ hours: 2, cpuRequest: 1, init: true })
    const late = podOf({ hours: 4, cpuRequest: 2, init: true })
    for (const pods of [
      [early, late],
      [late, early],
    ]) {
      const container = containerOf('k', pods)
      expect([container.current.cpuRequest, container.init, container.uses]).toEqual([2, true, pods])
    }
    expect(containerOf('k', [late, podOf({ hours: 1 })]).init).toBe(false)
  })
})

describe('sums', () => {
  test('count pods and their hours', () => {
    const sums = sumsOf([
      { hours: 4, seconds: 900 },
      { pod: 'web-2', from: firstHour + 2, hours: 6 },
    ])
    expect([sums.count, sums.podHours, sums.seenHours]).toEqual([2, 7, 10])
    expect(sums.firstAt).toBe(firstHour * 3600)
    expect(sums.lastAt).toBe(Math.max(...sums.lastSeenAts))
    expect(sums.lastAt).toBeGreaterThan((firstHour + 7) * 3600)
    // The first pod runs a quarter of each hour and is then silent for long, so it has four lifetimes.
    expect([sums.lives.length, sums.lastSeenAts.length]).toEqual([5, 2])
  })

  test.each([1, 63, 64, 65, 130])('contain the usage of all of %i pods', (count) => {
    const sums = sumsOf(
      many(count, { hours: 2, cores: 0.5, gib: 2, oomEvents: 1, periods: 10, throttledPeriods: 3 }),
    )
    expect(sums.cpu.count).toBe(count * 2 * 3600)
    expect(sums.memory.count).toBe(count * 2 * 4)
    // Reading a second time gives the same.
    expect(sums.cpu.count).toBe(count * 2 * 3600)
    const one = sumsOf(many(1, { hours: 2, oomEvents: 1, periods: 10, throttledPeriods: 3 })).counters
    expect(sums.counters).toEqual({
      oomKills: one.oomKills * count,
      restarts: 0,
      throttledMs: 0,
      periods: one.periods * count,
      throttledPeriods: one.throttledPeriods * count,
    })
    sums.add(podOf({ pod: 'more', hours: 2 }, { from: firstHour, to: firstHour + 48 }))
    expect(sums.memory.count).toBe((count + 1) * 2 * 4)
  })

  test.each<[string, readonly SyntheticPod[], number | undefined]>([
    ['one pod', [{ cores: 9 }], undefined],
    ['similar pods', many(3), undefined],
    ['a leader', [...many(3), { pod: 'leader', cores: 0.5 }], 0.5],
    ['a leader that came first', [{ pod: 'leader', cores: 0.5 }, ...many(3)], 0.5],
    ['a pod less than half as busy again', [...many(3), { pod: 'leader', cores: 0.15 }], undefined],
    ['a pod that ran too briefly', [...many(3), { pod: 'leader', cores: 0.5, hours: 5 }], undefined],
    [
      'a pod that ran just long enough',
      [...many(3), { pod: 'leader', cores: 0.5, from: firstHour + 18, hours: 6 }],
      0.5,
    ],
    ['a busy pod that has ended', [...many(3), { pod: 'leader', cores: 0.5, hours: 12 }], undefined],
    ['pods of a busy day that are gone', [{ pod: 'gone', cores: 0.5, hours: 12 }, ...many(3)], undefined],
    ['a leader of many', [{ pod: 'leader', cores: 0.5 }, ...many(140)], 0.5],
  ])('identify a pod that is much busier than the others: %s', (_, pods, cores) => {
    const { busiest } = sumsOf(pods)
    if (cores === undefined) expect(busiest).toBeUndefined()
    else expect(busiest!.cpu.mean / 1e6).toBeCloseTo(cores, 2)
  })
})
