import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { type CollectionSettings, collectUsage } from '../src/ingest/collect-usage.ts'
import { ScheduledCollections } from '../src/ingest/collections.ts'
import { PromqlClient } from '../src/ingest/promql/client.ts'
import { partMatchers } from '../src/ingest/promql/collect.ts'
import { encodeRequest, type SeriesToWrite } from '../src/ingest/remote-write/encode.case.ts'
import type { Store } from '../src/store/port.ts'
import type { Peer } from './peers/peer-process.ts'
import { startPrometheus } from './peers/prometheus.ts'
import { testWith } from './peers/test-with.ts'
import { bitsOf, hourMs, series, usageOf, withStoreOf } from './usage-cluster.ts'

const test = testWith('prometheus')

// A collection divided into parts, from a real Prometheus.

const scratch = mkdtempSync(join(tmpdir(), 'cheapside-collect-parts-'))
const hours = 3
const untilMs = Date.now() - 120_000
const fromMs = untilMs - hours * hourMs
const namespaces = ['shop', 'a.b', 'c"d', 'e|f', 'back\\slash', 'kube-system', 'team-1', 'team-2', 'x']
let prometheus: Peer

beforeAll(async () => {
  prometheus = await startPrometheus()
  for (let timeMs = fromMs; timeMs < untilMs; timeMs += 60_000) {
    const { status } = await fetch(`${prometheus.url}/api/v1/write`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' },
      body: Buffer.from(encodeRequest(clusterAt(timeMs))),
    })
    expect(status).toBe(204)
  }
})
afterAll(async () => {
  await prometheus?.stop()
  rmSync(scratch, { recursive: true, force: true })
})

/** kube-state-metrics is scraped as a pod of kube-system, applications with their own labels, machines without labels. */
function clusterAt(timeMs: number): SeriesToWrite[] {
  const minutes = Math.floor((timeMs - fromMs) / 60_000)
  const containers = namespaces.flatMap((namespace, index) => {
    const at = { namespace, pod: 'web-1', container: 'app' }
    const scraped = { namespace: 'kube-system', exported_namespace: namespace }
    const application = { kubernetes_namespace: namespace, kubernetes_pod_name: 'web-1', container: 'app' }
    return [
      series('container_cpu_usage_seconds_total', at, { timeMs, value: minutes * 6 * (index + 1) }),
      series('container_memory_working_set_bytes', at, { timeMs, value: (100 + minutes + index) * 2 ** 20 }),
      series(
        'kube_pod_container_resource_requests',
        { ...scraped, exported_pod: 'web-1', exported_container: 'app', resource: 'cpu', unit: 'core' },
        { timeMs, value: index + 1 },
      ),
      series(
        'jvm_memory_used_bytes',
        { ...application, area: 'heap', id: 'G1 Old Gen' },
        { timeMs, value: 50 * 2 ** 20 },
      ),
    ]
  })
  return [
    ...containers,
    series(
      'cheapside_process_cpu_seconds_total',
      { vm: 'db-1', vm_group: 'databases', process: 'postgres' },
      { timeMs, value: minutes * 3 },
    ),
    series('kube_node_labels', { namespace: 'kube-system', node: 'n1' }, { timeMs, value: 1 }),
  ]
}

const settings = (): CollectionSettings => ({
  organisation: 'default',
  cluster: 'east',
  url: prometheus.url,
  days: 1,
  bearerFile: '',
  tenant: '',
  matchers: '',
})
const depsOf = (store: Store, holder: string) => ({
  store,
  holder,
  now: () => untilMs + 90_000,
  log: () => undefined,
})
const never = new AbortController().signal
const freshDirectory = () => mkdtempSync(join(scratch, 'data-'))

test('all parts together give the same digests as the whole, whichever node collects which part', async () => {
  const [whole, divided] = [freshDirectory(), freshDirectory()]
  const expected = await withStoreOf({ directory: whole }, async (store) => {
    await collectUsage(depsOf(store, 'one'), settings(), never)
    return bitsOf(store)
  })
  expect(new Set(expected.map((line) => line.split(' ')[0])).size).toBeGreaterThan(namespaces.length)
  await withStoreOf({ directory: divided }, async (store) => {
    const nodes = ['a', 'b', 'c'].map(
      (holder) => new ScheduledCollections(depsOf(store, holder), [settings()], 4, 15 * 60_000),
    )
    await Promise.all(nodes.map((node) => node.run()))
    expect(await bitsOf(store)).toEqual(expected)
    const parts = (await store.usage.partitions()).filter(({ resume }) => resume !== '')
    expect(parts.length).toBeGreaterThan(1)
    expect(new Set(parts.map(({ source }) => source)).size).toBe(1)
  })
})

test('with another number of parts it resumes where it stopped, and nothing counts twice', async () => {
  const directory = freshDirectory()
  await withStoreOf({ directory }, async (store) => {
    const earlier = { ...depsOf(store, 'one'), now: () => untilMs - hourMs }
    await collectUsage(earlier, settings(), never)
    await new ScheduledCollections(depsOf(store, 'one'), [settings()], 2, 15 * 60_000).run()
    const counted = await usageCounts(store)
    const fresh = await withStoreOf({ directory: freshDirectory() }, async (other) => {
      await collectUsage(depsOf(other, 'one'), settings(), never)
      return usageCounts(other)
    })
    expect(counted).toEqual(fresh)
  })
})

test('every series is in exactly one part', async () => {
  const client = new PromqlClient({ url: prometheus.url })
  const everything = '__name__=~"container_.+|kube_.+|jvm_.+|cheapside_.+"'
  const found: string[] = []
  for (const number of [1, 2, 3])
    for (const matchers of await partMatchers(client, { number, count: 3 }, { fromMs, toMs: untilMs })) {
      const answer = await client.ask('/api/v1/query', {
        query: `last_over_time({${everything},${matchers}}[1h])`,
        time: String(untilMs / 1000),
      })
      for (const { metric } of (answer as { result: { metric: object }[] }).result)
        found.push(JSON.stringify(metric))
    }
  expect(found).toHaveLength(new Set(found).size)
  expect(found).toHaveLength(namespaces.length * 4 + 2)
})

/** Number of samples of each container, from all collectors. */
async function usageCounts(store: Store): Promise<Map<string, number>> {
  const usage = await usageOf(store)
  return new Map([...usage].map(([key, { memory }]) => [key, memory.count]))
}
