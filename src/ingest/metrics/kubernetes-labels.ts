import type { HeapMeaning, SeriesMeaning } from '../../domain/usage-series.ts'
import type { MetricRule, SeriesLabels } from './metric-rules.ts'

/** kube-state-metrics writes label_app="web" and annotation_team="data"; annotations are labels that are called annotation_team. */
const label = /^(?:label_(?=.)|(?=annotation_.))/
/** Kubernetes allows values of 63 characters. Only the first `maxLabels` labels are read. */
const maxValue = 63
const maxLabels = 64

/** kube_pod_labels and kube_pod_annotations: those of a pod are used as those of its workload. */
export function podLabels(series: SeriesLabels): SeriesMeaning | undefined {
  const [pod, namespace] = [series.exporterLabel('pod'), series.exporterLabel('namespace')]
  const labels = kubernetesLabels(series)
  if (pod === '' || namespace === '' || labels === undefined) return undefined
  return { fact: 'pod', cluster: series.cluster, namespace, pod, texts: {}, labels }
}

/** kube_namespace_labels and kube_namespace_annotations */
export function namespaceLabels(series: SeriesLabels): SeriesMeaning | undefined {
  const namespace = series.exporterLabel('namespace')
  const labels = kubernetesLabels(series)
  if (namespace === '' || labels === undefined) return undefined
  const entity = { kind: 'namespace', cluster: series.cluster, namespace, name: namespace } as const
  return { fact: 'entity', entity, labels }
}

function kubernetesLabels(series: SeriesLabels): Record<string, string> | undefined {
  const labels: [string, string][] = []
  for (const [name, value] of series.entries())
    if (label.test(name) && value !== '' && value.length <= maxValue && labels.length < maxLabels)
      labels.push([name.replace(label, ''), value])
  return labels.length === 0 ? undefined : Object.fromEntries(labels)
}

/**
 * Memory of a Java virtual machine, with the labels of Micrometer (area, id), the Prometheus client (area, pool) and
 * OpenTelemetry (jvm_memory_type, jvm_memory_pool_name). The application itself is scraped, so the labels of its pod are
 * those of the target.
 */
export function heapSeries(part: HeapMeaning['part']): MetricRule {
  return (series) => {
    const pool = series.first('id', 'pool', 'jvm_memory_pool_name')
    const area = part === 'used' || part === 'limit' ? areaOf(series) : areaOfPool(pool)
    const pod = series.first('pod', 'kubernetes_pod_name', 'k8s_pod_name')
    const namespace = series.first('namespace', 'kubernetes_namespace', 'k8s_namespace_name')
    if (area === undefined || pod === '' || namespace === '') return undefined
    const container = series.first('container', 'kubernetes_container_name', 'k8s_container_name')
    return { fact: 'heap', cluster: series.cluster, namespace, pod, container, part, area, pool }
  }
}

function areaOf(series: SeriesLabels): HeapMeaning['area'] | undefined {
  const area = series.first('area', 'jvm_memory_type')
  return area === 'heap' ? 'heap' : /^non_?heap$/.test(area) ? 'nonheap' : undefined
}

const areaOfPool = (pool: string): HeapMeaning['area'] =>
  /metaspace|class|code|cache|perm/i.test(pool) ? 'nonheap' : 'heap'

/**
 * The labels of a node from which its price is found. kube_node_labels has Kubernetes labels as label_..., with every
 * character that Prometheus does not allow replaced by _; kube_node_info has provider_id. The first label that is present
 * counts.
 */
export function nodeTexts(series: SeriesLabels): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [attribute, labels] of sources) {
    const value = series.first(...labels)
    if (value !== '') texts[attribute] = value
  }
  const capacity = capacityType(series)
  if (capacity !== '') texts.capacityType = capacity
  const zoneId = [...series.entries()].find(([label, value]) => zoneIdLabel.test(label) && value !== '')?.[1]
  if (zoneId !== undefined) texts.zoneId = zoneId
  return texts
}

/** kubernetes.io/docs/reference/labels-annotations-taints */
const sources: readonly (readonly [string, readonly string[]])[] = [
  [
    'instanceType',
    ['label_node_kubernetes_io_instance_type', 'label_beta_kubernetes_io_instance_type', 'instance_type'],
  ],
  [
    'region',
    ['label_topology_kubernetes_io_region', 'label_failure_domain_beta_kubernetes_io_region', 'region'],
  ],
  ['zone', ['label_topology_kubernetes_io_zone', 'label_failure_domain_beta_kubernetes_io_zone', 'zone']],
  ['operatingSystem', ['label_kubernetes_io_os', 'label_beta_kubernetes_io_os', 'operating_system']],
  ['architecture', ['label_kubernetes_io_arch', 'label_beta_kubernetes_io_arch', 'architecture']],
  ['providerId', ['provider_id']],
  ['provider', ['provider']],
  ['systemUuid', ['system_uuid']],
  ['osImage', ['os_image']],
]

/**
 * Every cloud's node pools and autoscalers have their own label for spot capacity: ..._capacity_type="spot",
 * ..._spot="true", ..._lifecycle="spot", ...priority="spot". These patterns do not contain the name of any cloud.
 */
function capacityType(series: SeriesLabels): string {
  let isReported = false
  for (const [label, value] of series.entries()) {
    if (value === '' || !capacityLabel.test(label)) continue
    if (/spot|preemptible/i.test(value) || (/^true$/i.test(value) && spotLabel.test(label)))
      return 'SPOT_PREEMPTIBLE'
    if (/^reserved$/i.test(value)) return 'RESERVED'
    isReported = true
  }
  return isReported ? 'ONDEMAND' : ''
}

/** The name of a zone may mean another zone in each account; its id does not, and price lists have ids. */
const zoneIdLabel = /^label_topology_.*_zone_id$/
const capacityLabel = /^(label_.*)?(capacity_?type|spot|preemptible|lifecycle|priority)$/i
const spotLabel = /(spot|preemptible)$/i
