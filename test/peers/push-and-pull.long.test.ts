import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import { hourMs } from '../../src/domain/time.ts'
import { EngineRefused, EngineUnavailable, PromqlClient } from '../../src/ingest/promql/client.ts'
import { collect } from '../../src/ingest/promql/collect.ts'
import { encodeRequest, type SeriesToWrite } from '../../src/ingest/remote-write/encode.case.ts'
import { SampleWriter, writeQueryResult } from '../../src/ingest/sample-writer.ts'
import { Accumulator } from '../../src/usage/digest/accumulator.ts'
import { collectChanges } from '../../src/usage/digest/checkpoint.ts'
import type { Peer } from './peer-process.ts'
import { startPrometheus } from './prometheus.ts'
import { testWith } from './test-with.ts'
import { startVictoriaMetrics } from './victoria-metrics.ts'

const test = testWith('prometheus', 'victoria-metrics')

/** Three hours of a small cluster: restarts, resets, an OOM kill, a gap, NaN, a stale marker, processes. */
const startMs = Math.floor(Date.now() / hourMs) * hourMs - 4 * hourMs + 7_000
const endMs = startMs + 3 * hourMs

let peers: Peer[] = []
let requests: Uint8Array[] = []

beforeAll(async () => {
  peers = await Promise.all([
    startPrometheus(),
    startVictoriaMetrics(),
    startPrometheus('', ['--query.max-samples=600']),
    startVictoriaMetrics(['-search.maxSamplesPerQuery=2500', '-search.maxExportSeries=5']),
  ])
  requests = stream()
  for (const { url } of peers) {
    for (const body of requests) {
      const { status } = await fetch(`${url}/api/v1/write`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' },
        body: Buffer.from(body),
      })
      expect(status).toBe(204)
    }
    await fetch(`${url}/internal/force_flush`)
  }
})
afterAll(() => Promise.all(peers.map((peer) => peer.stop())))

test('pushed and collected samples give identical digests', async () => {
  const pushed = newWriter()
  for (const body of requests) pushed.write(pushed.read(body, 'remote-write-1', 'test', endMs), endMs)
  const expected = digestsOf(pushed)
  expect(expected.length).toBeGreaterThan(15)
  for (const { url } of peers) {
    const pulled = newWriter()
    const client = new PromqlClient({ url })
    let done = startMs
    for await (const { series, doneUntilMs } of collect(client, {
      fromMs: startMs - hourMs,
      toMs: endMs + 1,
    })) {
      writeQueryResult(pulled, series, 'test', endMs + hourMs)
      done = doneUntilMs
    }
    expect(done).toBe(endMs + 1)
    expect(digestsOf(pulled)).toEqual(expected)
  }
})

test('collecting again from any resume point adds nothing', async () => {
  const writer = newWriter()
  const client = new PromqlClient({ url: peers[0]!.url })
  const run = async (fromMs: number, toMs: number) => {
    for await (const { series } of collect(client, { fromMs, toMs }))
      writeQueryResult(writer, series, 'test', endMs + hourMs)
  }
  await run(startMs - hourMs, startMs + 1.4 * hourMs)
  await run(startMs + hourMs, endMs + 1)
  const whole = newWriter()
  for (const body of requests) whole.write(whole.read(body, 'remote-write-1', 'test', endMs), endMs)
  expect(digestsOf(writer)).toEqual(digestsOf(whole))
})

test('matchers limit what is collected; the engine refuses an invalid matcher', async () => {
  const client = new PromqlClient({ url: peers[0]!.url })
  for await (const { series } of collect(client, {
    fromMs: startMs,
    toMs: endMs,
    matchers: ['namespace="other"'],
  }))
    expect(series).toEqual([])
  const wrong = collect(client, { fromMs: startMs, toMs: endMs, matchers: ['namespace='] })
  await expect(wrong.next()).rejects.toThrow(EngineRefused)
})

test('requests to a busy or partly available engine respect Retry-After; those to an unreachable one back off', async () => {
  const busy = { status: 'error', error: 'busy' }
  const whole = { status: 'success', data: 'here' }
  const answers = [
    [429, busy],
    [503, busy],
    [200, { ...whole, isPartial: true }],
    [200, whole],
  ] as const
  let next = 0
  const server = createServer((_, response) => {
    const [status, body] = answers[next++]!
    response.writeHead(status, status === 429 ? { 'retry-after': '7' } : {})
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const pauses: number[] = []
  const sleep = (ms: number) => Promise.resolve(pauses.push(ms))
  expect(await new PromqlClient({ url }, { sleep }).ask('/api/v1/query', {})).toBe('here')
  expect(pauses).toEqual([7000, 1000, 2000])
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  pauses.length = 0
  await expect(new PromqlClient({ url }, { sleep, attempts: 4 }).ask('/api/v1/query', {})).rejects.toThrow(
    EngineUnavailable,
  )
  expect(pauses).toEqual([500, 1000, 2000])
})

const newWriter = () =>
  new SampleWriter(new Accumulator({ maxAgeMs: Number.POSITIVE_INFINITY, maxAheadMs: 0, maxSubjects: 1000 }))

function digestsOf(writer: SampleWriter): string[] {
  const { subjects, entities } = collectChanges(writer.accumulator)
  const digests = subjects.flatMap(({ key, digests }) =>
    digests.map(
      ({ hour, bytes }) => `${key.replaceAll('\0', '/')} ${hour} ${Buffer.from(bytes).toString('hex')}`,
    ),
  )
  return [...digests, ...entities.map(({ key, json }) => `${key.replaceAll('\0', '/')} ${json}`)].sort()
}

/** One request per scrape, every 30 seconds. */
function stream(): Uint8Array[] {
  const bodies: Uint8Array[] = []
  for (let timeMs = startMs; timeMs <= endMs; timeMs += 30_000) {
    const scrape = (timeMs - startMs) / 30_000
    const series: SeriesToWrite[] = []
    const add = (name: string, labels: Record<string, string>, value: number | 'stale') =>
      series.push({
        labels: Object.entries({ __name__: name, ...labels }).sort(([a], [b]) => (a < b ? -1 : 1)),
        samples: [{ timeMs, value }],
      })
    for (let pod = 0; pod < 3; pod++) {
      const life = pod === 1 && scrape >= 200 ? 2 : 1
      const where = { namespace: 'shop', pod: `web-7-${pod}`, container: 'app' }
      const cadvisor = {
        ...where,
        id: `/kubepods/${pod}/${life}`,
        job: 'kubelet',
        metrics_path: '/metrics/cadvisor',
      }
      if (pod === 2 && scrape === 101)
        for (const name of ['container_cpu_usage_seconds_total', 'container_memory_working_set_bytes'])
          add(name, cadvisor, 'stale')
      if (pod === 2 && scrape > 100 && scrape < 160) continue
      const age = life === 2 ? scrape - 200 : pod === 0 && scrape > 50 ? scrape - 50 : scrape
      add('container_cpu_usage_seconds_total', cadvisor, age * (3 + pod) + (scrape % 7) * 0.123456)
      if (life === 2 && scrape < 210)
        add('container_cpu_usage_seconds_total', { ...cadvisor, id: `/kubepods/${pod}/1` }, 999)
      add(
        'container_memory_working_set_bytes',
        cadvisor,
        scrape % 50 === 49 ? Number.NaN : (100 + (scrape % 13)) * 1_048_577,
      )
      add('container_cpu_cfs_periods_total', cadvisor, age * 300)
      add('container_cpu_cfs_throttled_periods_total', cadvisor, age * 2)
      add('container_cpu_cfs_throttled_seconds_total', cadvisor, age * 0.0317)
      add('container_oom_events_total', cadvisor, life === 2 || (pod === 0 && scrape > 50) ? 1 : 0)
      add('container_memory_max_usage_bytes', cadvisor, (200 + Math.floor(scrape / 40)) * 2 ** 20)
      add('container_start_time_seconds', cadvisor, startMs / 1000 - 5 + (life - 1) * 6000)
      add('container_cpu_usage_seconds_total', { ...where, container: '' }, scrape)
      const state = { ...where, job: 'kube-state-metrics' }
      const at = { namespace: 'shop', pod: where.pod, job: 'kube-state-metrics' }
      add('kube_pod_container_status_restarts_total', state, life - 1)
      add(
        'kube_pod_container_resource_requests',
        { ...state, resource: 'cpu', unit: 'core' },
        scrape < 80 ? 0.25 : 0.2,
      )
      add('kube_pod_container_resource_limits', { ...state, resource: 'memory', unit: 'byte' }, 2 ** 30)
      add('kube_pod_status_phase', { ...at, phase: 'Running' }, 1)
      add('kube_pod_status_phase', { ...at, phase: 'Pending' }, 0)
      add(
        'kube_pod_info',
        { namespace: 'shop', pod: where.pod, node: 'node-1', job: 'kube-state-metrics' },
        1,
      )
      add(
        'kube_pod_owner',
        { namespace: 'shop', pod: where.pod, owner_kind: 'ReplicaSet', owner_name: 'web-7' },
        1,
      )
      if (life === 2)
        add('kube_pod_container_status_last_terminated_reason', { ...state, reason: 'OOMKilled' }, 1)
    }
    add(
      'kube_replicaset_owner',
      { namespace: 'shop', replicaset: 'web-7', owner_kind: 'Deployment', owner_name: 'web' },
      1,
    )
    const quota = { namespace: 'shop', resourcequota: 'q', resource: 'limits.cpu', type: 'hard' }
    add('kube_resourcequota', quota, scrape < 300 ? 8 : 9)
    const scaler = { namespace: 'shop', horizontalpodautoscaler: 'web' }
    add('kube_horizontalpodautoscaler_spec_max_replicas', scaler, 5)
    add('node_cpu_hourly_cost', { node: 'node-1', instance: 'node-1' }, 0.031)
    add('kube_node_status_capacity', { node: 'node-1', resource: 'cpu', unit: 'core' }, 8)
    add('kube_node_labels', { node: 'node-1', label_node_kubernetes_io_instance_type: 'm5.large' }, 1)
    const process = { groupname: 'nginx', instance: 'vm-1:9256', job: 'process' }
    add('namedprocess_namegroup_cpu_seconds_total', { ...process, mode: 'system' }, scrape * 0.5)
    add('namedprocess_namegroup_cpu_seconds_total', { ...process, mode: 'user' }, scrape * 1.5)
    add('namedprocess_namegroup_memory_bytes', { ...process, memtype: 'resident' }, 5e7 + scrape)
    bodies.push(encodeRequest(series))
  }
  return bodies
}
