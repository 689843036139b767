import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Peer } from './peers/peer-process.ts'
import { startPrometheus } from './peers/prometheus.ts'
import { testWith } from './peers/test-with.ts'
import { eventually, type RunningService, startService } from './service.ts'
import { startExporter, usageOf, withStoreOf } from './usage-cluster.ts'

const test = testWith('prometheus')

let service: RunningService
let exporter: Awaited<ReturnType<typeof startExporter>>
let prometheus: Peer | undefined

beforeAll(async () => {
  ;[service, exporter] = await Promise.all([startService(), startExporter()])
})
afterAll(() => Promise.all([prometheus?.stop(), exporter?.stop(), service?.stop()]))

/** The configuration that the README gives to users. */
function pasted(): string {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const blocks = [...readme.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block]) => block!)
  return blocks.find((block) => block.includes('remote_write:'))!
}

test('a real Prometheus sends with the configuration of the README, in which only address and key are changed', async () => {
  const { key } = (
    await service.request('/admin/keys', {
      body: { organisation: 'acme', name: 'k', scopes: ['usage:write'] },
    })
  ).json
  const lines = pasted()
  expect([lines.includes('http://127.0.0.1:8080/'), lines.includes('csk_...')]).toEqual([true, true])
  const scrapes = `
scrape_configs:
  - job_name: kubelet
    scrape_interval: 1s
    metrics_path: /metrics/cadvisor
    static_configs: [{targets: ['${exporter.host}']}]
`
  prometheus = await startPrometheus(
    lines.replace('http://127.0.0.1:8080', service.url).replace('csk_...', key) + scrapes,
  )
  const usage = await withStoreOf(service, (store) =>
    eventually(async () => {
      const found = await usageOf(store, 'acme')
      return (found.get('prod/shop/web-5d9-3/app')?.samples ?? 0) >= 4 && found
    }),
  )
  expect([...usage.keys()].filter((name) => name.startsWith('prod/shop/'))).toHaveLength(4)
})
