import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { openTestMarket, type TestMarket } from '../../pricing/test-market.case.ts'
import { exportPools } from './export-pools.ts'
import { planObjects } from './plan-objects.ts'
import { readClusterObjects } from './read-objects.ts'
import type { ClusterPlanRequest } from './schema.ts'
import { nodeOffers } from './test-cluster.case.ts'

let fixture: TestMarket
beforeAll(async () => {
  fixture = await openTestMarket(nodeOffers)
})
afterAll(() => fixture.close())

const now = Date.parse('2026-11-16T06:30:00Z')
const planned = (request: ClusterPlanRequest) =>
  planObjects(fixture.pricing, 'org', request, now, new AbortController().signal)
const plan = async (request: ClusterPlanRequest) => (await planned(request)).view

const container = (cpu: string, memory: string, more: object = {}) => ({
  name: 'app',
  env: [{ name: 'PASSWORD', value: 'secret' }],
  resources: { requests: { cpu, memory } },
  ...more,
})
const pod = (name: string, node: string, spec: object = {}) => ({
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'shop',
    labels: { app: name.replace(/-\d+$/, '') },
    ownerReferences: [{ kind: 'ReplicaSet', name: `${name.replace(/-\d+$/, '')}-7c9f5d` }],
  },
  spec: { nodeName: node, containers: [container('500m', '1Gi')], ...spec },
  status: { phase: 'Running' },
})
const node = (name: string, more: { labels?: object; taints?: object[]; zone?: string } = {}) => ({
  kind: 'Node',
  metadata: {
    name,
    labels: {
      'node.kubernetes.io/instance-type': 'm5.xlarge',
      'topology.kubernetes.io/region': 'us-east-1',
      'topology.kubernetes.io/zone': more.zone ?? 'us-east-1a',
      ...more.labels,
    },
  },
  spec: { providerID: `aws:///us-east-1a/i-${name}`, taints: more.taints ?? [] },
  status: {
    capacity: { cpu: '4', memory: '15900Mi', pods: '58' },
    allocatable: { cpu: '3920m', memory: '14900Mi', pods: '58' },
  },
})
const list = (items: readonly object[]) => [{ kind: 'List', items }]
const texts = ({ options }: Awaited<ReturnType<typeof plan>>) =>
  options.map(
    ({ effort, pools }) =>
      `${effort}: ${pools.map(({ count, instance_type }) => `${count} x ${instance_type}`).join(', ')}`,
  )
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`)

test('the output of kubectl is planned with what nodes report', async () => {
  const nodes = names('n', 7).map((name) => node(name))
  const pods = names('web-', 14).map((name, i) => pod(name, `n${i % 7}`))
  const answer = await plan({ objects: list([...nodes, ...pods]) })
  expect(answer.nodes[0]).toMatchObject({ count: 7, instance_type: 'm5.xlarge' })
  expect(answer.pods).toBe(14)
  expect(texts(answer)).toEqual(['fewer: 3 x m5.xlarge', 'resize: 3 x m6a.xlarge'])
  expect(answer.notes.join(' ')).toContain('as its nodes report it for m5.xlarge')
  expect(JSON.stringify(answer)).not.toContain('secret')
})

test('tainted nodes, and nodes that pods select, keep their pods', async () => {
  const taints = [{ key: 'batch', value: 'yes', effect: 'NoSchedule' }]
  const nodes = [
    ...names('n', 7).map((name) => node(name)),
    ...names('t', 4).map((name) => node(name, { taints })),
    ...names('s', 4).map((name) => node(name, { labels: { disk: 'fast' } })),
  ]
  const pods = [
    ...names('web-', 14).map((name, i) => pod(name, `n${i % 7}`)),
    ...names('job-', 4).map((name, i) => pod(name, `t${i % 4}`)),
    ...names('db-', 4).map((name, i) => pod(name, `s${i % 4}`, { nodeSelector: { disk: 'fast' } })),
  ]
  expect(texts(await plan({ objects: list([...nodes, ...pods]) }))[0]).toBe(
    'fewer: 3 x m5.xlarge, 3 x m5.xlarge, 3 x m5.xlarge',
  )
})

test('nodes that pods select by type keep it, and other nodes do not', async () => {
  const nodes = [...names('n', 7), ...names('s', 4)].map((name) =>
    node(name, { labels: { 'karpenter.k8s.aws/instance-family': name.startsWith('s') ? 'm5' : 'm6' } }),
  )
  const nodeSelector = { 'karpenter.k8s.aws/instance-family': 'm5' }
  const pods = [
    ...names('web-', 14).map((name, i) => pod(name, `n${i % 7}`)),
    ...names('db-', 4).map((name, i) => pod(name, `s${i % 4}`, { nodeSelector })),
  ]
  const answer = await plan({ objects: list([...nodes, ...pods]) })
  expect(texts(answer)).toEqual([
    'fewer: 3 x m5.xlarge, 3 x m5.xlarge',
    'resize: 3 x m6a.xlarge, 3 x m5.xlarge',
  ])
  expect(answer.notes.join()).toContain('select by karpenter.k8s.aws/instance-family keep their types')
})

test('exports keep the taints, labels and zones of pools', async () => {
  const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c']
  const taints = [{ key: 'batch', value: 'yes', effect: 'NoSchedule' }]
  const nodes = [
    ...names('n', 9).map((name, i) => node(name, { zone: zones[i % 3]! })),
    ...names('t', 4).map((name) => node(name, { taints, labels: { disk: 'fast' } })),
  ]
  const pods = [
    ...names('db-', 9).map((name, i) => pod(name, `n${i}`, spreadOver(zoneKey))),
    ...names('job-', 4).map((name, i) => pod(name, `t${i}`, { nodeSelector: { disk: 'fast' } })),
  ]
  const written = async (format: string) => {
    const found = await planned({ objects: list([...nodes, ...pods]) })
    return exportPools([found.plan], format, (name) => fixture.pricing.findProvider(name), 'fewer')
  }
  const pools = parseAllDocuments(await written('karpenter')).map((each) => each.toJS().spec.template)
  expect(pools).toMatchObject([
    { spec: { requirements: [{}, {}, {}, {}, { key: zoneKey, values: zones }] } },
    { metadata: { labels: { disk: 'fast' } }, spec: { taints } },
  ])
  const [config] = parseAllDocuments(await written('eksctl')).map((each) => each.toJS())
  const groups: { availabilityZones?: string[] }[] = config.managedNodeGroups
  expect(groups.flatMap(({ availabilityZones = [] }) => availabilityZones)).toEqual(zones)
  expect(groups.at(-1)).toMatchObject({ labels: { disk: 'fast' }, taints })
  expect(await written('terraform')).toContain(
    'taints = [{ key = "batch", value = "yes", effect = "NoSchedule" }]',
  )
  expect(await written('csv')).toMatch(/,us-east-1b,,1,\n[\s\S]*,3,,batch=yes:NoSchedule,3,disk=fast\n$/)
})

test('a DaemonSet of a manifest counts on every node, and a workload whose pods are listed does not count', async () => {
  const workload = (kind: string, name: string, cpu: string, replicas?: number) => ({
    kind,
    metadata: { name, namespace: 'shop' },
    spec: { replicas, template: { spec: { containers: [container(cpu, '1Gi')] } } },
  })
  const like = { provider: 'aws', region: 'us-east-1', instance_type: 'm5.xlarge', nodes: 9 }
  const web = workload('Deployment', 'web', '500m', 20)
  const alone = await plan({ ...like, objects: [web] })
  const answer = await plan({ ...like, objects: [web, workload('DaemonSet', 'logs', '2')] })
  expect([texts(alone)[0], texts(answer)[0]]).toEqual(['fewer: 3 x m5.xlarge', 'fewer: 7 x m5.xlarge'])
  expect(answer.pods).toBe(29)
  expect(answer.notes[0]).toBe('A pod of each of these counts on every node: shop/DaemonSet/logs.')
  const listed = [node('n0'), pod('web-1', 'n0'), pod('web-2', 'n0')]
  expect((await plan({ objects: [...listed, web] })).pods).toBe(2)
})

test('nodes that have no room for a roll-out now need none elsewhere, and their pods no other sizes', async () => {
  const gpu = { key: 'gpu', value: 'yes', effect: 'NoSchedule' }
  const nodes = [
    ...names('n', 7).map((name) => node(name)),
    ...names('t', 4).map((name) => node(name, { taints: [gpu] })),
  ]
  const full = { containers: [container('3500m', '1Gi')] }
  const pods = [
    ...names('web-', 14).map((name, i) => pod(name, `n${i % 7}`)),
    ...names('infer-', 4).map((name, i) => pod(name, `t${i}`, full)),
  ]
  const answer = await plan({ objects: list([...nodes, ...pods]), min_gain: 0 })
  expect(texts(answer)[0]).toBe('fewer: 3 x m5.xlarge, 4 x m5.xlarge')
  expect(answer.options[0]!.needs_sizes).toBe(false)
  expect(answer.notes).toContain(
    'No other region or provider of the same continent has nodes that hold all pods.',
  )
})

test('pods of a workload have several sizes and zones, and share no node if they must not', async () => {
  const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c']
  const nodes = names('n', 9).map((name, i) => node(name, { zone: zones[i % 3]! }))
  const volume = (name: string, zone: string) => ({
    kind: 'PersistentVolume',
    spec: {
      claimRef: { namespace: 'shop', name },
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ key: zoneKey, values: [zone] }] }] },
      },
    },
  })
  const db = names('db-', 3).map((name, i) =>
    pod(name, `n${i}`, { volumes: [{ persistentVolumeClaim: { claimName: name } }] }),
  )
  const web = names('web-', 6).map((name, i) =>
    pod(name, `n${i}`, {
      containers: [container(i < 3 ? '1' : '500m', '1Gi')],
      ...required('podAntiAffinity', 'web', hostKey),
    }),
  )
  const volumes = db.map(({ metadata }, i) => volume(metadata.name, zones[i]!))
  const answer = await plan({
    objects: list([...nodes, ...volumes, ...db, ...web]),
    spot: 0.5,
    elsewhere: true,
  })
  expect(answer.options.length).toBeGreaterThan(1)
  for (const { pools } of answer.options)
    expect(pools.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(6)
})

test('pods that must not share a host, and pods of a zone', async () => {
  const apart = {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } },
        ],
      },
    },
  }
  const nodes = names('n', 7).map((name, i) =>
    node(name, { zone: i % 2 === 0 ? 'us-east-1a' : 'us-east-1b' }),
  )
  const spread = names('web-', 5).map((name, i) => pod(name, `n${i % 7}`, apart))
  expect(texts(await plan({ objects: list([...nodes, ...spread]) }))[0]).toBe('fewer: 5 x m5.xlarge')
  const volume = {
    kind: 'PersistentVolume',
    spec: {
      claimRef: { namespace: 'shop', name: 'data' },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'topology.kubernetes.io/zone', values: ['us-east-1b'] }] },
          ],
        },
      },
    },
  }
  const bound = names('db-', 6).map((name, i) =>
    pod(name, `n${i % 7}`, {
      containers: [container('2', '2Gi')],
      volumes: [{ persistentVolumeClaim: { claimName: 'data' } }],
    }),
  )
  const read = readClusterObjects(list([...nodes, volume, ...bound]))
  expect(read.pods).toMatchObject([{ name: 'shop/Deployment/db', rules: { zone: 'us-east-1b' } }])
  const answer = await plan({ objects: list([...nodes, volume, ...bound]), headroom: 0, max_pools: 1 })
  // 12 cores in one of two zones do not fit on the three nodes that are there.
  expect(texts(answer)).toEqual(['resize: 3 x m5.2xlarge'])
  expect(answer.options[0]!.pools[0]!.zones).toEqual({ 'us-east-1b': 3 })
})

const required = (kind: string, app: string, topologyKey: string) => ({
  affinity: {
    [kind]: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey, labelSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: [app] }] } },
      ],
    },
  },
})
const spreadOver = (topologyKey: string) => ({
  topologySpreadConstraints: [{ topologyKey, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }],
})
const zoneKey = 'topology.kubernetes.io/zone'
const hostKey = 'kubernetes.io/hostname'

test('rules about other pods are read for both sides', () => {
  const pods = [
    pod('web-1', 'n1', required('podAntiAffinity', 'db', hostKey)),
    pod('web-2', 'n2', required('podAntiAffinity', 'db', hostKey)),
    pod('db-1', 'n1', spreadOver(zoneKey)),
    pod('near-1', 'n1', required('podAffinity', 'db', zoneKey)),
    pod('even-1', 'n1', spreadOver(hostKey)),
    pod('beside-1', 'n1', required('podAffinity', 'db', hostKey)),
    pod('disk-1', 'n1', { volumes: [{ hostPath: { path: '/data' } }] }),
  ]
  const budget = {
    kind: 'PodDisruptionBudget',
    metadata: { namespace: 'shop' },
    spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } },
  }
  const read = readClusterObjects(list([node('n1'), node('n2'), budget, ...pods]))
  const rules = Object.fromEntries(read.pods.map((each) => [each.name.split('/')[2], each.rules]))
  expect(rules).toEqual({
    web: { gpus: 0, apart: new Set(['shop/Deployment/db']), toleratesSpot: false },
    db: {
      gpus: 0,
      apart: new Set(['shop/Deployment/web']),
      isSpreadOverZones: true,
      zone: 'us-east-1a',
      toleratesSpot: false,
    },
    near: { gpus: 0, zone: 'us-east-1a', toleratesSpot: false },
    even: { gpus: 0, hostSkew: 1, toleratesSpot: false },
    beside: { gpus: 0 },
    disk: { gpus: 0, toleratesSpot: false },
  })
  expect(read.withAffinity).toBe(1)
})

test('the steps of an option name what goes first, and pods that a budget protects', async () => {
  const nodes = names('n', 7).map((name) => node(name))
  const pods = [
    ...names('web-', 14).map((name, i) => pod(name, `n${i % 7}`)),
    pod('cache-1', 'n1'),
    pod('db-1', 'n2'),
  ]
  const budget = {
    kind: 'PodDisruptionBudget',
    metadata: { namespace: 'shop' },
    spec: { minAvailable: '100%', selector: { matchLabels: { app: 'db' } } },
  }
  const { options } = await plan({ objects: list([...nodes, ...pods, budget]), elsewhere: false })
  expect(options.map(({ steps }) => steps)).toEqual([
    [
      'Cordon all nodes that go, so that no pod moves twice: 4 x m5.xlarge.',
      'Agree a time with the owners of shop/Deployment/db: a disruption budget lets none of these pods end, so a drain waits for them.',
      'Expect a short stop of shop/Deployment/cache: one pod each, which ends before its successor runs.',
      'Drain 4 x m5.xlarge one after the other: after each, wait until all pods are ready, and delete the node with its machine.',
      'If pods stay pending, stop and uncordon a node: the plan then missed a rule.',
    ],
    [
      'Add 3 x m6a.xlarge, and wait until they are ready.',
      'Cordon all nodes that go, so that no pod moves twice: 7 x m5.xlarge.',
      expect.stringContaining('shop/Deployment/db'),
      expect.stringContaining('shop/Deployment/cache'),
      'Drain 7 x m5.xlarge one after the other: after each, wait until all pods are ready, and delete the node with its machine.',
      expect.stringContaining('pending'),
    ],
  ])
  const all = 'kubectl get nodes -l node.kubernetes.io/instance-type=m5.xlarge'
  const commandsFor = (nodes: string) => [
    `kubectl cordon ${nodes}`,
    `for node in ${nodes}; do`,
    expect.stringContaining('kubectl drain $node'),
    expect.stringContaining('until kubectl wait pods --all -A'),
    expect.stringContaining('kubectl delete $node'),
    'done',
    'kubectl get pods -A --field-selector=status.phase=Pending',
  ]
  expect(options.map(({ commands }) => commands)).toEqual([
    commandsFor(`$(${all} --sort-by=.metadata.creationTimestamp -o name | head -n 4)`),
    commandsFor(`$(${all} -o name)`),
  ])
})

test('pods that are spread over zones or hosts, apart from others, or need GPUs, are planned so', async () => {
  const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c']
  const nodes = names('n', 9).map((name, i) => node(name, { zone: zones[i % 3]! }))
  const of = async (app: string, count: number, spec: object) =>
    plan({
      objects: list([...nodes, ...names(`${app}-`, count).map((name, i) => pod(name, `n${i % 9}`, spec))]),
      elsewhere: false,
      max_pools: 1,
    })
  const zoned = await of('web', 9, spreadOver(zoneKey))
  expect(zoned.options.at(-1)!.pools.map(({ zones: of }) => Object.values(of ?? {}).length)).toEqual([3])
  const even = await of('web', 12, { ...spreadOver(hostKey), containers: [container('100m', '1Gi')] })
  expect(texts(even)[0]).toBe('fewer: 3 x m5.xlarge')
  const cards = names('g', 4).map((name) =>
    node(name, { labels: { 'node.kubernetes.io/instance-type': 'g4dn.xlarge' } }),
  )
  const gpu = { resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { 'nvidia.com/gpu': '1' } } }
  const jobs = names('train-', 2).map((name, i) =>
    pod(name, `g${i}`, { containers: [{ name: 'app', ...gpu }] }),
  )
  const planned = await plan({ objects: list([...cards, ...jobs]), min_nodes: 1, elsewhere: false })
  expect(texts(planned)).toEqual(['fewer: 3 x g4dn.xlarge'])
})

test('init containers and sidecars count by the rule of the scheduler', () => {
  const init = [
    container('1', '1Gi', { restartPolicy: 'Always' }),
    container('2', '1Gi'),
    container('500m', '100Mi', { restartPolicy: 'Always' }),
  ]
  const [first] = readClusterObjects([pod('web-1', 'n1', { initContainers: init })]).pods
  expect(first).toMatchObject({ size: { cores: 3, gib: 1 + 1 + 100 / 1024 } })
})

test('manifests and pods by hand need a type like which the nodes are', async () => {
  const deployment = {
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { replicas: 20, template: { spec: { containers: [container('1', '2Gi')] } } },
  }
  const like = { provider: 'aws', region: 'us-east-1', instance_type: 'm5.xlarge' }
  const answer = await plan({ objects: [deployment], ...like })
  expect(answer.pods).toBe(20)
  expect(answer.nodes[0]!.requested!.cpu).toBeGreaterThan(0.5)
  expect(answer.options.at(-1)!.savings.amount_per_month).toBeGreaterThan(0)
  const own = await plan({ pods: [{ name: 'web', cpu_cores: 1, memory_gib: 2, count: 20 }], ...like })
  expect(own.cost_per_month).toEqual(answer.cost_per_month)
  await expect(plan({ objects: [deployment] })).rejects.toThrow('instance_type')
  await expect(plan({ objects: [{ kind: 'Secret' }, 7, null] })).rejects.toThrow('no pods')
})

test('no option is dearer than the nodes that hold the pods, or cheaper than the bound', async () => {
  const some = fc.record({
    nodes: fc.array(fc.constantFrom('m5.large', 'm5.xlarge', 'm5.2xlarge'), { minLength: 1, maxLength: 8 }),
    pods: fc.array(
      fc.record({
        cores: fc.constantFrom('100m', '1', '1500m'),
        gib: fc.integer({ min: 1, max: 6 }),
        at: fc.nat(),
      }),
      { minLength: 1, maxLength: 12 },
    ),
    spot: fc.constantFrom(0, 0.5),
  })
  await fc.assert(
    fc.asyncProperty(some, async ({ nodes, pods, spot }) => {
      const objects = list([
        ...nodes.map((type, i) => node(`n${i}`, { labels: { 'node.kubernetes.io/instance-type': type } })),
        ...pods.map(({ cores, gib, at }, i) =>
          pod(`w${i}-0`, `n${at % nodes.length}`, { containers: [container(cores, `${gib}Gi`)] }),
        ),
      ])
      const { options, cost_per_month: cost } = await plan({ objects, spot })
      for (const { cost_per_month: usd, effort, spot_share } of options) {
        expect(usd).toBeLessThanOrEqual(cost.now!)
        if (spot_share === 0 && (effort === 'fewer' || effort === 'resize'))
          expect(usd).toBeGreaterThanOrEqual(cost.lower_bound! - 0.01)
      }
    }),
    { seed: 7, numRuns: 60 },
  )
})

test('pods of equal names and without requests are planned like any others', async () => {
  const like = { provider: 'aws', region: 'us-east-1', instance_type: 'm5.xlarge' } as const
  const empty = { name: 'web', cpu_cores: 0, memory_gib: 0 }
  const view = await plan({ pods: [empty, empty, { ...empty, name: 'web-2', cpu_cores: 1 }], ...like })
  expect(view).toMatchObject({ pods: 3, pods_without_node: [] })
})
