import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pushTestCluster } from './console/test-cluster.ts'
import { debianBinary } from './peers/debian-binary.ts'
import type { Peer } from './peers/peer-process.ts'
import { startPrometheus } from './peers/prometheus.ts'
import { gib, hourMs } from './pushed-cluster.ts'
import { eventually, type RunningService, startService } from './service.ts'

// A real Prometheus scrapes GET /v1/metrics and GET /metrics of a real service, and the dashboard uses both.

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

const metrics = async (query = '', key = service.key): Promise<string> =>
  (await service.request(`/v1/metrics${query}`, { key })).text

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

test('the text passes promtool and agrees with the recommendations', async () => {
  const text = await metrics()
  const promtool = debianBinary('promtool', 'prometheus')
  expect(execFileSync(promtool, ['check', 'metrics'], { input: text, encoding: 'utf8' })).toBe('')
  const end = Math.floor(Date.now() / hourMs) * hourMs
  const window = new URLSearchParams({
    start_date: new Date(end - 14 * 24 * hourMs).toISOString(),
    end_date: new Date(end).toISOString(),
  })
  const shop = (await service.request(`/v1/namespace_recommendations?${window}`)).json.find(
    (one: { Namespace: string }) => one.Namespace === 'shop',
  )
  const { CPU, Memory } = shop.ContainerRecommendations['Deployment/web/app']
  const labels = '{cluster="prod",namespace="shop",kind="Deployment",workload="web",container="app"}'
  const lines = new Set(text.split('\n'))
  for (const line of [
    `cheapside_workload_cpu_request_cores${labels} 2`,
    `cheapside_workload_cpu_request_recommended_cores${labels} ${CPU.Requests.Recommended}`,
    `cheapside_workload_memory_request_bytes${labels} ${4 * gib}`,
    `cheapside_namespace_spend_usd_per_month{cluster="prod",namespace="shop"} ${shop.MonthlyCurrentSpend}`,
    `cheapside_namespace_savings_usd_per_month{cluster="prod",namespace="shop"} ${shop.MonthlySavings}`,
    'cheapside_node_price_usd_per_hour{cluster="prod",node="n1",provider="aws",region="us-east-1",instance_type="m5.2xlarge",source="list"} 0.384',
    'cheapside_vm_cores{vm="build-7"} 8',
    'cheapside_metrics_left_out{kind="container"} 0',
  ])
    expect(lines).toContain(line)
  const recommended = [...lines].find((line) =>
    line.startsWith(`cheapside_workload_memory_request_recommended_bytes${labels}`),
  )
  expect(Number(recommended!.split(' ').at(-1)) / gib).toBeCloseTo(Memory.Requests.Recommended, 5)
})

test('has limits and reports what it left out; belongs to one organisation and needs the scope', async () => {
  const containersIn = (text: string) => text.match(/^cheapside_workload_replicas\{/gm)?.length ?? 0
  const [all, text] = [await metrics(), await metrics('?limit=1')]
  expect(containersIn(all)).toBeGreaterThan(1)
  expect(containersIn(text)).toBe(1)
  expect(text).toContain(`cheapside_metrics_left_out{kind="container"} ${containersIn(all) - 1}\n`)
  expect(text).toContain('cheapside_metrics_left_out{kind="namespace"} 1\n')
  expect(text).toContain('cheapside_metrics_left_out{kind="machine"} 1\n')
  expect((await metrics('?cluster=other')).match(/^cheapside_(workload|node|vm)\w*\{/gm)).toBeNull()
  const issue = async (scopes: string[]) =>
    (await service.request('/admin/keys', { body: { organisation: 'acme', name: 'scraper', scopes } })).json
      .key
  expect(await metrics('', await issue(['gateway:read']))).not.toContain('shop')
  for (const [key, status] of [
    [await issue(['pricing:read']), 403],
    [null, 401],
  ] as const)
    expect((await service.request('/v1/metrics', { key })).status).toBe(status)
  expect((await service.request('/v1/metrics?days=0')).status).toBe(422)
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
