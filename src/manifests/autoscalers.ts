import type { SizedContainer } from '../namespace-sizes/namespace-draft.ts'
import { type ManifestWorkload, resourceQuantities } from './patches.ts'
import type { Yaml } from './yaml.ts'

/**
 * Names the VerticalPodAutoscalers after their workloads. If workloads of several kinds share a name, the kind is
 * added, so that none overwrites another.
 */
export function autoscalerNames(workloads: readonly Pick<ManifestWorkload, 'kind' | 'name'>[]): string[] {
  const alike = Map.groupBy(workloads, ({ name }) => name)
  const taken = new Set(alike.keys())
  return workloads.map(({ kind, name }) => {
    if (alike.get(name)!.length === 1) return name
    let own = `${name}-${kind.toLowerCase()}`
    while (taken.has(own)) own = `${own}-vpa`
    taken.add(own)
    return own
  })
}

/**
 * Returns a VerticalPodAutoscaler that stays within our bounds, without its name, or undefined if there are only init
 * containers, which it cannot scale. In mode Initial, new pods get the sizes and no running pod is evicted.
 */
export function verticalAutoscaler({
  kind,
  name,
  how,
  containers,
}: ManifestWorkload<SizedContainer>): Yaml | undefined {
  const scaled = containers.filter(({ init }) => !init)
  if (scaled.length === 0) return undefined
  return {
    apiVersion: 'autoscaling.k8s.io/v1',
    kind: 'VerticalPodAutoscaler',
    metadata: {},
    spec: {
      targetRef: { apiVersion: how.apiVersion, kind, name },
      updatePolicy: { updateMode: 'Initial' },
      resourcePolicy: { containerPolicies: scaled.map(policyOf) },
    },
  }
}

/**
 * A container without a recommendation is left alone. Limits change with requests only if limits are set. A resource by
 * whose utilisation the number of replicas is set is left out, because both autoscalers would work against each other.
 */
function policyOf({ name, advised, lower, upper, current, autoscaledBy }: SizedContainer): Yaml {
  const resources = (['cpu', 'memory'] as const).filter(
    (resource) => advised[resource] && !autoscaledBy.includes(resource),
  )
  if (resources.length === 0) return { containerName: name, mode: 'Off' }
  const limited = current.cpuLimit !== undefined || current.memoryLimit !== undefined
  return {
    containerName: name,
    controlledResources: resources,
    controlledValues: limited ? 'RequestsAndLimits' : 'RequestsOnly',
    minAllowed: resourceQuantities(lower.cpuRequest, lower.memoryRequest),
    maxAllowed: resourceQuantities(upper.cpuRequest, upper.memoryRequest),
  }
}
