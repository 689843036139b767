import type { ContainerSubject } from '../domain/subject.ts'
import type { EntityKind, Measure, SeriesMeaning, Setting } from '../domain/usage-series.ts'
import { nodeTexts } from './node-labels.ts'
import { processSubject } from './process-labels.ts'
import type { SeriesLabels } from './series-labels.ts'

/** What the series of a metric tell; undefined where one tells nothing of use. */
export type MetricRule = (series: SeriesLabels) => SeriesMeaning | undefined

/**
 * Every metric that is understood, and what it is read as. One line each: to add one, add a line. They are asked for in this
 * order: owners first, so that a pod's workload is known when its containers are described.
 * cAdvisor and kubelet: docs/storage/prometheus.md of the cAdvisor repository;
 * kube-state-metrics: github.com/kubernetes/kube-state-metrics/tree/main/docs/metrics;
 * OpenCost: opencost.io/docs/integrations/metrics; process-exporter: github.com/ncabatoff/process-exporter.
 */
export const metricRules: Readonly<Record<string, MetricRule>> = {
  kube_replicaset_owner: entity('replica-set', 'replicaset', (series) => ({
    texts: { owner: ownerOf(series) },
  })),
  kube_job_owner: entity('job', 'job_name', (series) => ({ texts: { owner: ownerOf(series) } })),

  container_cpu_usage_seconds_total: container('cpu'),
  container_memory_working_set_bytes: container('memory'),
  container_cpu_cfs_throttled_seconds_total: container('throttled'),
  container_cpu_cfs_periods_total: container('periods'),
  container_cpu_cfs_throttled_periods_total: container('throttledPeriods'),
  container_oom_events_total: container('oom'),
  container_memory_max_usage_bytes: containerSetting('memoryPeak'),
  container_start_time_seconds: containerSetting('started'),

  kube_pod_container_resource_requests: resource('cpuRequest', 'memoryRequest', false),
  kube_pod_container_resource_limits: resource('cpuLimit', 'memoryLimit', false),
  kube_pod_init_container_resource_requests: resource('cpuRequest', 'memoryRequest', true),
  kube_pod_container_status_restarts_total: container('restarts'),
  kube_pod_container_status_last_terminated_reason: terminated,
  kube_pod_owner: pod((series) => ({ workload: ownerOf(series) })),
  kube_pod_info: pod((series) => ({ node: series.get('node') })),
  kube_pod_status_phase: pod((series) => ({ phase: series.get('phase') })),

  kube_resourcequota: entity('quota', 'resourcequota', (series) => ({
    number: `${series.get('type')}/${series.get('resource')}`,
  })),
  kube_limitrange: entity('limit-range', 'limitrange', (series) => ({
    number: `${series.get('type')}/${series.get('resource')}/${series.get('constraint')}`,
  })),
  kube_horizontalpodautoscaler_spec_min_replicas: autoscaler(() => ({ number: 'minReplicas' })),
  kube_horizontalpodautoscaler_spec_max_replicas: autoscaler(() => ({ number: 'maxReplicas' })),
  kube_horizontalpodautoscaler_spec_target_metric: autoscaler((series) => ({
    number: `target/${series.get('metric_name')}/${series.get('metric_target_type')}`,
  })),
  kube_horizontalpodautoscaler_info: autoscaler((series) => ({
    texts: { workload: `${series.get('scaletargetref_kind')}/${series.get('scaletargetref_name')}` },
  })),

  kube_node_info: entity('node', 'node', (series) => ({ texts: nodeTexts(series) })),
  kube_node_labels: entity('node', 'node', (series) => ({ texts: nodeTexts(series) })),
  kube_node_status_capacity: entity('node', 'node', (series) => ({
    number: `capacity/${series.get('resource')}`,
  })),
  kube_node_status_allocatable: entity('node', 'node', (series) => ({
    number: `allocatable/${series.get('resource')}`,
  })),
  node_cpu_hourly_cost: entity('node', ['node', 'instance'], () => ({ number: 'cpuPerHourUsd' })),
  node_ram_hourly_cost: entity('node', ['node', 'instance'], () => ({ number: 'ramGibPerHourUsd' })),

  namedprocess_namegroup_cpu_seconds_total: (series) => process(series, cpuModes.get(series.get('mode'))),
  namedprocess_namegroup_memory_bytes: (series) =>
    process(series, memoryRanks.has(series.get('memtype')) ? 'memory' : undefined),
  cheapside_process_cpu_seconds_total: (series) => process(series, 'cpu'),
  cheapside_process_memory_bytes: (series) => process(series, 'memory'),
  cheapside_machine_info: entity('machine', 'vm', (series) => ({ texts: nodeTexts(series) })),
  cheapside_machine_cpu_cores: entity('machine', 'vm', () => ({ number: 'capacity/cpu' })),
  cheapside_machine_memory_bytes: entity('machine', 'vm', () => ({ number: 'capacity/memory' })),
}

const cpuModes = new Map<string, Measure>([
  ['user', 'cpuUser'],
  ['system', 'cpuSystem'],
])

/** Proportional memory counts shared pages once; resident memory is next best. */
const memoryRanks = new Map([
  ['', 0],
  ['resident', 1],
  ['proportionalResident', 2],
])

function container(measure: Measure): MetricRule {
  return (series) => {
    const subject = containerSubject(series)
    if (subject === undefined || !totalCpu.has(series.get('cpu'))) return undefined
    return { fact: 'measure', measure, subject, ...series.origin() }
  }
}

/** Old cAdvisors tell each core too; the sum is enough. */
const totalCpu = new Set(['', 'total'])

function containerSetting(setting: Setting): MetricRule {
  return (series) => {
    const subject = containerSubject(series)
    return subject && { fact: 'setting', setting, subject, init: false }
  }
}

function resource(cpu: Setting, memory: Setting, init: boolean): MetricRule {
  const settings = new Map([
    ['cpu', cpu],
    ['memory', memory],
  ])
  return (series) => {
    const subject = containerSubject(series)
    const setting = settings.get(series.get('resource'))
    return subject && setting && { fact: 'setting', setting, subject, init }
  }
}

function terminated(series: SeriesLabels): SeriesMeaning | undefined {
  const subject = containerSubject(series)
  return subject && { fact: 'terminated', subject, reason: series.get('reason') }
}

/** Without a container it is the sum of a pod or a node's cgroup, and POD is the pod's sandbox. */
function containerSubject(series: SeriesLabels): ContainerSubject | undefined {
  const container = series.first('container', 'container_name')
  const pod = series.first('pod', 'pod_name')
  const namespace = series.get('namespace')
  if (container === '' || container === 'POD' || pod === '' || namespace === '') return undefined
  return { kind: 'container', cluster: series.cluster, namespace, pod, container }
}

function pod(
  read: (series: SeriesLabels) => Partial<Record<'node' | 'workload' | 'phase', string>>,
): MetricRule {
  return (series) => {
    const name = series.first('pod', 'pod_name')
    const namespace = series.get('namespace')
    const texts = known(read(series))
    if (name === '' || namespace === '' || texts === undefined) return undefined
    return { fact: 'pod', cluster: series.cluster, namespace, pod: name, texts }
  }
}

function entity(
  kind: EntityKind,
  label: string | readonly string[],
  read: (series: SeriesLabels) => { texts?: Record<string, string>; number?: string },
): MetricRule {
  return (series) => {
    const name = series.first(...[label].flat())
    const { texts, number } = read(series)
    const told = texts && known(texts)
    if (name === '' || (told === undefined && number === undefined)) return undefined
    const namespace = kind === 'node' || kind === 'machine' ? '' : series.get('namespace')
    const cluster = kind === 'machine' ? '' : series.cluster
    return {
      fact: 'entity',
      entity: { kind, cluster, namespace, name },
      ...(told && { texts: told }),
      ...(number !== undefined && { number }),
    }
  }
}

function autoscaler(
  read: (series: SeriesLabels) => { texts?: Record<string, string>; number?: string },
): MetricRule {
  return entity('autoscaler', ['horizontalpodautoscaler', 'hpa'], read)
}

function process(series: SeriesLabels, measure: Measure | undefined): SeriesMeaning | undefined {
  const subject = processSubject(series)
  if (subject === undefined || measure === undefined) return undefined
  const { instance, source } = series.origin('mode', 'memtype')
  return {
    fact: 'measure',
    measure,
    subject,
    instance,
    source,
    rank: memoryRanks.get(series.get('memtype')) ?? 0,
  }
}

/** '' where there is no owner: a pod of its own. */
function ownerOf(series: SeriesLabels): string {
  const [kind, name] = [series.get('owner_kind'), series.get('owner_name')]
  return kind === '' || kind === '<none>' || name === '' || name === '<none>' ? '' : `${kind}/${name}`
}

function known<Name extends string>(texts: Partial<Record<Name, string>>): Record<Name, string> | undefined {
  const told = Object.entries(texts).filter(([, text]) => text !== '' && text !== undefined)
  return told.length === 0 ? undefined : (Object.fromEntries(told) as Record<Name, string>)
}
