import type { SeriesMeaning } from '../domain/usage-series.ts'
import type { SeriesLabels } from './series-labels.ts'

/** Labels of a pod or a namespace as kube-state-metrics writes them: label_app="web". */
const prefix = 'label_'
/** Kubernetes allows values of 63 characters; more labels than this are not looked at. */
const longestValue = 63
const mostLabels = 64

/** kube_pod_labels: the labels of a pod stand for those of its workload. */
export function podLabels(series: SeriesLabels): SeriesMeaning | undefined {
  const [pod, namespace] = [series.exporterLabel('pod'), series.exporterLabel('namespace')]
  const labels = kubernetesLabels(series)
  if (pod === '' || namespace === '' || labels === undefined) return undefined
  return { fact: 'pod', cluster: series.cluster, namespace, pod, texts: {}, labels }
}

/** kube_namespace_labels */
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
    if (name.startsWith(prefix) && value !== '' && value.length <= longestValue && labels.length < mostLabels)
      labels.push([name.slice(prefix.length), value])
  return labels.length === 0 ? undefined : Object.fromEntries(labels)
}
