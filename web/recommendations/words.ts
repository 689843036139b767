import { cores, counted, gib } from '../parts/figures.ts'
import { addressOf } from '../state/router.ts'
import { stateWords } from './facet-words.ts'
import type { Recommendation } from './queries.ts'

/** The period of `GET /v1/recommendations`, whichever period is chosen for other figures. */
export const recommendationPeriod = 'last 14 days'

/** Names the sum of savings by the states that are listed. */
export function savingsLabel(state: string | undefined): string {
  if (state === undefined || state === 'open') return 'Possible savings'
  const only = state.includes(',') ? undefined : stateWords[state]
  return only === undefined ? 'Savings of this list' : `Savings of ${only.toLowerCase()}`
}

/** Leaves out of a container's title what its place says: "web: CPU 1 to 390m, memory 2Gi to 850Mi". */
export const shortTitle = ({ kind, title }: Pick<Recommendation, 'kind' | 'title'>): string =>
  kind === 'container' ? title.replace(/^Resize (\S+) of \S+: /, '$1: ').replaceAll(' from ', ' ') : title

/** Returns the address of the page that shows the subject of a recommendation. */
export function addressOfRecommendation(
  recommendation: Recommendation,
  kept: URLSearchParams,
): string | undefined {
  const { cluster, namespace, workload, container, machine } = recommendation
  if (machine !== null) return addressOf(['machines', machine], kept)
  if (cluster === null) return undefined
  const params = new URLSearchParams(kept)
  if (namespace === null) {
    params.set('open', recommendation.id)
    return addressOf(['recommendations'], params)
  }
  if (workload === null || container === null) return addressOf(['workloads', cluster, namespace], params)
  return addressOf(['workloads', cluster, namespace, ...workload.split('/'), container], params)
}

/** Returns text such as "production / shop / Deployment/web". */
export function placeOf({ cluster, namespace, workload, machine }: Recommendation): string {
  if (machine !== null) return `Machine ${machine}`
  if (namespace === null) return `Cluster ${cluster}`
  return [cluster, namespace, workload].filter((part) => part !== null).join(' / ')
}

/** Returns text such as "dismissed by ci: a standby". */
export function decisionWords({ state, state_changed_by: by, state_reason: reason }: Recommendation): string {
  return `${stateWords[state]!.toLowerCase()}${by === null ? '' : ` by ${by}`}${reason === null ? '' : `: ${reason}`}`
}

/** Returns text such as "2 cores, 4 GiB" or "3 x m5.xlarge, 12 cores, 48 GiB". */
export function sizeWords(size: Recommendation['current'] | null): string {
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
