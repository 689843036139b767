import type { SeriesLabels } from './series-labels.ts'

/**
 * What the labels of a node say about its price. kube_node_labels has Kubernetes labels as label_..., with every character
 * that Prometheus does not take replaced by _; kube_node_info has provider_id. The first that is there is taken.
 */
export function nodeTexts(series: SeriesLabels): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [attribute, labels] of sources) {
    const value = series.first(...labels)
    if (value !== '') texts[attribute] = value
  }
  const capacity = capacityType(series)
  if (capacity !== '') texts.capacityType = capacity
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
 * Node pools and autoscalers of every cloud have a label of their own for it: ..._capacity_type="spot", ..._spot="true",
 * ..._lifecycle="spot", ...priority="spot". Only the shape is known here, no cloud's name.
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

const capacityLabel = /^(label_.*)?(capacity_?type|spot|preemptible|lifecycle|priority)$/i
const spotLabel = /(spot|preemptible)$/i
