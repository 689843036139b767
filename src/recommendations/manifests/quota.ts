import { maxReplicas, ReplicasSum } from '../../costs/allocation/totals.ts'
import { cpuQuantity, mebibytesOf, memoryQuantity, millicoresOf } from '../../domain/quantity.ts'
import type { ContainerSizes } from '../../usage/reading/pod-usage.ts'
import type { SizedContainer } from '../containers/namespace-draft.ts'
import type { Yaml } from './yaml.ts'

const quotaName = 'cheapside'

/**
 * The quota of a namespace. A quota on limits rejects every pod that has no limit, and a quota on requests every pod that
 * has no request. Limits are used if all containers have one, otherwise requests if all containers have one.
 */
export class NamespaceQuota {
  readonly #missing = new Set<keyof ContainerSizes>()
  readonly #sums = {
    cpuLimit: new ReplicasSum(rolloutReplicas),
    cpuRequest: new ReplicasSum(rolloutReplicas),
    memoryLimit: new ReplicasSum(rolloutReplicas),
    memoryRequest: new ReplicasSum(rolloutReplicas),
  }
  #hasUnpatched = false

  /** A container that no patch changes keeps its current sizes until somebody changes what creates it. */
  add(container: SizedContainer, isPatched: boolean): void {
    if (!isPatched) this.#hasUnpatched = true
    for (const name of sizeNames) {
      const [current, recommended] = [container.current[name], container.recommended[name]]
      if (recommended === undefined || (!isPatched && current === undefined)) this.#missing.add(name)
      else
        this.#sums[name].add(
          container,
          asPatched(name, isPatched ? recommended : Math.max(current!, recommended)),
        )
    }
  }

  manifestOf(namespace: string): { readonly objects: readonly Yaml[]; readonly remarks: readonly string[] } {
    const remarks: string[] = []
    const hard: Record<string, string> = {}
    for (const resource of ['cpu', 'memory'] as const) {
      const quantity = resource === 'cpu' ? cpuQuantity : memoryQuantity
      const [limit, request] = [`${resource}Limit`, `${resource}Request`] as const
      if (!this.#missing.has(limit)) hard[`limits.${resource}`] = quantity(this.#sums[limit].total)
      else if (!this.#missing.has(request)) hard[`requests.${resource}`] = quantity(this.#sums[request].total)
      else
        remarks.push(`No quota on ${resource}: a container has no ${resource} request and would be rejected.`)
    }
    if (Object.keys(hard).length === 0) return { objects: [], remarks }
    const explained = [remarkOnRollouts, ...(this.#hasUnpatched ? [remarkOnUnpatched] : []), ...remarks]
    return { objects: [resourceQuota(namespace, hard)], remarks: explained }
  }
}

/**
 * During a rollout a Deployment starts a quarter more pods, rounded up, before it stops old ones, unless its strategy says
 * otherwise.
 */
function rolloutReplicas(container: Parameters<typeof maxReplicas>[0]): number {
  const replicas = maxReplicas(container)
  return replicas + Math.ceil(replicas / 4)
}

const remarkOnRollouts =
  'The quota is for the recommended sizes of all replicas and a quarter more of each workload, at least one, so that a rollout can start pods before it stops the old ones.'

const remarkOnUnpatched =
  'Workloads that patches leave out count with their current sizes where these are larger than the recommended ones.'

const asPatched = (name: keyof ContainerSizes, size: number): number =>
  name === 'cpuLimit' || name === 'cpuRequest' ? millicoresOf(size) / 1000 : mebibytesOf(size) / 1024

const sizeNames = ['cpuLimit', 'cpuRequest', 'memoryLimit', 'memoryRequest'] as const

const resourceQuota = (namespace: string, hard: Record<string, string>): Yaml => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: quotaName, namespace },
  spec: { hard },
})
