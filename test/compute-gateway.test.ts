import { beforeAll, expect, test } from 'vitest'
import { containerSeries, gib, hourMs, nodeSeries, push, seriesOf } from './pushed-cluster.ts'
import { eventually, type SharedService, sharedService } from './service.ts'

// Nodes and machines are pushed to the real service, and its answers about them are checked.

const seenAt = Math.floor(Date.now() / hourMs) * hourMs - 60_000
const firstHour = new Date(Math.floor(seenAt / hourMs) * hourMs).toISOString()
const labels = (type: string) => ({
  label_node_kubernetes_io_instance_type: type,
  label_topology_kubernetes_io_region: 'us-east-1',
  label_topology_kubernetes_io_zone: 'us-east-1a',
  label_kubernetes_io_os: 'linux',
  label_kubernetes_io_arch: 'amd64',
  provider_id: 'aws:///us-east-1a/i-0123456789abcdef0',
})
const machine = (vm: string, info: Record<string, string>, cores: number, ramGib: number) => [
  seriesOf('cheapside_machine_info', { vm, ...info }, [{ timeMs: seenAt, value: 1 }]),
  seriesOf('cheapside_machine_cpu_cores', { vm }, [{ timeMs: seenAt, value: cores }]),
  seriesOf('cheapside_machine_memory_bytes', { vm }, [{ timeMs: seenAt, value: ramGib * gib }]),
]

let service: SharedService
beforeAll(async () => {
  service = await sharedService()
  await push(service, service.key, [
    ...nodeSeries({ cluster: 'prod', name: 'n1', cores: 4, gib: 15.5, labels: labels('m5.xlarge') }, seenAt),
    ...nodeSeries({ cluster: 'prod', name: 'n2', cores: 4, gib: 15.5, labels: labels('m5.xlarge') }, seenAt),
    ...nodeSeries({ cluster: 'lab', name: 'n1', cores: 2, gib: 4 }, seenAt),
    ...machine('web', { provider: 'aws', region: 'us-east-1', instance_type: 'm5.xlarge' }, 4, 15.5),
    ...machine('own', {}, 8, 32),
    ...machine('capped', { provider: 'digitalocean', region: 'nyc1', instance_type: 's-2vcpu-4gb' }, 2, 4),
  ])
  await eventually(async () => (await service.request('/v1/vm_metadata')).json.length === 3)
})

const like = { provider: 'aws', region: 'us-east-1', instance_type: 'm5.xlarge' }
const pods = [{ name: 'web', cpu_cores: 1, memory_gib: 2, count: 20 }]

test('POST /v1/clusters/plan: nodes for stated pods, here and elsewhere, and as files', async () => {
  const { status, json } = await service.request('/v1/clusters/plan', { body: { ...like, pods, spot: 0.5 } })
  expect(status).toBe(200)
  expect(json).toMatchObject({ cluster: 'plan', pods: 20, nodes: [{ instance_type: 'm5.xlarge' }] })
  const options: { effort: string; spot_share: number; steps: string[]; cost_per_month: number }[] =
    json.options
  expect(new Set(options.map(({ effort }) => effort))).toContain('provider')
  expect(options.some(({ spot_share }) => spot_share === 0.5)).toBe(true)
  expect(options.every(({ steps, cost_per_month }) => steps.length > 1 && cost_per_month > 0)).toBe(true)
  const karpenter = await service.request('/v1/clusters/plan?format=karpenter', { body: { ...like, pods } })
  expect(karpenter.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(karpenter.text).toContain('kind: NodePool')
  const csv = await service.request('/v1/clusters/plan?format=csv', { body: { ...like, pods } })
  expect(csv.text).toMatch(
    /^cluster,pool,region,instance_type,payment,nodes,zone,taints,min_nodes,labels\nplan,/,
  )
})

test.each([
  ['/v1/clusters/plan?format=bogus', { ...like, pods }, 422],
  ['/v1/clusters/plan', { pods }, 422],
  ['/v1/clusters/plan', { ...like, pods: [] }, 422],
  ['/v1/clusters/plan', { ...like, pods, spot: 1.5 }, 422],
  ['/v1/clusters/plan', { ...like, objects: [{ kind: 'Secret', data: { a: 'x' } }] }, 422],
])('%s refuses %j', async (path, body, status) => {
  expect((await service.request(path, { body })).status).toBe(status)
})

test('GET /v1/cluster_recommendations: clusters without pods, a format, and a bad query', async () => {
  expect((await service.request('/v1/cluster_recommendations')).status).toBe(200)
  expect((await service.request('/v1/cluster_recommendations?format=eksctl')).status).toBe(200)
  for (const query of ['format=bogus', 'spot=2', 'min_gain=-1', 'max_pools=9'])
    expect((await service.request(`/v1/cluster_recommendations?${query}`)).status).toBe(422)
})

test('GET /v1/compute/recommendations: the cheapest of each provider, node by node', async () => {
  const { status, json } = await service.request('/v1/compute/recommendations')
  expect(status).toBe(200)
  expect(json.map(({ cluster, node }: Record<string, string>) => [cluster, node])).toEqual([
    ['lab', 'n1'],
    ['prod', 'n1'],
    ['prod', 'n2'],
  ])
  const [unknown, first, second] = json
  expect(unknown).toEqual({
    cluster: 'lab',
    node: 'n1',
    creationTime: expect.any(String),
    usage: null,
    recommendations: [],
    notes: [],
  })
  expect(first.notes).toEqual([expect.stringMatching(/cannot be a node of a managed cluster/)])
  expect(first.recommendations).toEqual(second.recommendations)
  const asked = await service.request('/v1/recommendations/compute', {
    body: {
      instance: {
        provider: 'aws',
        region: 'us-east-1',
        availability_zone: 'us-east-1a',
        instance_type: 'm5.xlarge',
      },
    },
  })
  expect(first.recommendations).toEqual(asked.json)
  expect(first.recommendations.length).toBeGreaterThan(1)
})

test('the replacement of a node has the size that its pods need, once that is known', async () => {
  const key = (
    await service.request('/admin/keys', {
      body: { organisation: 'busy', name: 'all', scopes: ['gateway:read', 'usage:write'] },
    })
  ).json.key
  const toMs = Math.floor(Date.now() / hourMs) * hourMs
  const web = { cluster: 'prod', node: 'n1', requests: { cpu: 0.5, memoryGib: 1 }, cores: 0.1, gib: 2 }
  await push(service, key, [
    ...nodeSeries({ cluster: 'prod', name: 'n1', cores: 4, gib: 15.5, labels: labels('m5.xlarge') }, toMs),
    ...nodeSeries({ cluster: 'prod', name: 'n2', cores: 4, gib: 15.5, labels: labels('m5.xlarge') }, toMs),
    ...['web-1', 'web-2'].flatMap((pod) =>
      containerSeries({ ...web, pod }, { fromMs: toMs - 5 * hourMs, toMs }),
    ),
  ])
  const [small, whole] = await eventually(async () => {
    const { json } = await service.request('/v1/compute/recommendations', { key })
    return json.length === 2 && json[0].usage !== null && json
  })
  expect(small.usage).toEqual({ cpu_cores: 1, ram_gb: 4 })
  expect(whole.usage).toBeNull()
  const priceOf = ({ recommendations }: { recommendations: { pricing: Record<string, number> }[] }) =>
    recommendations[0]!.pricing
  expect(priceOf(small).cost_per_hour).toBeLessThan(priceOf(whole).cost_per_hour!)
  expect(priceOf(small).ram_gb).toBeGreaterThanOrEqual(5)
})

test('filtered by cluster, and page by page', async () => {
  const lab = await service.request('/v1/compute/recommendations?cluster=lab')
  expect(lab.json).toHaveLength(1)
  const first = await service.request('/v1/compute/recommendations?limit=2')
  expect(first.json).toHaveLength(2)
  const next = /^<(.+)>; rel="next"$/.exec(first.headers.get('link')!)![1]!
  const second = await service.request(next)
  expect(second.json).toMatchObject([{ cluster: 'prod', node: 'n2' }])
  expect(second.headers.get('link')).toBeNull()
  for (const path of ['/v1/compute/recommendations', '/v1/vm_metadata']) {
    const bad = await service.request(`${path}?cursor=x`)
    expect([bad.status, bad.json.errors[0].pointer]).toEqual([422, '?cursor'])
  }
})

test('GET /v1/vm_metadata', async () => {
  const { json } = await service.request('/v1/vm_metadata')
  const unknown = { provider: '', region: '', availabilityZone: '', instanceType: '', architecture: '' }
  expect(json).toEqual([
    // A droplet costs at most 672 hours a month.
    expect.objectContaining({ name: 'capped', costPerHour: 0.03571, costPerMonth: 24 }),
    {
      ...unknown,
      name: 'own',
      hostname: 'own',
      operatingSystem: 'Linux',
      cpucores: 8,
      ramgiB: 32,
      costPerHour: 0.388472,
      costPerMonth: 283.585,
      priceSource: 'base',
      creationTime: firstHour,
    },
    {
      ...unknown,
      name: 'web',
      hostname: 'web',
      provider: 'aws',
      region: 'us-east-1',
      instanceType: 'm5.xlarge',
      operatingSystem: 'Linux',
      cpucores: 4,
      ramgiB: 15.5,
      costPerHour: 0.192,
      costPerMonth: 140.16,
      priceSource: 'list',
      creationTime: firstHour,
    },
  ])
  const first = await service.request('/v1/vm_metadata?limit=1')
  const next = /^<(.+)>; rel="next"$/.exec(first.headers.get('link')!)![1]!
  expect((await service.request(next)).json).toEqual([json[1]])
})

test('GET /v1/healthz and /v1/providers answer as without /v1', async () => {
  expect((await service.request('/v1/healthz', { key: null })).json).toEqual({ status: 'ok' })
  const [one, two] = [await service.request('/providers'), await service.request('/v1/providers')]
  expect([two.status, two.text]).toEqual([200, one.text])
})
