import { type HardQuota, rolloutMargin } from '../allocation/totals.ts'
import type { SizedContainer } from '../namespace-sizes/namespace-draft.ts'
import type { ContainerSizes } from '../usage/reading/pod-usage.ts'
import { cpuQuantity, memoryQuantity, type Yaml } from './yaml.ts'

const quotaName = 'cheapside'

/**
 * A quota on limits rejects every pod that has no limit, and a quota on requests every pod that has no request. Limits
 * are used if all containers have one, otherwise requests if all containers have one.
 */
export class QuotaChoice {
  /** Sizes that at least one container lacks. */
  readonly #missing = new Set<keyof ContainerSizes>()

  add({ recommended }: SizedContainer): void {
    for (const name of sizeNames) if (recommended[name] === undefined) this.#missing.add(name)
  }

  choose(namespace: string, containers: number, recommended: HardQuota): Chosen {
    const remarks: string[] = []
    const hard: Record<string, string> = {}
    const on = (resource: 'cpu' | 'memory', quantity: string): void => {
      if (!this.#missing.has(`${resource}Limit`)) hard[`limits.${resource}`] = quantity
      else if (!this.#missing.has(`${resource}Request`)) hard[`requests.${resource}`] = quantity
      else
        remarks.push(`No quota on ${resource}: a container has no ${resource} request and would be rejected.`)
    }
    if (containers > 0) {
      on('cpu', cpuQuantity(recommended.cpu))
      on('memory', memoryQuantity(recommended.memory))
    }
    if (Object.keys(hard).length === 0) return { objects: [], remarks }
    return { objects: [resourceQuota(namespace, hard)], remarks: [remarkOnMargin(), ...remarks] }
  }
}

const remarkOnMargin = (): string =>
  `The quota is ${Math.round(100 * (rolloutMargin - 1))}% more than the recommended sizes of all replicas, so that a rollout can start new pods before it stops old ones.`

interface Chosen {
  readonly objects: readonly Yaml[]
  readonly remarks: readonly string[]
}

const sizeNames = ['cpuLimit', 'cpuRequest', 'memoryLimit', 'memoryRequest'] as const

const resourceQuota = (namespace: string, hard: Record<string, string>): Yaml => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: quotaName, namespace },
  spec: { hard },
})
