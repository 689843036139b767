import { expect, test } from 'vitest'
import { hourMs } from '../domain/time.ts'
import { Accumulator } from '../usage/digest/accumulator.ts'
import { type Digest, mergeDigest } from '../usage/digest/digest.ts'
import { knownMetrics } from './metrics/interpret.ts'
import { encodeRequest } from './remote-write/encode.case.ts'
import { SampleWriter } from './sample-writer.ts'

const startMs = 490_000 * hourMs

/** What remains of a metric after one sample a minute, together with a container that reports its memory. */
function digestedFrom(series: readonly (readonly [string, readonly number[]])[]) {
  const accumulator = new Accumulator({
    maxAgeMs: hourMs,
    maxAheadMs: 0,
    maxSubjects: 9,
    keptLabels: new Set(['app', 'team', 'annotation_team']),
  })
  const writer = new SampleWriter(accumulator)
  for (let minute = 0; minute < 3; minute++) {
    const timeMs = startMs + minute * 60_000
    const all = [[`container_memory_working_set_bytes{${where}}`, [7, 7, 7]] as const, ...series]
    const body = encodeRequest(
      all.map(([text, values]) => ({
        labels: labelsOf(text),
        samples: [{ timeMs, value: values[minute]! }],
      })),
    )
    writer.write(writer.read(body, 'remote-write-1', 'c', timeMs), timeMs)
  }
  const digests = [...accumulator.subjects.values()].map(({ subject, open }) => ({
    kind: subject.kind,
    digest: open.map(({ digest }) => digest).reduce((so: Digest, more) => mergeDigest(so, more)),
  }))
  const entities = [...accumulator.facts.entities.values()].map(({ ref, attributes }) => [
    `${ref.kind} ${ref.name}`,
    ...[...attributes].map(([name, { value }]) => `${name}=${value}`),
  ])
  return {
    container: view(digests.find(({ kind }) => kind === 'container')!.digest),
    process: digests.filter(({ kind }) => kind === 'process').map(({ digest }) => view(digest))[0],
    entities: entities.map((parts) => parts.join(' ')),
  }
}

const where = 'namespace="shop",pod="web-7-1",container="app"'
const pod = 'namespace="shop",pod="web-7-1"'

const view = ({ cpu, memory, ...digest }: Digest) => ({
  cpuSum: Number(cpu.sum),
  memoryMax: memory.max,
  ...digest,
})

function labelsOf(text: string) {
  const [, name = '', labels = ''] = /^(\w+)\{(.*)\}$/.exec(text)!
  const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label!, value!] as const)
  return [['__name__', name] as const, ...pairs].sort(([a], [b]) => (a < b ? -1 : 1))
}

const rows: [string, readonly number[], Partial<Record<'container' | 'process' | 'entities', unknown>>][] = []
const container = (text: string, values: readonly number[], expected: object) =>
  rows.push([text, values, { container: expect.objectContaining(expected) }])
const entity = (text: string, value: number, line: string) =>
  rows.push([text, [value, value, value], { entities: [line] }])
const register = (last: number) => expect.objectContaining({ last })
const text = (value: string) => expect.objectContaining({ text: value })

container(`container_cpu_usage_seconds_total{${where}}`, [10, 16, 22], { cpuSum: 12e6 })
container(`container_memory_working_set_bytes{${where}}`, [7, 7, 7], { memoryMax: 7 })
container(`container_memory_max_usage_bytes{${where}}`, [50, 90, 90], { memoryPeakBytes: 90 })
container(`container_cpu_cfs_throttled_seconds_total{${where}}`, [0, 1, 4], { throttledMs: 4000 })
container(`container_cpu_cfs_periods_total{${where}}`, [0, 600, 1200], { periods: 1200 })
container(`container_cpu_cfs_throttled_periods_total{${where}}`, [0, 6, 12], { throttledPeriods: 12 })
container(`container_oom_events_total{${where}}`, [0, 0, 2], { oomEvents: 2 })
container(`container_start_time_seconds{${where}}`, [1e9, 1e9, 1e9 + 5], { startedAt: 1e9 + 5 })
container(`container_memory_rss{${where}}`, [4096, 9216, 5120], { rssHighKib: 9 })
container(`container_memory_cache{${where}}`, [4096, 9216, 5120], { cacheLowKib: 4 })
container(`container_memory_mapped_file{${where}}`, [4096, 9216, 5120], { mappedHighKib: 9 })
for (const name of ['jvm_memory_used_bytes', 'jvm_memory_bytes_used'])
  container(`${name}{${where},area="nonheap",id="Metaspace"}`, [1024, 4096, 3072], { nonHeapHighKib: 4 })
for (const name of ['jvm_memory_max_bytes', 'jvm_memory_bytes_max', 'jvm_memory_limit_bytes'])
  container(`${name}{${where},area="heap",id="G1 Old Gen"}`, [-1, 4096, 4096], { heapLimitKib: 4 })
for (const [name, labels] of [
  ['jvm_memory_pool_collection_used_bytes', `${where},pool="G1 Old Gen"`],
  ['jvm_memory_used_after_last_gc_bytes', `${pod},jvm_memory_pool_name="G1 Old Gen",jvm_memory_type="heap"`],
  ['jvm_gc_live_data_size_bytes', pod],
])
  container(`${name}{${labels}}`, [2048, 2048, 2048], { heapLowKib: 2 })
for (const [what, cpu, memory] of [
  ['requests', 'cpuRequestMicrocores', 'memoryRequestBytes'],
  ['limits', 'cpuLimitMicrocores', 'memoryLimitBytes'],
] as const) {
  const name = `kube_pod_container_resource_${what}`
  container(`${name}{${where},resource="cpu",unit="core"}`, [0.5, 0.5, 0.25], { [cpu]: register(250_000) })
  container(`${name}{${where},resource="memory",unit="byte"}`, [9, 9, 8], { [memory]: register(8) })
}
container(`kube_pod_init_container_resource_requests{${where},resource="cpu"}`, [0.1, 0.1, 0.1], {
  init: true,
  cpuRequestMicrocores: register(100_000),
})
container(`kube_pod_init_container_resource_limits{${where},resource="memory"}`, [9, 9, 9], {
  init: true,
  memoryLimitBytes: register(9),
})
container(`kube_pod_container_status_restarts_total{${where}}`, [3, 3, 5], { restarts: 2 })
container(`kube_pod_container_status_last_terminated_reason{${where},reason="OOMKilled"}`, [0, 1, 1], {
  terminatedReason: text('OOMKilled'),
})
container(`kube_pod_container_info{${where},image="ghcr.io/shop/web:1.4@sha256:ab"}`, [1, 1, 1], {
  image: text('ghcr.io/shop/web'),
})
container(`kube_pod_init_container_info{${where},image="localhost:5000/web:1"}`, [1, 1, 1], {
  image: text('localhost:5000/web'),
})
container(`kube_pod_owner{${pod},owner_kind="StatefulSet",owner_name="web"}`, [1, 1, 1], {
  workload: text('StatefulSet/web'),
})
container(`kube_pod_info{${pod},node="n1"}`, [1, 1, 1], { node: text('n1') })
// The container reports no CPU here; run-time.test.ts has the rest.
container(`kube_pod_completion_time{${pod}}`, [1e9, 1e9, 1e9], { cpuSum: 0 })

const owner = 'owner_kind="Deployment",owner_name="web"'
entity(
  `kube_replicaset_owner{namespace="shop",replicaset="web-7",${owner}}`,
  1,
  'replica-set web-7 owner=Deployment/web',
)
entity(
  'kube_job_owner{namespace="shop",job_name="bill-1",owner_kind="CronJob",owner_name="bill"}',
  1,
  'job bill-1 owner=CronJob/bill',
)
entity(
  'kube_resourcequota{namespace="shop",resourcequota="q",resource="limits.cpu",type="hard"}',
  10,
  'quota q hard/limits.cpu=10',
)
const scaler = 'namespace="shop",horizontalpodautoscaler="web"'
entity(`kube_horizontalpodautoscaler_spec_min_replicas{${scaler}}`, 2, 'autoscaler web minReplicas=2')
entity(`kube_horizontalpodautoscaler_spec_max_replicas{${scaler}}`, 9, 'autoscaler web maxReplicas=9')
entity(
  `kube_horizontalpodautoscaler_spec_target_metric{${scaler},metric_name="cpu",metric_target_type="utilization"}`,
  80,
  'autoscaler web target/cpu/utilization=80',
)
entity(
  `kube_horizontalpodautoscaler_info{${scaler},scaletargetref_kind="Deployment",scaletargetref_name="web"}`,
  1,
  'autoscaler web workload=Deployment/web',
)
const claim = 'namespace="shop",persistentvolumeclaim="data-0"'
const onDay = 'claim data-0/20416'
entity(
  `kube_persistentvolumeclaim_info{${claim},storageclass="gp2",volumename="pvc-1"}`,
  1,
  `${onDay} class=gp2 volume=pvc-1`,
)
entity(
  `kube_persistentvolumeclaim_resource_requests_storage_bytes{${claim}}`,
  2 ** 30,
  `${onDay} requested=1073741824`,
)
entity(
  `kube_pod_spec_volumes_persistentvolumeclaims_info{${claim},pod="db-0",volume="data"}`,
  1,
  `${onDay} pod=db-0`,
)
entity(`kubelet_volume_stats_capacity_bytes{${claim}}`, 2 ** 30, `${onDay} capacity=1073741824`)
rows.push([`kubelet_volume_stats_used_bytes{${claim}}`, [5, 9, 7], { entities: [`${onDay} max/used=9`] }])
const volume = 'namespace="kube-system",persistentvolume="pvc-1"'
entity(
  `kube_persistentvolume_info{${volume},storageclass="gp2",csi_driver="ebs.csi.aws.com"}`,
  1,
  'volume pvc-1/20416 class=gp2 driver=ebs.csi.aws.com',
)
entity(`kube_persistentvolume_capacity_bytes{${volume}}`, 99, 'volume pvc-1/20416 capacity=99')
entity(
  `kube_persistentvolume_status_phase{${volume},phase="Released"}`,
  1,
  'volume pvc-1/20416 phase=Released',
)
rows.push([
  `kube_persistentvolume_status_phase{${volume},phase="Bound"}`,
  [0, 0, 0],
  { entities: ['volume pvc-1/20416'] },
])
entity(
  `kube_persistentvolume_claim_ref{${volume},name="data-0",claim_namespace="shop"}`,
  1,
  'volume pvc-1/20416 claim=shop/data-0',
)
entity(
  'kube_service_spec_type{namespace="shop",service="web",type="LoadBalancer"}',
  1,
  'load-balancer web/20416 type=LoadBalancer',
)
entity(
  'container_network_transmit_bytes_total{namespace="shop",pod="web-1",interface="eth0"}',
  7,
  'network web-1/20416 max/bytes=7 min/bytes=7',
)
entity(
  'kube_namespace_annotations{namespace="shop",annotation_team="orders",annotation_other="x"}',
  1,
  'namespace shop label/annotation_team=orders',
)
entity(
  'kube_node_info{node="n1",provider_id="aws:///eu-west-1a/i-1"}',
  1,
  'node n1 providerId=aws:///eu-west-1a/i-1',
)
entity(
  'kube_node_labels{node="n1",label_node_kubernetes_io_instance_type="m5.large"}',
  1,
  'node n1 instanceType=m5.large',
)
entity(
  'kube_node_spec_taint{node="n1",key="dedicated",value="ml",effect="NoSchedule"}',
  1,
  'node n1 taint/6=dedicated=ml:NoSchedule',
)
entity('kube_node_status_capacity{node="n1",resource="cpu",unit="core"}', 8, 'node n1 capacity/cpu=8')
entity('kube_node_status_allocatable{node="n1",resource="pods"}', 58, 'node n1 allocatable/pods=58')
entity(
  'kube_namespace_labels{namespace="shop",label_team="orders",label_other="x"}',
  1,
  'namespace shop label/team=orders',
)
entity('node_cpu_hourly_cost{instance="n1",node="n1"}', 0.03, 'node n1 cpuPerHourUsd=0.03')
entity('node_ram_hourly_cost{instance="n1",node="n1"}', 0.004, 'node n1 ramGibPerHourUsd=0.004')
entity('node_gpu_hourly_cost{instance="n1",node="n1"}', 0.95, 'node n1 gpuPerHourUsd=0.95')
entity('node_gpu_count{instance="n1",node="n1"}', 2, 'node n1 gpuCount=2')
entity('cheapside_machine_info{vm="db-1",instance_type="m5.large"}', 1, 'machine db-1 instanceType=m5.large')
entity('cheapside_machine_cpu_cores{vm="db-1"}', 4, 'machine db-1 capacity/cpu=4')
entity('cheapside_machine_memory_bytes{vm="db-1"}', 99, 'machine db-1 capacity/memory=99')

const process = 'groupname="nginx",instance="web-1:9256"'
rows.push(
  [
    `namedprocess_namegroup_memory_bytes{${process},memtype="resident"}`,
    [5, 6, 7],
    { process: expect.objectContaining({ memoryMax: 7 }) },
  ],
  [
    'cheapside_process_cpu_seconds_total{vm="db-1",process="postgres"}',
    [0, 6, 12],
    { process: expect.objectContaining({ cpuSum: 12e6 }) },
  ],
  [
    'cheapside_process_memory_bytes{vm="db-1",process="postgres"}',
    [1, 2, 3],
    { process: expect.objectContaining({ memoryMax: 3 }) },
  ],
)

test.each(rows)('%s', (series, values, expected) => {
  expect(digestedFrom([[series, values]])).toMatchObject(expected)
})

test('user and system time of a process exporter', () => {
  const mode = (of: string) => `namedprocess_namegroup_cpu_seconds_total{${process},mode="${of}"}`
  const { process: found } = digestedFrom([
    [mode('system'), [0, 1, 2]],
    [mode('user'), [0, 5, 10]],
  ])
  expect(found!.cpuSum).toBe(12e6)
})

test.each([
  [
    'ReplicaSet/web-7',
    'kube_replicaset_owner{namespace="shop",replicaset="web-7",owner_kind="Deployment",owner_name="web"}',
    'Deployment/web',
  ],
  [
    'Job/bill-1',
    'kube_job_owner{namespace="shop",job_name="bill-1",owner_kind="CronJob",owner_name="bill"}',
    'CronJob/bill',
  ],
])('%s is resolved to its owner', (owned, owner, workload) => {
  const [kind, name] = owned.split('/')
  const { container: found } = digestedFrom([
    [owner, [1, 1, 1]],
    [`kube_pod_owner{${pod},owner_kind="${kind}",owner_name="${name}"}`, [1, 1, 1]],
  ])
  expect(found.workload).toEqual(text(workload))
})

test('the configured labels and annotations of a pod are stored with its workload', () => {
  const { entities } = digestedFrom([
    [`kube_pod_labels{${pod},label_app="web",label_pod_template_hash="7c9"}`, [1, 1, 1]],
    [`kube_pod_annotations{${pod},annotation_team="orders",annotation_app="x"}`, [1, 1, 1]],
    [`kube_pod_owner{${pod},owner_kind="StatefulSet",owner_name="web"}`, [1, 1, 1]],
  ])
  expect(entities).toEqual(['workload StatefulSet/web label/app=web label/annotation_team=orders'])
  const long = 'x'.repeat(64)
  expect(
    digestedFrom([[`kube_namespace_labels{namespace="shop",label_team="${long}"}`, [1, 1, 1]]]).entities,
  ).toEqual([])
})

test('requests of init containers are stored with the workload, though they are rarely sampled', () => {
  const init = (name: string, resource: string) =>
    `kube_pod_init_container_resource_requests{${pod},container="${name}",resource="${resource}"}`
  const { entities } = digestedFrom([
    [init('migrate', 'cpu'), [3, 3, 3]],
    [init('migrate', 'memory'), [2 ** 33, 2 ** 33, 2 ** 33]],
    [init('fetch', 'cpu'), [0.5, 0.5, 0.5]],
    [`kube_pod_owner{${pod},owner_kind="StatefulSet",owner_name="web"}`, [1, 1, 1]],
  ])
  expect(entities).toEqual([
    'workload StatefulSet/web initRequests={"fetch":{"cores":0.5,"gib":0},"migrate":{"cores":3,"gib":8}}',
  ])
})

test('every supported metric is tested here', () => {
  const seen = rows.map(([series]) => /^\w+/.exec(series)![0])
  expect(
    new Set([...seen, 'kube_pod_labels', 'kube_pod_annotations', 'namedprocess_namegroup_cpu_seconds_total']),
  ).toEqual(new Set(knownMetrics))
})
