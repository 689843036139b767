import type { SizedContainer } from '../recommend-sizes/sized-container.ts'
import type { SizedNamespace } from '../recommend-sizes/sized-namespace.ts'
import { recommendedQuota } from '../recommend-sizes/totals.ts'
import { cpuQuantity, memoryQuantity } from './quantity.ts'
import type { Yaml } from './yaml.ts'

const quotaName = 'cheapside'

/**
 * A quota on limits turns away every pod that has none, and one on requests every pod without a request: the first is taken
 * where all containers have a limit, else the second where all have a request.
 */
export function quota({ namespace, containers }: SizedNamespace): {
  readonly objects: readonly Yaml[]
  readonly remarks: readonly string[]
} {
  const recommended = recommendedQuota(containers)
  const remarks: string[] = []
  const hard: Record<string, string> = {}
  const on = (resource: 'cpu' | 'memory', quantity: string): void => {
    const all = (kind: 'Limit' | 'Request') =>
      containers.every((container) => sizeOf(container, `${resource}${kind}`) !== undefined)
    if (all('Limit')) hard[`limits.${resource}`] = quantity
    else if (all('Request')) hard[`requests.${resource}`] = quantity
    else
      remarks.push(
        `No quota on ${resource}: a container has no ${resource} request and would be turned away.`,
      )
  }
  if (containers.length > 0) {
    on('cpu', cpuQuantity(recommended.cpu))
    on('memory', memoryQuantity(recommended.memory))
  }
  const objects = Object.keys(hard).length === 0 ? [] : [resourceQuota(namespace, hard)]
  return { objects, remarks }
}

const resourceQuota = (namespace: string, hard: Record<string, string>): Yaml => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: quotaName, namespace },
  spec: { hard },
})

const sizeOf = (
  { recommended }: SizedContainer,
  name: 'cpuLimit' | 'cpuRequest' | 'memoryLimit' | 'memoryRequest',
): number | undefined => recommended[name]
