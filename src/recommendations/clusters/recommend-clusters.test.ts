import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { awsOffer } from '../../domain/offer.case.ts'
import { checkCommitments } from '../../pricing/commitments/store-commitments.ts'
import { openTestMarket, type TestMarket } from '../../pricing/test-market.case.ts'
import type { SyntheticPod } from '../../usage/reading/pods.case.ts'
import { firstHour } from '../../usage/reading/pods.case.ts'
import { exportPools } from './export-pools.ts'
import { type ClustersRequest, parseClustersRequest } from './query.ts'
import type { ClusterRecommendation } from './schema.ts'
import { clusterOf, nodeOffers, nodesOf, plansOf, type SyntheticNode } from './test-cluster.case.ts'
import { viewCluster } from './view-cluster.ts'

let fixture: TestMarket
beforeAll(async () => {
  fixture = await openTestMarket(nodeOffers)
})
afterAll(() => fixture.close())

/** Pods of a workload that are spread over the nodes in turn and use what they request. */
const pods = (
  workload: string,
  count: number,
  [cores, gib]: readonly [number, number],
  nodes: readonly SyntheticNode[],
  more: Partial<SyntheticPod> = {},
): SyntheticPod[] =>
  Array.from({ length: count }, (_, i) => ({
    pod: `${workload.split('/')[1]}-${i}`,
    workload,
    node: nodes[i % nodes.length]!.name,
    cores,
    gib,
    cpuRequest: cores,
    memoryRequest: gib,
    ...more,
  }))

const summary = ({ options, nodes }: ClusterRecommendation) => [
  nodes.map(({ count, instance_type }) => `${count} x ${instance_type}`).join(', '),
  ...options.map(
    ({ effort, pools }) =>
      `${effort}: ${pools.map(({ count, instance_type }) => `${count} x ${instance_type}`).join(', ')}`,
  ),
]

let organisations = 0
const ask = (
  nodes: readonly SyntheticNode[],
  running: readonly SyntheticPod[],
  more: Pick<Parameters<typeof clusterOf>[2], 'days' | 'initRequests'> = {},
  request = {},
) => clusterOf(fixture, `org${++organisations}`, { nodes, pods: running, ...more }, request)

const seven = nodesOf('m5.xlarge', 7)

test('fewer nodes, or another type; neither burstable nor of another architecture', async () => {
  const answer = await ask(seven, pods('Deployment/web', 14, [0.5, 1], seven))
  expect(summary(answer)).toEqual(['7 x m5.xlarge', 'fewer: 3 x m5.xlarge', 'resize: 3 x m6a.xlarge'])
  const perMonth = (count: number, usd: number) => Number((count * usd * 730).toFixed(3))
  expect(answer.cost_per_month).toMatchObject({
    now: perMonth(7, 0.192),
    with_sizes: perMonth(7, 0.192),
    with_sizes_and_nodes: perMonth(3, 0.1728),
  })
  expect(answer.cost_per_month.lower_bound).toBeLessThanOrEqual(perMonth(3, 0.1728))
  expect(answer.options[0]!.savings).toEqual({ amount_per_month: perMonth(4, 0.192), percentage: 57.143 })
  expect(answer.nodes[0]).toMatchObject({
    provider: 'AWS',
    region: 'us-east-1',
    usage_type: 'ONDEMAND',
    price_source: 'list',
    cost_per_hour: 0.192,
    price_date: '2026-11-01',
    requested: { cpu: 0.25, memory: 0.125 },
    used: { cpu: 0.25, memory: 0.125 },
  })
  expect(answer).toMatchObject({ cluster: 'c', pods: 14, measured_hours: 48, reasons: [] })
  expect(answer.confidence).toBeGreaterThan(0)
})

test('recommended sizes count, and an option says if current requests do not fit', async () => {
  const wide = { cpuRequest: 3, memoryRequest: 12 }
  const { options, nodes } = await ask(seven, pods('Deployment/web', 7, [0.3, 1], seven, wide))
  expect(nodes[0]!.requested).toEqual({ cpu: 0.75, memory: 0.75 })
  expect(options[0]).toMatchObject({ effort: 'fewer', needs_sizes: true })
  expect(options[0]!.pools[0]!.count).toBeLessThan(7)
  const tight = await ask(seven, pods('Deployment/web', 7, [0.3, 1], seven))
  expect(tight.options[0]).toMatchObject({ needs_sizes: false })
})

test('an init container that was never sampled needs its request on a node', async () => {
  const running = pods('Deployment/web', 14, [0.05, 0.1], seven)
  expect(summary(await ask(seven, running))[1]).toBe('fewer: 3 x m5.xlarge')
  const request = { initRequests: { 'Deployment/web': { cores: 3, gib: 8 } } }
  const answer = await ask(seven, running, request)
  expect(summary(answer)[1]).toBeUndefined()
  const none = await ask(seven, running, { initRequests: { 'Deployment/web': { cores: 20, gib: 8 } } })
  expect(none.pods_without_node).toMatchObject([{ workload: 'shop/Deployment/web', cpu_cores: 20 }])
})

test('nodes hold the busiest hour and the end, unless an autoscaler adds nodes', async () => {
  const always = pods('Deployment/web', 6, [0.5, 1], seven)
  const atNoon = { runsAt: (hour: number) => hour % 24 === 12 }
  const busy = pods('Deployment/rush', 20, [0.6, 1], seven, atNoon)
  expect(summary(await ask(seven, always))[1]).toBe('fewer: 3 x m5.xlarge')
  expect(summary(await ask(seven, [...always, ...busy]))[1]).toBe('fewer: 5 x m5.xlarge')
  const more = nodesOf('m5.xlarge', 7, { lastHour: firstHour + 13 }, 7)
  const scaled = await ask([...seven, ...more], [...always, ...busy])
  expect(summary(scaled)[1]).toBe('fewer: 3 x m5.xlarge')
  expect(scaled.notes.join(' ')).toContain('let an autoscaler add nodes')
})

test('with an autoscaler, options are compared with the node-hours that there were, by hour of the week', async () => {
  const isDay = (hour: number) => hour % 24 >= 8 && hour % 24 < 20
  const steady = nodesOf('m5.xlarge', 4)
  const added = nodesOf('m5.xlarge', 8, {}, 4)
  const always = pods('Deployment/web', 12, [0.5, 1], steady)
  const rush = pods('Deployment/rush', 24, [0.5, 1], added, { runsAt: isDay })
  const daemons = [
    ...pods('DaemonSet/logs', 4, [0.1, 0.1], steady),
    ...pods('DaemonSet/logs', 8, [0.1, 0.1], added, { runsAt: isDay }).map((pod, i) => ({
      ...pod,
      pod: `logs-a${i}`,
    })),
  ]
  const cluster = { nodes: [...steady, ...added], pods: [...always, ...rush, ...daemons], days: 4 }
  const { market, plans, hours } = await plansOf(fixture, 'autoscaled', cluster, { elsewhere: false })
  const answer = viewCluster(fixture.pricing, market, hours, plans[0]!)
  // 47 hours of the night and 48 of the day; the hour in which measuring began is left out.
  const [now, later] = [(47 * 4 + 48 * 12) / 95, (47 * 3 + 48 * 6) / 95]
  const perMonth = (mean: number, usd: number) => Number((mean * usd * 730).toFixed(3))
  expect(answer.nodes).toMatchObject([{ count: 4 }])
  expect(answer.nodes[0]!.mean_count).toBeCloseTo(now, 5)
  expect(answer.nodes[0]!.cost_per_month).toBeCloseTo(perMonth(now, 0.192), 2)
  expect(answer.cost_per_month).toMatchObject({
    now: perMonth(now, 0.192),
    with_sizes_and_nodes: perMonth(later, 0.1728),
  })
  expect(answer.cost_per_month.lower_bound).toBeLessThanOrEqual(perMonth(later, 0.1728))
  const [fewer, resize] = answer.options
  expect(fewer).toMatchObject({ pools: [{ count: 6 }], cost_per_month: perMonth(later, 0.192) })
  expect(resize!.savings.amount_per_month).toBeCloseTo(perMonth(now, 0.192) - perMonth(later, 0.1728), 2)
  // Hour by hour from Monday on, of which four days were measured.
  const byHour = resize!.pools[0]!.count_by_hour_of_week!
  const start = 24 * ((new Date(firstHour * 3_600_000).getUTCDay() + 6) % 7)
  const isMeasured = (hour: number) => (hour - start + 168) % 168 < 96 && hour !== start
  expect(byHour).toEqual(
    Array.from({ length: 168 }, (_, hour) => (isMeasured(hour) ? (isDay(hour) ? 6 : 3) : null)),
  )
  expect(resize!.steps).toContain(
    'Let the autoscaler keep 3 to 6 x m6a.xlarge, and check that it removes what is not used.',
  )
  const written = (format: string, option?: string) =>
    exportPools(plans, format, (name) => fixture.pricing.findProvider(name), option)
  expect(written('terraform')).toContain('instance_type = "m6a.xlarge", min_size = 3, max_size = 12')
  expect(written('eksctl', 'fewer')).toMatch(/instanceType: "m5.xlarge"\n +minSize: 3\n +maxSize: 12/)
  expect(() => written('csv', 'moon')).toThrow('There is no option moon; there are: fewer, resize.')
})

test('nodes that were replaced, or removed for good, are no autoscaler', async () => {
  const old = nodesOf('m5.xlarge', 3, { lastHour: firstHour + 30 }, 7)
  const fresh = nodesOf('m5.xlarge', 3, { firstHour: firstHour + 29 }, 10)
  const running = pods('Deployment/web', 14, [0.5, 1], seven)
  const answer = await ask([...seven, ...old, ...fresh], running, { days: 3 })
  expect(answer.nodes).toMatchObject([{ count: 10 }])
  expect(answer.nodes[0]).not.toHaveProperty('mean_count')
})

test('pods that run on every node do not keep a node', async () => {
  const daemon = pods('DaemonSet/logs', 7, [0.2, 0.5], seven)
  const answer = await ask(seven, [...daemon, ...pods('Deployment/web', 7, [0.5, 1], seven)])
  expect(summary(answer)[1]).toBe('fewer: 3 x m5.xlarge')
  const statics = seven.map(
    ({ name }): SyntheticPod => ({
      pod: `proxy-${name}`,
      workload: `Node/${name}`,
      container: 'proxy',
      node: name,
      cores: 0.1,
      gib: 0.1,
      cpuRequest: 0.1,
      memoryRequest: 0.1,
    }),
  )
  const other = await ask(seven, [...statics, ...pods('Deployment/web', 7, [0.5, 1], seven)])
  expect(summary(other)[1]).toBe('fewer: 3 x m5.xlarge')
})

test('a pod on a node of another kind stays on that kind', async () => {
  const spot = nodesOf('m5.xlarge', 6, { texts: { capacityType: 'SPOT_PREEMPTIBLE', zone: 'use1-az1' } }, 7)
  const answer = await ask(
    [...seven, ...spot],
    [...pods('Deployment/web', 14, [0.5, 1], seven), ...pods('Deployment/batch', 12, [0.5, 1], spot)],
  )
  expect(summary(answer).slice(1)).toEqual([
    'fewer: 3 x m5.xlarge, 3 x m5.xlarge',
    'resize: 3 x m6a.xlarge, 3 x m6a.xlarge',
  ])
  expect(answer.notes.join()).toContain('Spot prices are those of the price list')
  const tainted = nodesOf('m5.xlarge', 6, { texts: { 'taint/1': 'batch=yes:NoSchedule' } }, 7)
  const jobs = pods('Deployment/batch', 12, [0.5, 1], tainted)
  const apart = await ask([...seven, ...tainted], [...pods('Deployment/web', 14, [0.5, 1], seven), ...jobs])
  expect(summary(apart).slice(1)).toEqual(summary(answer).slice(1))
  const gpus = nodesOf('g4dn.xlarge', 2, {}, 7)
  const mixed = await ask([...seven, ...gpus], pods('Deployment/web', 14, [0.5, 1], seven))
  expect(summary(mixed)[1]).toBe('fewer: 3 x m5.xlarge, 2 x g4dn.xlarge')
  expect(mixed.notes[0]).toContain('accelerators')
})

test('reserved nodes stay, and their free room is used', async () => {
  const market = await openTestMarket([
    ...nodeOffers,
    awsOffer('m5.xlarge', 0.12, { vcpus: 4, ramGib: 16, usageType: 'RESERVED', term: '1y' }),
  ])
  const reserved = nodesOf('m5.xlarge', 2, { texts: { capacityType: 'RESERVED' } }, 7)
  const running = [
    ...pods('Deployment/web', 14, [0.5, 1], seven),
    ...pods('Deployment/own', 2, [0.5, 1], reserved),
  ]
  const cluster = { nodes: [...seven, ...reserved], pods: running }
  const answer = await clusterOf(market, 'reserved', cluster, { elsewhere: false })
  // Each reserved node takes a third of the fourteen pods, which is the most that a node may have of a workload.
  expect(summary(answer)).toEqual(['7 x m5.xlarge, 2 x m5.xlarge', 'fewer: 1 x m5.xlarge, 2 x m5.xlarge'])
  const reservedUsd = 2 * 0.12 * 730
  expect(answer.cost_per_month.now).toBeCloseTo(7 * 0.192 * 730 + reservedUsd, 2)
  expect(answer.options[0]!.cost_per_month).toBeCloseTo(0.192 * 730 + reservedUsd, 2)
  expect(answer.notes.join()).toContain('use their free room')
  await market.close()
})

test('the control plane of a cluster stays, with what runs on it', async () => {
  const own = nodesOf('m5.xlarge', 3, {}, 7)
  const control = own.flatMap(({ name }) =>
    ['etcd', 'kube-apiserver'].map(
      (container): SyntheticPod => ({
        pod: `${container}-${name}`,
        workload: `Node/${name}`,
        container,
        node: name,
        cores: 2,
        gib: 4,
        cpuRequest: 2,
        memoryRequest: 4,
      }),
    ),
  )
  const web = pods('Deployment/web', 14, [0.5, 1], seven)
  const answer = await ask([...seven, ...own], [...web, ...control])
  expect(summary(answer)).toEqual([
    '10 x m5.xlarge',
    'fewer: 3 x m5.xlarge, 3 x m5.xlarge',
    'resize: 3 x m6a.xlarge, 3 x m5.xlarge',
  ])
  expect(answer.notes).toContain('Control plane nodes stay as they are.')
})

test('a pod on an unknown node counts', async () => {
  const lost = pods('Deployment/web', 14, [0.5, 1], seven).map((pod) => ({ ...pod, node: null }))
  const answer = await ask(seven, [...lost, ...pods('Deployment/api', 14, [0.5, 1], seven)])
  expect(summary(answer)[1]).toBe('fewer: 5 x m5.xlarge')
})

test('a cluster that is silent may be gone', async () => {
  const ended = pods('Deployment/web', 14, [0.5, 1], seven, { hours: 30 })
  const answer = await ask(seven, ended, { days: 3 })
  expect(answer.options).toEqual([])
  expect(answer.reasons[0]).toMatch(/^The cluster has not reported since \d{4}-/)
})

test('removed nodes do not count, and a remark says so', async () => {
  const gone = nodesOf('m5.2xlarge', 2, { lastHour: firstHour + 10 }, 7)
  const answer = await ask([...seven, ...gone], pods('Deployment/web', 14, [0.5, 1], seven))
  expect(summary(answer)[0]).toBe('7 x m5.xlarge')
  expect(answer.notes).toContain('Nodes were added or removed in this period: their number may vary.')
})

test('a node that was removed a moment ago does not count, because its daemons have ended', async () => {
  const nine = nodesOf('m5.xlarge', 9)
  const [first, ...others] = pods('DaemonSet/logs', 9, [0.1, 0.1], nine.toReversed())
  const daemons = [{ ...first!, hours: 47 }, ...others]
  const answer = await ask(nine, [...daemons, ...pods('Deployment/web', 14, [0.5, 1], seven)])
  expect(summary(answer)[0]).toBe('8 x m5.xlarge')
  expect(answer.notes).toContain('Nodes were added or removed in this period: their number may vary.')
  // Without daemons, a node without pods may be empty.
  expect(summary(await ask(nine, pods('Deployment/web', 14, [0.5, 1], seven)))[0]).toBe('9 x m5.xlarge')
})

test('memory and pod limits that nodes report override the price list', async () => {
  const small = nodesOf('m5.xlarge', 7, {
    numbers: { 'capacity/cpu': 4, 'capacity/memory': 15 * 2 ** 30, 'capacity/pods': 6 },
  })
  const answer = await ask(small, pods('Deployment/web', 14, [0.05, 0.1], small))
  expect(answer.nodes[0]!.memory_gib).toBe(15)
  expect(summary(answer)[1]).toBe('fewer: 3 x m5.xlarge')
  const many = await ask(small, pods('Deployment/web', 30, [0.05, 0.1], small))
  expect(summary(many)[1]).toBe('fewer: 6 x m5.xlarge')
  const asked = await ask(small, pods('Deployment/web', 30, [0.05, 0.1], small), {}, { pods_per_node: 50 })
  expect(summary(asked)[1]).toBe('fewer: 3 x m5.xlarge')
})

test.each<[string, readonly SyntheticNode[], { readonly days?: number }, RegExp]>([
  ['a day is the least', seven, { days: 0.5 }, /measured for 12 hours, and at least 24 are needed/],
  ['no node', [], {}, /instance type is not known/],
  ['an unknown type', nodesOf('m99.xlarge', 7), {}, /no price list has the instance type/],
  [
    'a price from metrics alone',
    seven.map(({ name }) => ({ name, numbers: { cpuPerHourUsd: 0.03, 'capacity/cpu': 4 } })),
    {},
    /known only from metrics/,
  ],
])('no options: %s', async (_, nodes, more, reason) => {
  const answer = await ask(nodes, pods('Deployment/web', 14, [0.5, 1], seven), more)
  expect(answer.options).toEqual([])
  expect(answer.reasons[0]).toMatch(reason)
  expect(answer.cost_per_month.with_sizes_and_nodes).toBeNull()
})

test('pods that fit on no node are named, and the nodes stay', async () => {
  const huge = { ...pods('StatefulSet/huge', 1, [30, 200], seven)[0]! }
  const answer = await ask(seven, [huge, ...pods('Deployment/web', 7, [0.5, 1], seven)])
  expect(answer.pods_without_node).toMatchObject([{ workload: 'shop/StatefulSet/huge', pods: 1 }])
  expect(answer.options).toEqual([])
  expect(answer.reasons).toEqual(['No cheaper nodes were found that fit the pods.'])
})

test('nodes that are not reduced, although fewer would fit, are explained', async () => {
  const spot = nodesOf('m6a.xlarge', 3, { texts: { capacityType: 'SPOT_PREEMPTIBLE', zone: 'use1-az1' } })
  const small = pods('Deployment/web', 3, [0.3, 1], spot)
  const answer = await ask(spot, small)
  expect(answer.options).toEqual([])
  expect(answer.reasons).toEqual([
    'No cheaper nodes were found that fit the pods.',
    "3 nodes or fewer that can take each other's pods are not reduced (min_nodes).",
  ])
  expect(summary(await ask(spot, small, {}, { min_nodes: 1 }))[1]).toMatch(/^fewer: /)
})

test('a pod that could not be moved keeps all nodes, and a note says why', async () => {
  const answer = await ask(seven, pods('Deployment/big', 7, [0.3, 8], seven))
  expect(answer.options.map(({ effort }) => effort)).not.toContain('fewer')
  expect(answer.nodes[0]!.requested!.memory).toBeLessThan(0.6)
  expect(answer.notes[0]).toContain('no room for one more of the largest pods')
})

test('of a single node', async () => {
  const one = nodesOf('m5.2xlarge', 1)
  expect(summary(await ask(one, pods('Deployment/web', 2, [0.3, 1], one)))).toEqual([
    '1 x m5.2xlarge',
    'resize: 1 x m6a.xlarge',
  ])
})

test('a period of more than 400 days is refused', () => {
  const now = firstHour * 3_600_000
  const from = (start_date: string) => () => parseClustersRequest({ start_date }, now)
  expect(from('0000-01-01T00:00:00Z')).toThrow('The query is invalid.')
  expect(from(new Date(now - 401 * 86_400_000).toISOString())).toThrow('The query is invalid.')
  expect(from(new Date(now - 399 * 86_400_000).toISOString())).not.toThrow()
})

test('a period ends with the running hour at the latest', () => {
  const now = Date.parse('2026-11-16T06:30:00Z')
  const hoursOf = (end_date: string) => parseClustersRequest({ end_date }, now).hours
  expect(hoursOf('9999-12-31T23:59:59Z').to).toBe(Date.parse('2026-11-16T07:00:00Z') / 3_600_000)
  expect(hoursOf('2026-11-15T00:00:00Z').to).toBe(Date.parse('2026-11-15T00:00:00Z') / 3_600_000)
})

test.each([
  [
    'csv',
    /^cluster,pool,region,instance_type,payment,nodes,zone,taints,min_nodes,labels\nc,m6a-xlarge-1,us-east-1,m6a.xlarge,on-demand,3,,,3,\n$/,
  ],
  [
    'terraform',
    /region = "us-east-1"\nnode_pools = \{\n {2}m6a-xlarge-1 = \{ instance_type = "m6a.xlarge", min_size = 3/,
  ],
  [
    'karpenter',
    /kind: NodePool[\s\S]*cpu: "18"\n +memory: 72Gi[\s\S]*values: \["m6a.xlarge"\][\s\S]*values: \[amd64\]/,
  ],
  ['eksctl', /name: "c"\n {2}region: "us-east-1"[\s\S]*instanceType: "m6a.xlarge"[\s\S]*desiredCapacity: 3/],
  ['az', /^# c: AWS has no format az\n$/],
])('the cheapest option as %s', async (format, expected) => {
  const organisation = `org${++organisations}`
  const cluster = { nodes: seven, pods: pods('Deployment/web', 14, [0.5, 1], seven) }
  const { plans } = await plansOf(fixture, organisation, cluster)
  const text = exportPools(plans, format, (name) => fixture.pricing.findProvider(name))
  expect(text).toMatch(expected)
  if (!['csv', 'terraform', 'az'].includes(format))
    expect(parseAllDocuments(text).flatMap(({ errors }) => errors)).toEqual([])
})

test('options say what they save while commitments last, and what they strand', async () => {
  const committed = checkCommitments([
    {
      name: 'ri',
      provider: 'aws',
      kind: 'reserved_instance',
      region: 'us-east-1',
      instance_type: 'm5.large',
      instances: 8,
      cost_per_hour_usd: 0.4,
      from: '2020-01-01',
      until: '2099-12-31',
    },
  ])
  const market = { ...fixture, pricing: { ...fixture.pricing, commitments: async () => committed } }
  const running = pods('Deployment/web', 14, [0.5, 1], seven)
  const answer = await clusterOf(market, 'committed', { nodes: seven, pods: running })
  // Eight m5.large are four m5.xlarge: of seven nodes, three are paid on demand.
  const always = { commitments: ['ri'], until: '2099-12-31' }
  expect(answer.commitments).toEqual({
    ...always,
    saves_per_month: 420.48,
    saves_per_month_after: 981.12,
    stranded_per_month: 292,
  })
  expect(answer.options.map(({ commitments }) => commitments)).toEqual([
    { ...always, saves_per_month: 420.48, saves_per_month_after: 560.64, stranded_per_month: 73 },
    { ...always, saves_per_month: 42.048, saves_per_month_after: 602.688, stranded_per_month: 292 },
  ])
})

test('other regions, other providers, spot and arm64 are options', async () => {
  const elsewhere = await openTestMarket([
    ...nodeOffers,
    awsOffer('m6a.xlarge', 0.12, { vcpus: 4, ramGib: 16, region: 'us-east-2' }),
    awsOffer('m6a.xlarge', 0.01, { vcpus: 4, ramGib: 16, region: 'eu-west-1' }),
    awsOffer('e2-standard-4', 0.1, { vcpus: 4, ramGib: 16, provider: 'gcp', region: 'us-east1' }),
  ])
  const of = async (request: ClustersRequest) => {
    const cluster = { nodes: seven, pods: pods('Deployment/web', 14, [0.5, 1], seven) }
    return clusterOf(elsewhere, `org${++organisations}`, cluster, request)
  }
  const answer = await of({})
  expect(summary(answer).slice(2)).toEqual([
    'resize: 3 x m6a.xlarge',
    'region: 3 x m6a.xlarge',
    'provider: 3 x e2-standard-4',
  ])
  expect(answer.options.map(({ pools }) => pools[0]!.region)).toEqual([
    'us-east-1',
    'us-east-1',
    'us-east-2',
    'us-east1',
  ])
  expect(answer.cost_per_month.with_sizes_and_nodes).toBe(answer.options[1]!.cost_per_month)
  expect(answer.options.slice(2).map(({ formats }) => formats)).toEqual([
    ['csv', 'terraform', 'karpenter', 'eksctl'],
    ['csv', 'terraform', 'gcloud'],
  ])
  expect(answer.notes.join()).toContain('transfer of data')
  const spot = await of({ spot: 0.5, elsewhere: false })
  expect(summary(spot).slice(2)).toEqual(['resize: 3 x m6a.xlarge', 'resize: 2 x m6a.xlarge, 2 x m6a.xlarge'])
  expect(spot.options[2]!.pools.map(({ usage_type }) => usage_type)).toEqual(['ONDEMAND', 'SPOT_PREEMPTIBLE'])
  expect(spot.notes.join()).toContain('assumed to tolerate spot nodes: up to 50%')
  const arm = await of({ arm64: 'shop', elsewhere: false })
  expect(summary(arm).slice(2)).toEqual(['resize: 3 x m6g.xlarge'])
  expect(arm.notes.join()).toContain('assumed to exist for arm64')
  expect(summary(await of({ min_gain: 0.2, elsewhere: false }))).toHaveLength(2)
  await elsewhere.close()
})
