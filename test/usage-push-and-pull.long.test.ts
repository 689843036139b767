import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { collectUsage } from '../src/ingest/collect-usage.ts'
import { openStore } from '../src/store/open.ts'
import type { Peer } from './peers/peer-process.ts'
import { startPrometheus } from './peers/prometheus.ts'
import { testWith } from './peers/test-with.ts'
import { startVictoriaMetrics } from './peers/victoria-metrics.ts'
import { eventually, type RunningService, startService } from './service.ts'
import { bitsOf, startExporter, usageOf, withStoreOf } from './usage-cluster.ts'

const test = testWith('prometheus', 'victoria-metrics')

const scratch = mkdtempSync(join(tmpdir(), 'cheapside-doors-'))
let service: RunningService
let exporter: Awaited<ReturnType<typeof startExporter>>
let victoria: Peer
let prometheus: Peer

/** Scrapes the exporter every second. The first remote_write is all that a user has to configure. */
const configuration = () => `
global: {scrape_interval: 1s, scrape_timeout: 1s}
remote_write:
  - url: ${service.url}/api/v1/write?cluster=live
    authorization: {credentials: ${service.key}}
    queue_config: {batch_send_deadline: 500ms}
  - url: ${victoria.url}/api/v1/write
    queue_config: {batch_send_deadline: 500ms}
scrape_configs:
  - job_name: kubelet
    metrics_path: /metrics/cadvisor
    static_configs: [{targets: ['${exporter.host}']}]
    relabel_configs: [{source_labels: [__metrics_path__], target_label: metrics_path}]
  - job_name: kube-state-metrics
    static_configs: [{targets: ['${exporter.host}']}]
  - job_name: process
    metrics_path: /processes
    static_configs: [{targets: ['${exporter.host}']}]
`

beforeAll(async () => {
  ;[service, exporter, victoria] = await Promise.all([
    startService(),
    startExporter(),
    startVictoriaMetrics(['-search.latencyOffset=0s']),
  ])
  prometheus = await startPrometheus(configuration())
})
afterAll(async () => {
  await Promise.all([prometheus?.stop(), victoria?.stop(), service?.stop()])
  rmSync(scratch, { recursive: true, force: true })
})

test('a real Prometheus pushes what it scrapes, and collecting from it or from VictoriaMetrics gives the same', async () => {
  const pushed = await withStoreOf(service, async (store) => {
    await eventually(async () => ((await usageOf(store)).get('live/shop/web-5d9-0/app')?.samples ?? 0) >= 16)
    await exporter.stop()
    const collected = await settledIn(prometheus)
    const arrives = (read: () => Promise<string[]>) => eventually(async () => same(await read(), collected))
    await arrives(() => bitsOf(store))
    // VictoriaMetrics gets the samples of Prometheus in batches.
    await arrives(() => collectedFrom(victoria)).catch(() => {})
    expect(await collectedFrom(victoria)).toEqual(collected)
    return usageOf(store)
  })
  const web = pushed.get('live/shop/web-5d9-1/app')!
  expect([...pushed.keys()].filter((key) => key.startsWith('live/'))).toHaveLength(4)
  expect(pushed.get('127.0.0.1/unknown/nginx/')!.cpu.max).toBeGreaterThan(0)
  expect([web.workload?.text, web.node?.text]).toEqual(['Deployment/web', 'n1'])
  expect([web.cpuRequestMicrocores?.last, web.memoryLimitBytes?.last]).toEqual([500_000, 2 ** 30])
  expect(web.memory.max % 2 ** 20).toBe(0)
  const { text } = await service.request('/metrics')
  expect(Number(/cheapside_usage_samples_total\{reason="accepted"\} (\d+)/.exec(text)?.[1])).toBeGreaterThan(
    100,
  )
  expect(Number(/received_samples_total\{kind="ignored"\} (\d+)/.exec(text)?.[1])).toBeGreaterThan(10)
})

const same = (a: readonly string[] | undefined, b: readonly string[]) => a?.join() === b.join()

/** Waits until all scraped samples can be queried: an engine does not return the last two seconds. */
async function settledIn(peer: Peer): Promise<string[]> {
  let before: string[] | undefined
  return eventually(async () => {
    const bits = await collectedFrom(peer)
    const settled = same(before, bits)
    before = bits
    return settled && bits
  })
}

async function collectedFrom(peer: Peer): Promise<string[]> {
  await fetch(`${peer.url}/internal/force_flush`)
  const store = await openStore({ dataDirectory: mkdtempSync(join(scratch, 'data-')) })
  try {
    const settings = {
      organisation: 'default',
      cluster: 'live',
      url: peer.url,
      days: 1 / 24,
      bearerFile: '',
      tenant: '',
      matchers: '',
    }
    const deps = { store, holder: 'test', now: () => Date.now() + 60_000, log: () => undefined }
    await collectUsage(deps, settings, new AbortController().signal)
    return await bitsOf(store)
  } finally {
    await store.close()
  }
}
