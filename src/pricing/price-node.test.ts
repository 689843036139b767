import { afterAll, beforeAll, expect, test } from 'vitest'
import { Digester } from '../ingest/digester.ts'
import { encodeRequest } from '../ingest/remote-write/encode.case.ts'
import { entityKey, readEntities } from '../usage/digest/entities.ts'
import { marketOf } from './market.ts'
import { type NodeCost, nodePrices, priceNode } from './price-node.ts'
import { regionsInUse } from './regions-in-use.ts'
import { openTestMarket, type TestMarket } from './test-market.case.ts'

let fixture: TestMarket
beforeAll(async () => {
  fixture = await openTestMarket()
})
afterAll(() => fixture.close())

let organisations = 0

/** Checks what node "n" costs by its metrics, which pass through the journal, the digester and the store. */
async function check(
  series: readonly [name: string, labels: Record<string, string>, value: number][],
  expected: Partial<NodeCost>,
  kind: 'node' | 'machine' = 'node',
): Promise<void> {
  const organisation = `org${++organisations}`
  const timeMs = Date.now()
  const partition = { organisation, source: 'push' }
  const body = encodeRequest(
    series.map(([name, labels, value]) => ({
      labels: Object.entries({
        __name__: name,
        ...(kind === 'node' ? { cluster: 'c', node: 'n' } : { vm: 'n' }),
        ...labels,
      }).sort(([a], [b]) => (a < b ? -1 : 1)),
      samples: [{ timeMs, value }],
    })),
  )
  const { usage } = fixture.store
  await usage.append([
    { partition, receivedAt: timeMs, format: 'remote-write-1', cluster: 'c', body: body.slice() },
  ])
  const digester = await Digester.open(usage, partition)
  await digester.digest()
  await digester.commit()
  const deps = { pricing: fixture.pricing, usage }
  const cost =
    kind === 'node'
      ? (await nodePrices(deps, organisation, 'c')).priceOf('c', 'n')
      : await machinePrice(deps, organisation, 'n')
  for (const [name, value] of Object.entries(expected))
    if (typeof value === 'number') expect(cost[name as keyof NodeCost], name).toBeCloseTo(value, 6)
    else expect(cost[name as keyof NodeCost], name).toBe(value)
}

async function machinePrice(
  { pricing, usage }: Parameters<typeof nodePrices>[0],
  organisation: string,
  name: string,
): Promise<NodeCost> {
  const machines = await readEntities(usage, organisation, { kinds: ['machine'] })
  const machine = machines.get(entityKey({ kind: 'machine', cluster: '', namespace: '', name }))!
  return priceNode(pricing, await marketOf(pricing, organisation), machine)
}

const labels = (more: Record<string, string>) =>
  Object.fromEntries(Object.entries(more).map(([name, value]) => [`label_${name}`, value]))
const capacity = (cores: number, gib: number): [string, Record<string, string>, number][] => [
  ['kube_node_status_capacity', { resource: 'cpu' }, cores],
  ['kube_node_status_capacity', { resource: 'memory' }, gib * 2 ** 30],
]
const openCost = (cpu: number, ram: number): [string, Record<string, string>, number][] => [
  ['node_cpu_hourly_cost', {}, cpu],
  ['node_ram_hourly_cost', {}, ram],
]
const xlarge = { node_kubernetes_io_instance_type: 'm5.xlarge' }

test('providerID and labels name a price of the catalogue', async () => {
  const place = {
    ...xlarge,
    topology_kubernetes_io_region: 'us-east-1',
    topology_kubernetes_io_zone: 'us-east-1a',
  }
  await check(
    [
      ['kube_node_info', { provider_id: 'aws:///us-east-1a/i-0123' }, 1],
      ['kube_node_labels', labels(place), 1],
      ...openCost(9, 9),
    ],
    // 0.192 / (4 x 7.5 + 16) = 0.004174 a GiB
    { perHourUsd: 0.192, gibPerHourUsd: 0.004174, corePerHourUsd: 0.031304, source: 'list' },
  )
})

test('the region is found by the zone of the providerID', async () => {
  await check(
    [
      ['kube_node_info', { provider_id: 'aws:///eu-west-1b/i-0123' }, 1],
      ['kube_node_labels', labels(xlarge), 1],
    ],
    { perHourUsd: 0.214, source: 'list' },
  )
  await check(
    [
      ['kube_node_info', { provider_id: 'gce://project/us-central1-a/gke-1' }, 1],
      ['kube_node_labels', labels({ node_kubernetes_io_instance_type: 'n2-standard-4' }), 1],
    ],
    { perHourUsd: 0.194236, corePerHourUsd: 0.031611, gibPerHourUsd: 0.004237, source: 'list' },
  )
})

test('the regions in use are those of nodes and machines, by provider', async () => {
  const before = organisations
  await check(
    [
      ['kube_node_info', { provider_id: 'aws:///eu-west-1b/i-1' }, 1],
      ['kube_node_labels', labels(xlarge), 1],
    ],
    {},
  )
  await check([['kube_node_labels', labels({ node_kubernetes_io_instance_type: 'm5.nothing' }), 1]], {})
  const all = Array.from({ length: organisations - before }, (_, n) => `org${before + n + 1}`)
  const { pricing, store } = fixture
  expect(await regionsInUse({ pricing, usage: store.usage }, [...all, 'nobody'])).toEqual(
    new Map([['aws', new Set(['eu-west-1'])]]),
  )
})

test('a GPU costs its part of the price of its node, as many as the cluster counts', async () => {
  const node: [string, Record<string, string>, number][] = [
    ['kube_node_info', { provider_id: 'aws:///us-east-1b/i-0123' }, 1],
    ['kube_node_labels', labels({ node_kubernetes_io_instance_type: 'g4dn.xlarge' }), 1],
  ]
  // 0.526 / (4 x 7.5 + 16 + 224) = 0.001948 a GiB
  const rates = { gibPerHourUsd: 0.001948, corePerHourUsd: 0.014611, perHourUsd: 0.526 }
  await check(node, { ...rates, gpuPerHourUsd: 0.436385 })
  const counted = (count: number): (typeof node)[number] => [
    'kube_node_status_capacity',
    { resource: 'nvidia_com_gpu' },
    count,
  ]
  // A device plugin lets four pods share it.
  await check([...node, counted(4)], { ...rates, gpuPerHourUsd: 0.436385 / 4 })
  const reported: typeof node = [...capacity(8, 32), ...openCost(0.03, 0.004), counted(2)]
  await check([...reported, ['node_gpu_hourly_cost', {}, 0.95]], {
    gpuPerHourUsd: 0.95,
    perHourUsd: 8 * 0.03 + 32 * 0.004 + 2 * 0.95,
    source: 'metric',
  })
  await check(reported, { perHourUsd: 8 * 0.03 + 32 * 0.004, source: 'metric' })
  const shared: typeof node = [
    ...capacity(8, 32),
    ...openCost(0.03, 0.004),
    counted(4),
    ['node_gpu_hourly_cost', {}, 0.96],
    ['node_gpu_count', {}, 1],
  ]
  await check(shared, { gpuPerHourUsd: 0.24, perHourUsd: 8 * 0.03 + 32 * 0.004 + 0.96 })
  // Some GPUs of the node are offered only in parts.
  const labelled = labels({ node_kubernetes_io_instance_type: 'p3.8xlarge' })
  const place: (typeof node)[number] = ['kube_node_info', { provider_id: 'aws:///us-west-2b/i-0123' }, 1]
  const [whole, parts] = [{ gpuPerHourUsd: 0.470725 }, counted(2)]
  await check([place, ['kube_node_labels', labelled, 1]], whole)
  await check([place, ['kube_node_labels', labelled, 1], parts], whole)
})

test('without a providerID the provider is inferred if exactly one has the region and type', async () => {
  const place = { topology_kubernetes_io_region: 'us-east-1', topology_kubernetes_io_zone: 'us-east-1a' }
  const labelled = (more: Record<string, string>): [string, Record<string, string>, number][] => [
    ['kube_node_labels', labels(more), 1],
  ]
  await check(labelled({ ...xlarge, ...place }), { perHourUsd: 0.192, source: 'list' })
  await check(labelled({ ...xlarge, ...place, karpenter_sh_capacity_type: 'spot' }), {
    perHourUsd: 0.07,
    source: 'list',
  })
  await check(labelled({ ...xlarge, ...place, kubernetes_io_os: 'windows' }), { perHourUsd: 0.376 })
  await check(labelled({ ...xlarge, topology_kubernetes_io_region: 'us-central1' }), { source: 'base' })
  await check(labelled(xlarge), { source: 'base' })
  await check(
    [['cheapside_machine_info', { region: 'us-east-1', instance_type: 'm5.xlarge' }, 1]],
    { perHourUsd: 0.192, source: 'list' },
    'machine',
  )
})

const spotLabels: [Record<string, string>, number][] = [
  [{ karpenter_sh_capacity_type: 'spot' }, 0.07],
  [{ eks_amazonaws_com_capacityType: 'SPOT' }, 0.07],
  [{ eks_amazonaws_com_capacityType: 'ON_DEMAND' }, 0.192],
  [{ topology_kubernetes_io_zone: 'use1-az1', karpenter_sh_capacity_type: 'spot' }, 0.08],
  [
    {
      topology_k8s_aws_zone_id: 'use1-az1',
      topology_kubernetes_io_zone: 'us-east-1a',
      karpenter_sh_capacity_type: 'spot',
    },
    0.08,
  ],
  [{ kubernetes_io_os: 'windows' }, 0.376],
]
test.each(spotLabels)('%j', async (more, perHourUsd) => {
  await check(
    [
      ['kube_node_info', { provider_id: 'aws:///us-east-1a/i-0123' }, 1],
      ['kube_node_labels', labels({ ...xlarge, topology_kubernetes_io_region: 'us-east-1', ...more }), 1],
    ],
    { perHourUsd, source: 'list' },
  )
})

test('a node without a list price has the price from OpenCost, otherwise base rates', async () => {
  const unknown: [string, Record<string, string>, number][] = [
    ['kube_node_info', { provider_id: 'kind://docker/kind/kind-worker' }, 1],
    ['kube_node_labels', labels({ node_kubernetes_io_instance_type: 'rack' }), 1],
  ]
  await check([...unknown, ...capacity(4, 16), ...openCost(0.03, 0.004)], {
    perHourUsd: 0.184,
    corePerHourUsd: 0.03,
    source: 'metric',
  })
  await check([...unknown, ...capacity(4, 16)], { perHourUsd: 0.194236, source: 'base' })
  await check(unknown, { perHourUsd: null, corePerHourUsd: 0.031611, source: 'base' })
  await check([['kube_node_labels', { node: 'other' }, 1]], { perHourUsd: null, source: 'base' })
})

test("a machine is priced by facts from the agent, with the organisation's own prices first", async () => {
  const facts = { region: 'us-east-1', instance_type: 'm5.xlarge' }
  await check(
    [['cheapside_machine_info', { ...facts, provider: 'aws', capacity_type: 'RESERVED' }, 1]],
    { perHourUsd: 0.121, source: 'list' },
    'machine',
  )
  const entry = {
    provider: 'our-racks',
    service: 'our-racks',
    region: 'basement',
    zone: '',
    instanceType: 'rack-8',
    operatingSystem: 'Linux' as const,
    usageType: 'ONDEMAND' as const,
    pricePerHourUsd: 0.04,
    vcpus: 8,
    ramGib: 32,
    rawJson: '{}',
  }
  await fixture.store.marketplace.register(`org${organisations + 1}`, [entry])
  await check(
    [
      [
        'cheapside_machine_info',
        { provider: 'our-racks', region: 'basement', instance_type: 'rack-8', capacity_type: '' },
        1,
      ],
    ],
    { perHourUsd: 0.04, source: 'own' },
    'machine',
  )
  // An own price includes the GPUs that the node reports: 0.04 x 224 / (8 x 7.5 + 32 + 2 x 224) each.
  await fixture.store.marketplace.register(`org${organisations + 1}`, [entry])
  await check(
    [
      ['kube_node_labels', { provider: 'our-racks', region: 'basement', instance_type: 'rack-8' }, 1],
      ['kube_node_status_capacity', { resource: 'amd_com_gpu' }, 2],
    ],
    { perHourUsd: 0.04, source: 'own', gpuPerHourUsd: 0.016593 },
  )
})

test('a node that no list has is priced by the only own price of its type', async () => {
  const entry = (region: string, instanceType: string) => ({
    ...{ provider: 'our-racks', service: 'our-racks', region, instanceType, zone: '', rawJson: '{}' },
    ...{ operatingSystem: 'Linux' as const, usageType: 'ONDEMAND' as const },
    ...{ pricePerHourUsd: 0.04, vcpus: 8, ramGib: 32 },
  })
  const priced = async (
    entries: ReturnType<typeof entry>[],
    type: string,
    place: Record<string, string>,
    expected: Partial<NodeCost>,
  ) => {
    await fixture.store.marketplace.register(`org${organisations + 1}`, entries)
    await check(
      [
        ['kube_node_info', { provider_id: 'aws:///us-east-1a/i-0123' }, 1],
        ['kube_node_labels', labels({ node_kubernetes_io_instance_type: type, ...place }), 1],
      ],
      expected,
    )
  }
  const own = { perHourUsd: 0.04, source: 'own' } as const
  const east = { topology_kubernetes_io_region: 'us-east-1' }
  await priced([entry('us-east-1', 'rack-8')], 'rack-8', east, own)
  await priced([entry('basement', 'rack-8')], 'rack-8', {}, own)
  await priced([entry('basement', 'rack-8')], 'rack-8', east, { source: 'base', missing: 'price' })
  await priced([entry('a', 'rack-8'), entry('b', 'rack-8')], 'rack-8', {}, { source: 'base' })
  // What a reseller asks for the same type is not what the node costs.
  await priced([entry('us-east-1', 'm5.xlarge')], 'm5.xlarge', east, { perHourUsd: 0.192, source: 'list' })
})
