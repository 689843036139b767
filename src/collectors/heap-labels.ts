import type { HeapMeaning } from '../domain/usage-series.ts'
import type { MetricRule } from './metric-rules.ts'
import type { SeriesLabels } from './series-labels.ts'

/**
 * Memory of a Java virtual machine, as Micrometer (area, id), the Prometheus client (area, pool) and OpenTelemetry (jvm_memory_type,
 * jvm_memory_pool_name) label it. The application is scraped itself, so that the labels of its pod are those of the target.
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
