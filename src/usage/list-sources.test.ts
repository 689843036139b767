import { expect, test } from 'vitest'
import { Accumulator } from './digest/accumulator.ts'
import { collectChanges } from './digest/checkpoint.ts'
import { encodeEntity, entityKey, newEntity } from './digest/entities.ts'
import { listSources } from './list-sources.ts'
import type { EntityRow } from './port.ts'

const hourMs = 3_600_000

const row = (kind: 'node' | 'machine', cluster: string, name: string, lastHour: number): EntityRow => {
  const ref = { kind, cluster, namespace: '', name } as const
  return { key: entityKey(ref), kind, cluster, lastHour, json: encodeEntity(newEntity(ref, lastHour)) }
}

const sourcesOf = (rows: readonly EntityRow[], nowMs: number) =>
  listSources({ store: { usage: { entities: async () => [...rows] } }, now: () => nowMs }, 'acme')

test('clusters by their latest node, machines by name; silent after an hour without a sample', async () => {
  const rows = [
    row('machine', '', 'b', 98),
    row('machine', '', 'a', 99),
    row('node', 'prod', 'n1', 10),
    row('node', 'prod', 'n2', 100),
    row('node', 'old', 'n3', 7),
  ]
  const sources = await sourcesOf(rows, 100.9 * hourMs)
  expect(sources.map(({ kind, name, is_silent }) => [kind, name, is_silent])).toEqual([
    ['cluster', 'old', true],
    ['cluster', 'prod', false],
    ['machine', 'a', false],
    ['machine', 'b', true],
  ])
  expect(sources[0]).toMatchObject({ last_seen: '1970-01-01T07:00:00.000Z', last_sample: null, missing: [] })
})

interface Sent {
  readonly metric: string
  readonly cluster?: string
  readonly isUnlabelled?: boolean
  readonly everySeconds?: number
  readonly source?: number
  readonly aheadMs?: number
  readonly untilMs?: number
}

/** Sends each series for ten minutes, and lists the sources a minute later. */
function sourcesAfter(...sent: readonly Sent[]) {
  const limits = { maxAgeMs: 48 * hourMs, maxAheadMs: 600_000, maxSubjects: 10 }
  const accumulator = new Accumulator(limits)
  const startMs = 500_000 * hourMs
  const endMs = startMs + 600_000
  const series = sent.map(({ metric, cluster = 'prod', isUnlabelled = false, source = 1, ...more }) => {
    const subject = { kind: 'container', cluster, namespace: 'shop', pod: 'p', container: 'app' } as const
    const meaning = { fact: 'measure', measure: 'cpu', subject, instance: 1, source, rank: 0 } as const
    const health = accumulator.sources.metricOf(metric, meaning, isUnlabelled)
    return { ...more, series: { ...accumulator.register(meaning)!, health } }
  })
  for (let atMs = startMs; atMs <= endMs; atMs += 1000)
    for (const { series: one, everySeconds = 30, aheadMs = 0, untilMs = endMs - startMs } of series)
      if ((atMs - startMs) % (everySeconds * 1000) === 0 && atMs - startMs <= untilMs)
        accumulator.sample(one, atMs + aheadMs, (atMs - startMs) / 1e6, atMs)
  return sourcesOf(collectChanges(accumulator).entities, endMs + 60_000)
}

const cpu = 'container_cpu_usage_seconds_total'
const all = [cpu, 'container_memory_working_set_bytes', 'kube_pod_container_resource_requests']
const problemsOf = async (...sent: Sent[]) =>
  (await sourcesAfter(...sent)).flatMap(({ problems }) => problems.map(({ code }) => code))

test('a cluster is listed with its first sample, with what arrives and what is missing', async () => {
  const [source] = await sourcesAfter({ metric: cpu })
  expect(source).toMatchObject({
    kind: 'cluster',
    name: 'prod',
    is_silent: false,
    first_sample: '2027-01-15T08:00:00.000Z',
    last_sample: '2027-01-15T08:10:00.000Z',
    interval_seconds: 30,
    metrics: [{ name: cpu, interval_seconds: 30 }],
  })
  expect(source!.missing).toContainEqual({
    metrics: ['kube_pod_container_resource_requests'],
    unlocks: 'requests: savings, patches and costs by request',
    is_optional: false,
  })
  expect(source!.problems.map(({ code }) => code)).toEqual([
    'essential-metric-missing',
    'essential-metric-missing',
  ])
})

test('problems of arrival', async () => {
  const good = all.map((metric) => ({ metric }))
  expect(await problemsOf(...good)).toEqual([])
  expect(await problemsOf(...good.map((one) => ({ ...one, isUnlabelled: true })))).toEqual([])
  const unlabelled = good.map((one) => ({ ...one, cluster: 'default', isUnlabelled: true }))
  expect(await problemsOf(...unlabelled)).toEqual(['no-cluster-label'])
  expect(await problemsOf(...good.map((one) => ({ ...one, aheadMs: 20_000 })))).toEqual(['clock-ahead'])
  expect(await problemsOf(...good.map((one) => ({ ...one, aheadMs: -2_400_000 })))).toEqual(['late-samples'])
  expect(await problemsOf(...good, { metric: cpu, source: 2 })).toEqual(['duplicate-senders'])
  expect(await problemsOf(...good.map((one) => ({ ...one, everySeconds: 300 })))).toEqual(['long-interval'])
  const slow = good.map((one) => ({ ...one, everySeconds: 300 }))
  expect(await problemsOf(...slow.map((one) => ({ ...one, aheadMs: -2_400_000 })))).toEqual(['long-interval'])
})
