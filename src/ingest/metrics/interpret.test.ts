import { expect, test } from 'vitest'
import type { SeriesMeaning } from '../../domain/usage-series.ts'
import { hashText } from '../remote-write/label-hash.ts'
import { interpret, knownMetrics, mayInterpret } from './interpret.ts'

/** A series as an exporter writes it: name{label="value",...}. */
function read(text: string): SeriesMeaning | undefined {
  const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(text) ?? []
  const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(
    ([, label = '', value = '']) => [label, value] as const,
  )
  return interpret([['__name__', name], ...pairs], 'default')
}

const check = (text: string, expected: object | undefined) =>
  expected === undefined
    ? expect(read(text), text).toBeUndefined()
    : expect(read(text), text).toMatchObject(expected)

const where = 'namespace="shop",pod="web-1",container="app"'
const subject = { kind: 'container', cluster: 'default', namespace: 'shop', pod: 'web-1', container: 'app' }

test('containers are recognised by either name of the labels, and belong to the named cluster', () => {
  check(`container_cpu_usage_seconds_total{${where}}`, { fact: 'measure', measure: 'cpu', subject })
  check(
    'container_memory_working_set_bytes{namespace="shop",pod_name="web-1",container_name="app",cluster="blue"}',
    {
      measure: 'memory',
      subject: { ...subject, cluster: 'blue' },
    },
  )
  check(
    'kube_pod_container_status_restarts_total{namespace="monitoring",pod="ksm-1",container="ksm",exported_namespace="shop",exported_pod="web-1",exported_container="app"}',
    {
      measure: 'restarts',
      subject,
    },
  )
  check(`container_oom_events_total{${where}}`, { measure: 'oom' })
  check(`container_memory_max_usage_bytes{${where}}`, { fact: 'setting', setting: 'memoryPeak' })
  check(`kube_pod_container_status_restarts_total{${where}}`, { measure: 'restarts' })
})

test('sums of pods, sandboxes, single cores and series without a pod are ignored', () => {
  check('container_cpu_usage_seconds_total{namespace="shop",pod="web-1",container=""}', undefined)
  check('container_cpu_usage_seconds_total{namespace="shop",pod="web-1",container="POD"}', undefined)
  check('container_cpu_usage_seconds_total{id="/system.slice",container="app"}', undefined)
  check(`container_cpu_usage_seconds_total{${where},cpu="cpu03"}`, undefined)
  check(`container_cpu_usage_seconds_total{${where},cpu="total"}`, { measure: 'cpu' })
  check(`container_fs_reads_total{${where}}`, undefined)
  check('', undefined)
  check('constructor', undefined)
})

test('requests and limits of CPU and memory and requests of GPUs are read, those of other resources are not', () => {
  check(`kube_pod_container_resource_requests{${where},resource="cpu",unit="core"}`, {
    setting: 'cpuRequest',
    init: false,
  })
  check(`kube_pod_container_resource_limits{${where},resource="memory",unit="byte"}`, {
    setting: 'memoryLimit',
  })
  check(`kube_pod_init_container_resource_requests{${where},resource="memory"}`, {
    setting: 'memoryRequest',
    init: true,
  })
  for (const resource of ['nvidia_com_gpu', 'nvidia_com_gpu_shared', 'amd_com_gpu'])
    check(`kube_pod_container_resource_requests{${where},resource="${resource}",unit="integer"}`, {
      setting: 'gpuRequest',
    })
  check(`kube_pod_container_resource_limits{${where},resource="nvidia_com_gpu"}`, undefined)
  check(`kube_pod_container_resource_limits{${where},resource="ephemeral_storage"}`, undefined)
  check(`kube_pod_container_resource_limits{${where},resource="constructor"}`, undefined)
})

test('owners and nodes of pods are read', () => {
  check('kube_pod_owner{namespace="shop",pod="web-1",owner_kind="ReplicaSet",owner_name="web-7"}', {
    fact: 'pod',
    texts: { workload: 'ReplicaSet/web-7' },
  })
  check('kube_pod_owner{namespace="shop",pod="web-1",owner_kind="<none>",owner_name="<none>"}', undefined)
  check('kube_pod_info{namespace="shop",pod="web-1",node="node-1"}', { texts: { node: 'node-1' } })
  check(`kube_pod_container_status_last_terminated_reason{${where},reason="OOMKilled"}`, {
    fact: 'text',
    name: 'terminatedReason',
    text: 'OOMKilled',
  })
  check(
    'kube_replicaset_owner{namespace="shop",replicaset="web-7",owner_kind="Deployment",owner_name="web"}',
    {
      entity: { kind: 'replica-set', namespace: 'shop', name: 'web-7' },
      texts: { owner: 'Deployment/web' },
    },
  )
  check('kube_job_owner{namespace="shop",job_name="bill-1",owner_kind="CronJob",owner_name="bill"}', {
    entity: { kind: 'job', name: 'bill-1' },
    texts: { owner: 'CronJob/bill' },
  })
})

test('metrics that no answer uses are not collected', () => {
  check('kube_pod_status_phase{namespace="shop",pod="web-1",phase="Running"}', undefined)
  check(
    'kube_limitrange{namespace="shop",limitrange="l",resource="memory",type="Container",constraint="default"}',
    undefined,
  )
})

test('quotas and autoscalers are read', () => {
  check('kube_resourcequota{namespace="shop",resourcequota="main",resource="limits.cpu",type="hard"}', {
    entity: { kind: 'quota', name: 'main' },
    number: 'hard/limits.cpu',
  })
  check('kube_horizontalpodautoscaler_spec_min_replicas{namespace="shop",horizontalpodautoscaler="web"}', {
    number: 'minReplicas',
  })
  check('kube_horizontalpodautoscaler_spec_max_replicas{namespace="shop",horizontalpodautoscaler="web"}', {
    entity: { kind: 'autoscaler', name: 'web' },
    number: 'maxReplicas',
  })
  check(
    'kube_horizontalpodautoscaler_spec_target_metric{namespace="shop",horizontalpodautoscaler="web",metric_name="cpu",metric_target_type="utilization"}',
    {
      number: 'target/cpu/utilization',
    },
  )
})

test('an entity gets no attributes with names that a sender can make up', () => {
  for (const resource of ['cpu', 'memory', 'pods', 'nvidia_com_gpu'])
    check(`kube_node_status_capacity{node="n1",resource="${resource}"}`, { number: `capacity/${resource}` })
  for (const text of [
    'kube_node_status_capacity{node="n1",resource="example_com_r1"}',
    'kube_resourcequota{namespace="shop",resourcequota="main",resource="count/r1",type="hard"}',
    'kube_resourcequota{namespace="shop",resourcequota="main",resource="limits.cpu",type="used"}',
    'kube_horizontalpodautoscaler_spec_target_metric{namespace="shop",horizontalpodautoscaler="web",metric_name="m1",metric_target_type="value"}',
  ])
    check(text, undefined)
})

test('the facts of a node that determine its price are read', () => {
  const node = (labels: string, texts: object) =>
    check(`kube_node_labels{node="n1",${labels}}`, {
      fact: 'entity',
      entity: { kind: 'node', name: 'n1', namespace: '' },
      texts,
    })
  node(
    'label_node_kubernetes_io_instance_type="m5.large",label_topology_kubernetes_io_region="eu-west-1",label_topology_kubernetes_io_zone="eu-west-1a"',
    {
      instanceType: 'm5.large',
      region: 'eu-west-1',
      zone: 'eu-west-1a',
    },
  )
  node('label_beta_kubernetes_io_instance_type="e2-medium",label_cloud_google_com_gke_spot="true"', {
    instanceType: 'e2-medium',
    capacityType: 'SPOT_PREEMPTIBLE',
  })
  node('label_eks_amazonaws_com_capacityType="SPOT"', { capacityType: 'SPOT_PREEMPTIBLE' })
  node('label_eks_amazonaws_com_capacity_type="ON_DEMAND"', { capacityType: 'ONDEMAND' })
  node('label_kubernetes_azure_com_scalesetpriority="spot"', { capacityType: 'SPOT_PREEMPTIBLE' })
  node('label_karpenter_sh_capacity_type="on-demand",label_kubernetes_io_arch="arm64"', {
    capacityType: 'ONDEMAND',
    architecture: 'arm64',
  })
  check('kube_node_info{node="n1",provider_id="aws:///eu-west-1a/i-0abc"}', {
    texts: { providerId: 'aws:///eu-west-1a/i-0abc' },
  })
  check('kube_node_status_capacity{node="n1",resource="cpu",unit="core"}', { number: 'capacity/cpu' })
  check('node_cpu_hourly_cost{instance="n1",node="n1"}', { entity: { name: 'n1' }, number: 'cpuPerHourUsd' })
})

test('processes are read from exporters and from the agent', () => {
  const exporter = 'groupname="nginx",instance="web-1:9256"'
  const process = { kind: 'process', vm: 'web-1', process: 'nginx', group: 'unknown', cgroup: '' }
  check(`namedprocess_namegroup_cpu_seconds_total{${exporter},mode="user"}`, {
    measure: 'cpuUser',
    subject: process,
  })
  check(`namedprocess_namegroup_cpu_seconds_total{${exporter},mode="system"}`, { measure: 'cpuSystem' })
  check(`namedprocess_namegroup_memory_bytes{${exporter},memtype="proportionalResident"}`, {
    measure: 'memory',
    rank: 2,
  })
  check(`namedprocess_namegroup_memory_bytes{${exporter},memtype="resident"}`, { measure: 'memory', rank: 1 })
  check(`namedprocess_namegroup_memory_bytes{${exporter},memtype="virtual"}`, undefined)
  check(
    'cheapside_process_memory_bytes{vm="db-1",process="postgres",cgroup="/system.slice/postgresql.service",group="system"}',
    {
      subject: {
        kind: 'process',
        vm: 'db-1',
        process: 'postgres',
        group: 'system',
        cgroup: '/system.slice/postgresql.service',
      },
    },
  )
  check('cheapside_machine_info{vm="db-1",instance_type="m5.large",region="eu-west-1"}', {
    entity: { kind: 'machine', cluster: '', name: 'db-1' },
    texts: { instanceType: 'm5.large', region: 'eu-west-1' },
  })
})

test('user and system time belong to one instance, and the order of labels does not matter', () => {
  const origin = (text: string) => {
    const meaning = read(text)
    return meaning?.fact === 'measure' ? [meaning.instance, meaning.source] : undefined
  }
  const user = origin(
    'namedprocess_namegroup_cpu_seconds_total{groupname="a",instance="b:1",mode="user",job="p"}',
  )
  expect(
    origin('namedprocess_namegroup_cpu_seconds_total{instance="b:1",job="p",mode="system",groupname="a"}'),
  ).toEqual(user)
  const life = (id: string, job: string) =>
    origin(`container_cpu_usage_seconds_total{${where},id="${id}",job="${job}"}`)!
  expect(life('1', 'kubelet')[1]).toBe(life('2', 'kubelet')[1])
  expect(life('1', 'kubelet')[0]).not.toBe(life('2', 'kubelet')[0])
  expect(life('1', 'kubelet')[1]).not.toBe(life('1', 'cadvisor')[1])
  expect(life('1', 'kubelet')[0]).toBe(life('1', 'cadvisor')[0])
})

test('every understood metric is found by the hash of its name', () => {
  for (const name of knownMetrics) expect(mayInterpret(hashText(name)), name).toBe(true)
  expect(mayInterpret(hashText('up'))).toBe(false)
})

test('the reason of a termination counts as a name', () => {
  const reason = (text: string) =>
    read(`kube_pod_container_status_last_terminated_reason{${where},reason="${text}"}`)
  expect(reason('OOMKilled')).toMatchObject({ name: 'terminatedReason', text: 'OOMKilled' })
  expect(reason('x'.repeat(2300))).toBeUndefined()
})

test('names contain no control characters, so that requests can contain them', () => {
  const meaning = interpret(
    [
      ['__name__', 'container_cpu_usage_seconds_total'],
      ['cluster', 'a\u001b[31m'],
      ['namespace', 'b\nc'],
      ['pod', 'd\u009b'],
      ['container', 'e\ud800'],
    ],
    'default',
  )
  expect(meaning).toMatchObject({
    subject: { cluster: 'a\ufffd[31m', namespace: 'b\ufffdc', pod: 'd\ufffd', container: 'e\ufffd' },
  })
})

test('a NUL in a label cannot merge two subjects', () => {
  const meaning = interpret(
    [
      ['__name__', 'container_oom_events_total'],
      ['namespace', 'a\0b'],
      ['pod', 'c'],
      ['container', 'd'],
    ],
    'x',
  )
  expect(meaning).toMatchObject({ subject: { namespace: 'ab', pod: 'c' } })
})
