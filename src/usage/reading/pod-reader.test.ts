import { describe, expect, test } from 'vitest'
import { decodeDigests, encodeDigests } from '../digest/codec.ts'
import { emptyDigest } from '../digest/digest.ts'
import { PodReader } from './pod-reader.ts'
import type { PodUsage } from './pod-usage.ts'
import { digestBytes, firstHour, podOf, type SyntheticPod, subjectOf } from './pods.case.ts'

const reader = new PodReader()
const hours = { from: firstHour, to: firstHour + 72 }
const read = (pods: readonly (SyntheticPod & { source?: string })[], within = hours) =>
  reader.readPod(
    subjectOf(pods[0]!),
    {
      rows: pods.map((pod) => ({ source: pod.source ?? 'push', bytes: digestBytes(pod) })),
      days: new Uint8Array(),
    },
    within,
  )
const hoursOf = ({ use }: PodUsage) => [...use.hours.subarray(0, use.length)].map((hour) => hour - firstHour)

describe('hours', () => {
  test('contain means, requests and the node', () => {
    const pod = read([{ hours: 2, cores: 0.25, gib: 0.5, cpuRequest: 1, memoryRequest: 2, node: 'n7' }])!
    const setting = { node: 'n7', cpuRequestCores: 1, memoryRequestGib: 2 }
    expect([...pod.use.settingRanges()]).toEqual([{ from: 0, to: 2, setting }])
    expect(hoursOf(pod)).toEqual([0, 1])
    expect([pod.use.cores[1], pod.use.gib[1], pod.use.seconds[1]]).toEqual([0.25, 0.5, 3600])
    expect(pod.current).toMatchObject({ cpuRequest: 1, memoryRequest: 2, cpuLimit: undefined })
  })

  test('are limited to the window', () => {
    const pod = read([{ hours: 48 }], { from: firstHour + 3, to: firstHour + 5 })!
    expect(hoursOf(pod)).toEqual([3, 4])
    expect(pod.spans.reduce((count, { memory }) => count + memory.count, 0)).toBe(8)
  })

  test('count for as long as the container ran', () => {
    expect(read([{ hours: 1, seconds: 900 }])!.use.hoursRun()).toBe(0.25)
    const halves = read([
      { hours: 1, seconds: 3600, cores: 1, gib: 2 },
      { from: firstHour + 1, hours: 1, seconds: 1200, cores: 3, gib: 6 },
    ])!
    expect(halves.use.mean()).toEqual({ cores: 1.5, gib: 3 })
  })

  test('node and requests also apply to hours before they were reported', () => {
    const told = read([
      { hours: 1, node: null, workload: null },
      { from: firstHour + 1, hours: 1, node: 'n2', cpuRequest: 0.5 },
    ])!
    const settings = [...told.use.settingRanges()].map(({ setting }) => [
      setting.node,
      setting.cpuRequestCores,
    ])
    expect(settings).toEqual([
      ['n2', 0.5],
      ['n2', 0.5],
    ])
  })

  test('of a window that begins within a day have the facts reported earlier that day', () => {
    const within = { from: firstHour + 3, to: firstHour + 9 }
    const pod = read([{ hours: 24, cpuRequest: 2, cpuLimit: 4, node: 'n7' }], within)!
    expect(pod.workload).toBe('Deployment/web')
    expect(pod.current).toMatchObject({ cpuRequest: 2, cpuLimit: 4 })
    expect(pod.use.settingRanges()).toMatchObject([
      { from: 0, to: 6, setting: { node: 'n7', cpuRequestCores: 2 } },
    ])
  })

  test('without any in the window, there is no result', () => {
    expect(read([{ hours: 2 }], { from: firstHour + 10, to: firstHour + 20 })).toBeUndefined()
  })

  test('that were reported twice count once', () => {
    const twice = read([{ hours: 4 }, { hours: 4, source: 'pulled' }])!
    expect(twice.use.length).toBe(4)
    const parts = read([{ hours: 4 }, { from: firstHour + 3, hours: 1 }])!
    expect(parts.use.cores[3]).toBeCloseTo(0.1, 6)
    expect(parts.use.length).toBe(4)
  })
})

describe('spans', () => {
  test('are calendar days, and hours in the last 24 hours', () => {
    const { spans } = podOf({ hours: 60 }, undefined, firstHour + 60)
    expect(spans.map(({ startHour, hours: length }) => [startHour - firstHour, length]).slice(0, 3)).toEqual([
      [0, 24],
      [24, 12],
      [36, 1],
    ])
    expect(spans).toHaveLength(26)
  })

  test('contain everything in the digests', () => {
    const cores = (hour: number) => (hour % 7) / 10
    const bytes = digestBytes({ hours: 50, cores })
    const { spans } = podOf({ hours: 50, cores })
    const digests = decodeDigests(bytes)
    expect(spans.reduce((sum, { cpu }) => sum + cpu.sum, 0)).toBe(
      digests.reduce((sum, { cpu }) => sum + cpu.sum, 0),
    )
    expect(Math.max(...spans.map(({ cpu }) => cpu.max))).toBe(600_000)
  })
})

test('a day reported by two sources in turn is the sum of both', () => {
  const [morning, evening] = [
    { hours: 6, cores: 1 },
    { from: firstHour + 12, hours: 6, cores: 2 },
  ].map((pod) => digestBytes(pod))
  const rows = [
    { source: 'push', bytes: morning! },
    { source: 'pulled', bytes: evening! },
  ]
  const [span] = reader.readPod(subjectOf({}), { rows, days: new Uint8Array() }, hours)!.spans
  expect([span!.hours, span!.cpu.count, span!.cpu.max, span!.memory.count]).toEqual([18, 12 * 3600, 2e6, 48])
})

describe('a workload', () => {
  test.each([
    [['ReplicaSet/web-1', 'Deployment/web'], 'Deployment/web'],
    [['Deployment/web', 'ReplicaSet/web-1'], 'Deployment/web'],
    [[null, null], 'Pod/web-1'],
    [['Job/x', null], 'Job/x'],
  ])('reported as %j is %s', (told, workload) => {
    const pods = told.map((one, index) => ({ from: firstHour + index, hours: 1, workload: one }))
    expect(read(pods)!.workload).toBe(workload)
  })
})

test('a gap ends a lifetime', () => {
  const pod = read([{ hours: 2 }, { from: firstHour + 10, hours: 1 }])!
  expect(pod.lives).toHaveLength(2)
})

test('an hour with counters but without usage is left out', () => {
  const digest = decodeDigests(digestBytes({ hours: 1, oomEvents: 3 }))[0]!
  const silent = { ...emptyDigest(firstHour + 1), oomEvents: 3 }
  const bytes = encodeDigests([digest, silent])
  const pod = reader.readPod(
    subjectOf({}),
    { rows: [{ source: 'push', bytes }], days: new Uint8Array() },
    hours,
  )!
  expect(pod.use.length).toBe(1)
  expect(pod.spans.reduce((sum, { oomKills }) => sum + oomKills, 0)).toBe(6)
})
