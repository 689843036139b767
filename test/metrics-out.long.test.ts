import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { pushTestCluster } from './console/test-cluster.ts'
import { debianBinary } from './peers/debian-binary.ts'
import type { Peer } from './peers/peer-process.ts'
import { startPrometheus } from './peers/prometheus.ts'
import { testWith } from './peers/test-with.ts'
import { eventually, type RunningService, startService } from './service.ts'

// A real Prometheus scrapes GET /v1/metrics and GET /metrics of a real service, and the dashboard uses both.

const test = testWith('prometheus')
const dashboard = JSON.parse(
  readFileSync(join(import.meta.dirname, '../deploy/grafana/cheapside.json'), 'utf8'),
) as Dashboard
let service: RunningService
let prometheus: Peer

interface Dashboard {
  readonly panels: readonly {
    readonly id: number
    readonly type: string
    readonly title: string
    readonly targets?: readonly { readonly expr: string }[]
  }[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] }
}

beforeAll(async () => {
  service = await startService()
  await pushTestCluster(service, service.key)
  prometheus = await startPrometheus(scrapeConfig())
})
afterAll(async () => {
  await Promise.all([prometheus?.stop(), service?.stop()])
})

/** The configuration of the guide. */
function scrapeConfig(): string {
  const guide = readFileSync(join(import.meta.dirname, '../docs/how-to/scrape-recommendations.md'), 'utf8')
  const keyFile = join(service.directory, 'reader.key')
  writeFileSync(keyFile, service.key)
  return /```yaml\n([\s\S]*?)```/
    .exec(guide)![1]!
    .replaceAll('127.0.0.1:8080', new URL(service.url).host)
    .replace('/etc/prometheus/cheapside.key', keyFile)
    .replaceAll(/scrape_interval: \w+/g, 'scrape_interval: 1s')
    .replaceAll(/scrape_timeout: \w+/g, 'scrape_timeout: 1s')
}

const query = async (expr: string) => {
  const response = await fetch(`${prometheus.url}/api/v1/query`, {
    method: 'POST',
    body: new URLSearchParams({ query: expr }),
  })
  return (await response.json()) as { status: string; error?: string; data: { result: unknown[] } }
}

test('the text passes promtool', async () => {
  const { text } = await service.request('/v1/metrics')
  const promtool = debianBinary('promtool', 'prometheus')
  expect(execFileSync(promtool, ['check', 'metrics'], { input: text, encoding: 'utf8' })).toBe('')
})

test('every panel of the dashboard finds data, without an error', async () => {
  const withQueries = dashboard.panels.filter(({ type }) => type !== 'row')
  expect(withQueries.length).toBeGreaterThan(20)
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  for (const { title, targets = [] } of withQueries) {
    expect(targets.length, title).toBeGreaterThan(0)
    for (const { expr } of targets) {
      const asked = expr.replaceAll(/\$(cluster|namespace|job)\b/g, '.*').replaceAll('$__rate_interval', '5m')
      const { status, error } = await query(asked)
      expect([title, status, error]).toEqual([title, 'success', undefined])
      await eventually(async () => (await query(asked)).data.result.length > 0)
    }
  }
  for (const { definition } of dashboard.templating.list) {
    if (definition === undefined) continue
    const [, series, label] = /^label_values\((.*), (\w+)\)$/.exec(definition)!
    const { data } = await query(`count by (${label}) (${series!.replaceAll(/\$\w+/g, '.*')})`)
    expect(data.result.length, definition).toBeGreaterThan(0)
  }
})
