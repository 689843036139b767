import fc from 'fast-check'
import { expect, test } from 'vitest'
import { interpret } from '../../ingest/metrics/interpret.ts'
import type { Group } from '../accounting/groups.ts'
import { readRequest } from '../receiver.case.ts'
import type { HostReading } from '../sampler.ts'
import { SeriesWriter } from './series-writer.ts'

const group = (over: Partial<Group> = {}): Group => ({
  process: 'nginx',
  cgroup: '/system.slice/nginx.service',
  group: 'system',
  cpuSeconds: 12.5,
  lastCpuSeconds: 10,
  memoryBytes: 1000,
  processes: 1,
  lastMeasurement: 7,
  previousMeasurement: 6,
  ...over,
})
const reading = (groups: Group[]): HostReading => ({
  groups,
  measurement: 7,
  cores: 4,
  memoryBytes: 8e9,
  availableMemoryBytes: 0,
  processes: 1,
  hiddenProcesses: 0,
  scaledProcesses: 0,
  hidepid: 'off',
  hasCgroupCounters: true,
})
const even = { timeMs: 1_800_000_015_000, lastMs: 1_800_000_000_000, jumpMs: 0 }

const samplesOf = (
  groups: Group[],
  moment: typeof even | { lastMs: undefined; timeMs: number; jumpMs: number },
) =>
  readRequest(new SeriesWriter('web-1', 'watcher').write(reading(groups), moment, {}))
    .filter(({ labels }) => labels.process !== undefined)
    .map(({ labels, timeMs, value }) => [labels.__name__!.replace('cheapside_process_', ''), timeMs, value])

test('a group that was sent before: one sample each', () =>
  expect(samplesOf([group()], even)).toEqual([
    ['cpu_seconds_total', even.timeMs, 12.5],
    ['memory_bytes', even.timeMs, 1000],
  ]))

test('a group that was not sent before: the previous value of its counter comes first', () => {
  const before = [
    ['cpu_seconds_total', even.lastMs, 10],
    ['cpu_seconds_total', even.timeMs, 12.5],
  ]
  expect(samplesOf([group({ previousMeasurement: 3, memoryBytes: undefined })], even)).toEqual(before)
  expect(samplesOf([group({ previousMeasurement: 0, memoryBytes: undefined })], even)).toEqual(before)
})

test('after the clock was set, the previous value is sent again with a time of the new clock', () =>
  expect(
    samplesOf([group({ memoryBytes: undefined })], {
      timeMs: 9_000_015_000,
      lastMs: 9_000_000_000,
      jumpMs: 5000,
    }),
  ).toEqual([
    ['cpu_seconds_total', 9_000_000_000, 10],
    ['cpu_seconds_total', 9_000_015_000, 12.5],
  ]))

test('the first measurement has no previous values', () =>
  expect(
    samplesOf([group({ previousMeasurement: 0, memoryBytes: undefined })], {
      timeMs: 5000,
      lastMs: undefined,
      jumpMs: 0,
    }),
  ).toEqual([['cpu_seconds_total', 5000, 12.5]]))

test('the service interprets each series as intended', () => {
  const facts = {
    provider: 'aws',
    region: 'us-east-1',
    zone: 'use1-az1',
    instanceType: 'm5.large',
    usageType: 'SPOT_PREEMPTIBLE',
    architecture: 'arm64',
  } as const
  const samples = readRequest(new SeriesWriter('web-1', 'watcher').write(reading([group()]), even, facts))
  const meanings = samples.map(({ labels }) => interpret(Object.entries(labels), 'default'))
  const subject = {
    kind: 'process',
    vm: 'web-1',
    group: 'system',
    process: 'nginx',
    cgroup: '/system.slice/nginx.service',
  }
  const entity = { kind: 'machine', cluster: '', namespace: '', name: 'web-1' }
  expect(meanings).toMatchObject([
    { fact: 'measure', measure: 'cpu', subject },
    { fact: 'measure', measure: 'memory', subject },
    {
      fact: 'entity',
      entity,
      texts: {
        provider: 'aws',
        region: 'us-east-1',
        zone: 'use1-az1',
        instanceType: 'm5.large',
        capacityType: 'SPOT_PREEMPTIBLE',
        operatingSystem: 'Linux',
        architecture: 'arm64',
      },
    },
    { fact: 'entity', entity, number: 'capacity/cpu' },
    { fact: 'entity', entity, number: 'capacity/memory' },
  ])
})

test('observers of one machine with different names are different sources', () => {
  const names = [
    ['cheapside', ''],
    ['cheapside-agent', 'one'],
    ['cheapside-agent', 'other'],
  ] as const
  const sources = names.map(([job, replica]) => {
    const [first] = readRequest(new SeriesWriter('web-1', job, replica).write(reading([group()]), even, {}))
    return (interpret(Object.entries(first!.labels), 'default') as { source: number }).source
  })
  expect(new Set(sources).size).toBe(3)
})

test('any names and values are decoded unchanged', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 })
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(text, text, fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })), {
        selector: ([process, cgroup]) => `${process}\0${cgroup}`,
        maxLength: 40,
      }),
      (rows) => {
        const groups = rows.map(([process, cgroup, cpuSeconds]) => group({ process, cgroup, cpuSeconds }))
        const samples = readRequest(new SeriesWriter('web-1', 'watcher').write(reading(groups), even, {}))
        const cpu = samples.filter(({ labels }) => labels.__name__ === 'cheapside_process_cpu_seconds_total')
        expect(cpu.map(({ labels, value }) => [labels.process, labels.cgroup, value])).toEqual(rows)
      },
    ),
    { numRuns: 50 },
  )
})

test('a very long path is truncated', () => {
  const [cpu] = readRequest(
    new SeriesWriter('web-1', 'watcher').write(
      reading([group({ cgroup: `/${'ä'.repeat(4000)}` })]),
      even,
      {},
    ),
  )
  expect(Buffer.byteLength(cpu!.labels.cgroup!)).toBeLessThanOrEqual(2048)
})
