import { isLasting, taintAttribute, taintText } from '../../domain/node-placement.ts'
import { gpuResources, type SeriesMeaning } from '../../domain/usage-series.ts'
import { hashText } from '../remote-write/label-hash.ts'
import { heapSeries, namespaceLabels, nodeTexts, podLabels } from './kubernetes-labels.ts'
import {
  autoscalerRule,
  claimRule,
  containerRule,
  containerSettingRule,
  containerTextRule,
  cpuModes,
  entityRule,
  imageOf,
  limitSettings,
  type MetricRule,
  memoryRanks,
  ownerOf,
  podEndRule,
  podRule,
  processRule,
  requestSettings,
  resourceRule,
  SeriesLabels,
  volumeRule,
} from './metric-rules.ts'

/** The meaning of a series; undefined if it is not used. The same labels always have the same meaning, pushed or queried. */
export function interpret(
  labels: Iterable<readonly [string, string]>,
  defaultCluster: string,
): SeriesMeaning | undefined {
  const meaning = meaningOf(labels, defaultCluster)
  return meaning !== undefined && isNameable(meaning) ? meaning : undefined
}

/** Returns the meaning of a series even if its names are too long to be stored. */
export function meaningOf(
  labels: Iterable<readonly [string, string]>,
  defaultCluster: string,
): SeriesMeaning | undefined {
  const series = new SeriesLabels(labels, defaultCluster)
  return rules.get(series.name)?.(series)
}

/**
 * Whether the names are short enough to be stored; longer ones could not be looked up in a database. A cluster counts at
 * least as much as the longest name that a request may give to series without one, so that the result does not depend on
 * that name.
 */
export function isNameable(meaning: SeriesMeaning): boolean {
  const named = 'subject' in meaning ? meaning.subject : 'entity' in meaning ? meaning.entity : meaning
  let bytes = 0
  for (const [part, name] of Object.entries(named))
    if (typeof name === 'string')
      bytes += Math.max(part === 'cluster' ? defaultClusterBytes : 0, Buffer.byteLength(name))
  // The name of an owner becomes the name of a workload.
  const texts = 'texts' in meaning && meaning.texts !== undefined ? Object.values(meaning.texts) : []
  for (const text of texts) if (typeof text === 'string') bytes += Buffer.byteLength(text)
  if ('text' in meaning) bytes += Buffer.byteLength(meaning.text)
  return bytes <= maxNamesBytes
}

/** Length of all names together in UTF-8. */
export const maxNamesBytes = 2300
/** A name of a cluster may have 200 characters of four bytes. */
const defaultClusterBytes = 800

/** Decides by the hash of the metric's name alone; see Interpreter. */
export const mayInterpret = (nameHash: number): boolean => hashes.has(nameHash)

/**
 * Every metric that is used, and how it is interpreted, one line each: to add a metric, add a line. Engines are queried in
 * this order: owners first, so that a pod's workload is known when its containers are described, and the ends of pods last.
 * cAdvisor and kubelet: docs/storage/prometheus.md of the cAdvisor repository;
 * kube-state-metrics: github.com/kubernetes/kube-state-metrics/tree/main/docs/metrics;
 * Java: github.com/micrometer-metrics/micrometer (JvmMemoryMetrics, JvmGcMetrics),
 * prometheus.github.io/client_java/instrumentation/jvm, opentelemetry.io/docs/specs/semconv/runtime/jvm-metrics;
 * OpenCost: opencost.io/docs/integrations/metrics; process-exporter: github.com/ncabatoff/process-exporter.
 */
export const metricRules: Readonly<Record<string, MetricRule>> = {
  kube_replicaset_owner: entityRule('replica-set', 'replicaset', (series) => ({
    texts: { owner: ownerOf(series) },
  })),
  kube_job_owner: entityRule('job', 'job_name', (series) => ({ texts: { owner: ownerOf(series) } })),

  container_cpu_usage_seconds_total: containerRule('cpu'),
  container_memory_working_set_bytes: containerRule('memory'),
  container_cpu_cfs_throttled_seconds_total: containerRule('throttled'),
  container_cpu_cfs_periods_total: containerRule('periods'),
  container_cpu_cfs_throttled_periods_total: containerRule('throttledPeriods'),
  container_oom_events_total: containerRule('oom'),
  container_memory_max_usage_bytes: containerSettingRule('memoryPeak'),
  container_start_time_seconds: containerSettingRule('started'),
  container_memory_rss: containerSettingRule('memoryRss'),
  container_memory_cache: containerSettingRule('memoryCache'),
  container_memory_mapped_file: containerSettingRule('memoryMapped'),

  jvm_memory_used_bytes: heapSeries('used'),
  jvm_memory_bytes_used: heapSeries('used'),
  jvm_memory_max_bytes: heapSeries('limit'),
  jvm_memory_bytes_max: heapSeries('limit'),
  jvm_memory_limit_bytes: heapSeries('limit'),
  jvm_memory_pool_collection_used_bytes: heapSeries('collected'),
  jvm_memory_used_after_last_gc_bytes: heapSeries('collected'),
  jvm_gc_live_data_size_bytes: heapSeries('live'),

  kube_pod_container_resource_requests: resourceRule(requestSettings, false),
  kube_pod_container_resource_limits: resourceRule(limitSettings, false),
  kube_pod_init_container_resource_requests: resourceRule(requestSettings, true),
  kube_pod_init_container_resource_limits: resourceRule(limitSettings, true),
  kube_pod_container_status_restarts_total: containerRule('restarts'),
  kube_pod_container_status_last_terminated_reason: containerTextRule('terminatedReason', (series) =>
    series.get('reason'),
  ),
  kube_pod_container_info: containerTextRule('image', imageOf),
  kube_pod_init_container_info: containerTextRule('image', imageOf),
  kube_pod_owner: podRule((series) => ({ workload: ownerOf(series) })),
  kube_pod_info: podRule((series) => ({ node: series.exporterLabel('node') })),
  kube_pod_labels: podLabels,
  kube_namespace_labels: namespaceLabels,
  kube_pod_annotations: podLabels,
  kube_namespace_annotations: namespaceLabels,

  kube_resourcequota: entityRule('quota', 'resourcequota', (series) =>
    usedNumber(`${series.get('type')}/${series.get('resource')}`),
  ),
  kube_horizontalpodautoscaler_spec_min_replicas: autoscalerRule(() => ({ number: 'minReplicas' })),
  kube_horizontalpodautoscaler_spec_max_replicas: autoscalerRule(() => ({ number: 'maxReplicas' })),
  kube_horizontalpodautoscaler_spec_target_metric: autoscalerRule((series) =>
    usedNumber(`target/${series.get('metric_name')}/${series.get('metric_target_type')}`),
  ),
  kube_horizontalpodautoscaler_info: autoscalerRule((series) => ({
    texts: { workload: `${series.get('scaletargetref_kind')}/${series.get('scaletargetref_name')}` },
  })),

  kube_persistentvolumeclaim_info: claimRule((series) => ({
    texts: { class: series.get('storageclass'), volume: series.get('volumename') },
  })),
  kube_persistentvolumeclaim_resource_requests_storage_bytes: claimRule(() => ({ number: 'requested' })),
  kube_pod_spec_volumes_persistentvolumeclaims_info: claimRule((series) => ({
    texts: { pod: series.exporterLabel('pod') },
  })),
  kubelet_volume_stats_capacity_bytes: claimRule(() => ({ number: 'capacity' })),
  kubelet_volume_stats_used_bytes: claimRule(() => ({ number: 'max/used' })),
  kube_persistentvolume_info: volumeRule((series) => ({
    texts: { class: series.get('storageclass'), driver: series.get('csi_driver') },
  })),
  kube_persistentvolume_capacity_bytes: volumeRule(() => ({ number: 'capacity' })),
  kube_persistentvolume_status_phase: volumeRule((series) => ({ texts: { phase: series.get('phase') } })),
  kube_persistentvolume_claim_ref: volumeRule((series) => ({
    texts: { claim: `${series.get('claim_namespace')}/${series.get('name')}` },
  })),

  kube_service_spec_type: entityRule('load-balancer', 'service', (series) =>
    series.get('type') === 'LoadBalancer' ? { texts: { type: series.get('type') } } : {},
  ),

  // Pods have one interface of this name; others are those of the node or of special networks.
  container_network_transmit_bytes_total: entityRule('network', 'pod', (series) =>
    series.get('interface') === 'eth0' ? { number: 'max/bytes' } : {},
  ),

  kube_node_info: entityRule('node', 'node', (series) => ({ texts: nodeTexts(series) })),
  kube_node_labels: entityRule('node', 'node', (series) => ({ texts: nodeTexts(series) })),
  kube_node_spec_taint: entityRule('node', 'node', (series) => {
    const taint = { key: series.get('key'), value: series.get('value'), effect: series.get('effect') }
    return isLasting(taint) ? { texts: { [taintAttribute(taint)]: taintText(taint) } } : {}
  }),
  kube_node_status_capacity: entityRule('node', 'node', (series) =>
    usedNumber(`capacity/${series.get('resource')}`),
  ),
  kube_node_status_allocatable: entityRule('node', 'node', (series) =>
    usedNumber(`allocatable/${series.get('resource')}`),
  ),
  node_cpu_hourly_cost: entityRule('node', ['node', 'instance'], () => ({ number: 'cpuPerHourUsd' })),
  node_ram_hourly_cost: entityRule('node', ['node', 'instance'], () => ({ number: 'ramGibPerHourUsd' })),
  node_gpu_hourly_cost: entityRule('node', ['node', 'instance'], () => ({ number: 'gpuPerHourUsd' })),
  node_gpu_count: entityRule('node', ['node', 'instance'], () => ({ number: 'gpuCount' })),

  namedprocess_namegroup_cpu_seconds_total: processRule((series) => cpuModes.get(series.get('mode'))),
  namedprocess_namegroup_memory_bytes: processRule((series) =>
    memoryRanks.has(series.get('memtype')) ? 'memory' : undefined,
  ),
  cheapside_process_cpu_seconds_total: processRule(() => 'cpu'),
  cheapside_process_memory_bytes: processRule(() => 'memory'),
  cheapside_machine_info: entityRule('machine', 'vm', (series) => ({ texts: nodeTexts(series) })),
  cheapside_machine_cpu_cores: entityRule('machine', 'vm', () => ({ number: 'capacity/cpu' })),
  cheapside_machine_memory_bytes: entityRule('machine', 'vm', () => ({ number: 'capacity/memory' })),

  kube_pod_completion_time: podEndRule,
}

/** An entity keeps each attribute as long as it exists, so others would let it grow without limit. */
const usedNumbers: ReadonlySet<string> = new Set([
  ...['cpu', 'memory', 'pods', ...gpuResources].map((resource) => `capacity/${resource}`),
  ...['cpu', 'memory', 'pods'].map((resource) => `allocatable/${resource}`),
  ...['limits.cpu', 'requests.cpu', 'cpu', 'limits.memory', 'requests.memory', 'memory'].map(
    (resource) => `hard/${resource}`,
  ),
  'target/cpu/utilization',
  'target/memory/utilization',
])

function usedNumber(number: string): { number?: string } {
  return usedNumbers.has(number) ? { number } : {}
}

export const knownMetrics: readonly string[] = Object.keys(metricRules)

const rules = new Map(Object.entries(metricRules))
const hashes = new Set(knownMetrics.map((name) => hashText(name)))
