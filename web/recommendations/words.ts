import { cores, counted, gib } from '../parts/figures.ts'
import { addressOf } from '../state/router.ts'
import { stateWords } from './facet-words.ts'
import type { Advice, AdvicePage } from './queries.ts'

/** The period of `GET /v1/recommendations`, whichever period is chosen for other figures. */
export const advicePeriod = 'last 14 days'

/** The number of recommendations that are in the sum of savings. Those for nodes of clusters are summed apart. */
export function summedCount({ totals, facets }: Pick<AdvicePage, 'totals' | 'facets'>): string {
  const clusters =
    totals.nodes_per_month === 0 ? 0 : (facets.kind.find(({ value }) => value === 'cluster')?.count ?? 0)
  return counted(totals.count - clusters, 'recommendation')
}

/** Returns the address of the page that shows the subject of a recommendation. */
export function addressOfAdvice(advice: Advice, kept: URLSearchParams): string | undefined {
  const { cluster, namespace, workload, container, machine } = advice
  if (machine !== null) return addressOf(['machines', machine], kept)
  if (cluster === null) return undefined
  const params = new URLSearchParams(kept)
  if (namespace === null) {
    params.set('cluster', cluster)
    return addressOf(['workloads'], params)
  }
  if (workload !== null && container !== null) params.set('container', `${workload}/${container}`)
  return addressOf(['workloads', cluster, namespace], params)
}

/** Returns text such as "production / shop / Deployment/web". */
export function placeOf({ cluster, namespace, workload, machine }: Advice): string {
  if (machine !== null) return `Machine ${machine}`
  if (namespace === null) return `Cluster ${cluster}`
  return [cluster, namespace, workload].filter((part) => part !== null).join(' / ')
}

/** Returns text such as "dismissed by ci: a standby". */
export function decisionWords({ state, state_changed_by: by, state_reason: reason }: Advice): string {
  return `${stateWords[state]!.toLowerCase()}${by === null ? '' : ` by ${by}`}${reason === null ? '' : `: ${reason}`}`
}

/** Returns text such as "2 cores, 4 GiB" or "3 x m5.xlarge, 12 cores, 48 GiB". */
export function sizeWords(size: Advice['current'] | null): string {
  if (size === null) return 'none'
  const { nodes, instance_type } = size
  const type =
    nodes === undefined
      ? instance_type
      : instance_type === null
        ? counted(nodes, 'node')
        : `${nodes} x ${instance_type}`
  const parts = [
    ...(type === null ? [] : [type]),
    ...(size.cpu_cores === null ? [] : [cores(size.cpu_cores)]),
    ...(size.memory_gib === null ? [] : [gib(size.memory_gib)]),
  ]
  return parts.join(', ') || '–'
}
