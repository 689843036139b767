import { beforeAll, expect, test } from 'vitest'
import { pushTestCluster } from './console/test-cluster.ts'
import { gib, hourMs } from './pushed-cluster.ts'
import { type SharedService, sharedService } from './service.ts'

let service: SharedService

beforeAll(async () => {
  service = await sharedService()
  await pushTestCluster(service, service.key)
})

const metrics = async (query = '', key = service.key): Promise<string> =>
  (await service.request(`/v1/metrics${query}`, { key })).text

test('the text agrees with the recommendations', async () => {
  const text = await metrics()
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
  const { totals } = (await service.request('/v1/recommendations')).json
  const parts = [...text.matchAll(/^cheapside_savings_usd_per_month\{.*\} (.*)$/gm)]
  expect(parts.length).toBeGreaterThan(1)
  const sum = parts.reduce((all, [, part]) => all + Number(part), 0)
  expect(sum).toBeCloseTo(totals.savings.total_per_month, 2)
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
