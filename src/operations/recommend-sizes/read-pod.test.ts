import { describe, expect, test } from 'vitest'
import { emptyDigest } from '../../usage/digest.ts'
import { decodeDigests, encodeDigests } from '../../usage/digest-codec.ts'
import type { PodUsage } from './pod-usage.ts'
import { digestBytes, firstHour, type Invented, podOf, subjectOf } from './pods.case.ts'
import { readPod } from './read-pod.ts'

const hours = { from: firstHour, to: firstHour + 72 }
const read = (pods: readonly (Invented & { source?: string })[], within = hours) =>
  readPod(
    subjectOf(pods[0]!),
    pods.map((pod) => ({ source: pod.source ?? 'push', bytes: digestBytes(pod) })),
    within,
  )
const hoursOf = ({ use }: PodUsage) => [...use.hours.subarray(0, use.length)].map((hour) => hour - firstHour)

describe('hours', () => {
  test('tell means, requests and the node', () => {
    const pod = read([{ hours: 2, cores: 0.25, gib: 0.5, cpuRequest: 1, memoryRequest: 2, node: 'n7' }])!
    const setting = { node: 'n7', cpuRequestCores: 1, memoryRequestGib: 2 }
    expect([...pod.use.steps()]).toEqual([{ from: 0, to: 2, setting }])
    expect(hoursOf(pod)).toEqual([0, 1])
    expect([pod.use.cores[1], pod.use.gib[1], pod.use.seconds[1]]).toEqual([0.25, 0.5, 3600])
    expect(pod.last).toMatchObject({ cpuRequest: 1, memoryRequest: 2, cpuLimit: undefined })
  })

  test('are those of the window alone', () => {
    const pod = read([{ hours: 48 }], { from: firstHour + 3, to: firstHour + 5 })!
    expect(hoursOf(pod)).toEqual([3, 4])
    expect(pod.spans.reduce((count, { memory }) => count + memory.count, 0)).toBe(8)
  })

  test('count as long as the container ran', () => {
    expect(read([{ hours: 1, seconds: 900 }])!.use.hoursRun()).toBe(0.25)
  })

  test('before the node and the requests were told, they held', () => {
    const told = read([
      { hours: 1, node: null, workload: null },
      { from: firstHour + 1, hours: 1, node: 'n2', cpuRequest: 0.5 },
    ])!
    const settings = [...told.use.steps()].map(({ setting }) => [setting.node, setting.cpuRequestCores])
    expect(settings).toEqual([
      ['n2', 0.5],
      ['n2', 0.5],
    ])
  })

  test('none: nothing is told', () => {
    expect(read([{ hours: 2 }], { from: firstHour + 10, to: firstHour + 20 })).toBeUndefined()
  })

  test('that were told twice count once', () => {
    const twice = read([{ hours: 4 }, { hours: 4, source: 'pulled' }])!
    expect(twice.use.length).toBe(4)
    const parts = read([{ hours: 4 }, { from: firstHour + 3, hours: 1 }])!
    expect(parts.use.cores[3]).toBeCloseTo(0.1, 6)
    expect(parts.use.length).toBe(4)
  })
})

describe('spans', () => {
  test('are whole days, and hours in the last day', () => {
    const { spans } = podOf({ hours: 60 }, undefined, firstHour + 60)
    expect(spans.map(({ startHour, hours: length }) => [startHour - firstHour, length]).slice(0, 3)).toEqual([
      [-12, 24],
      [12, 24],
      [36, 1],
    ])
    expect(spans).toHaveLength(26)
  })

  test('hold all that was in the digests', () => {
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

describe('a workload', () => {
  test.each([
    [['ReplicaSet/web-1', 'Deployment/web'], 'Deployment/web'],
    [['Deployment/web', 'ReplicaSet/web-1'], 'Deployment/web'],
    [[null, null], 'Pod/web-1'],
    [['Job/x', null], 'Job/x'],
  ])('told as %j is %s', (told, workload) => {
    const pods = told.map((one, index) => ({ from: firstHour + index, hours: 1, workload: one }))
    expect(read(pods)!.workload).toBe(workload)
  })
})

test('a silence ends a life', () => {
  const pod = read([{ hours: 2 }, { from: firstHour + 10, hours: 1 }])!
  expect(pod.lives).toHaveLength(2)
})

test('counters without usage tell no hour', () => {
  const digest = decodeDigests(digestBytes({ hours: 1, oomEvents: 3 }))[0]!
  const silent = { ...emptyDigest(firstHour + 1), oomEvents: 3 }
  const bytes = encodeDigests([digest, silent])
  const pod = readPod(subjectOf({}), [{ source: 'push', bytes }], hours)!
  expect(pod.use.length).toBe(1)
  expect(pod.spans.reduce((sum, { oomKills }) => sum + oomKills, 0)).toBe(6)
})
