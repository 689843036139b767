import type { ContainerSizes } from '../../usage/reading/pod-usage.ts'
import type { SizedContainer } from '../containers/namespace-draft.ts'
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
 * A container without a recommendation, or whose size others set, is left alone. A resource by whose utilisation the number of replicas is set is left
 * out, because both autoscalers would work against each other.
 */
function policyOf(container: SizedContainer): Yaml {
  const { name, advised, lower, upper, autoscaledBy } = container
  const resources = (['cpu', 'memory'] as const).filter(
    (resource) => advised[resource] && !autoscaledBy.includes(resource),
  )
  if (resources.length === 0 || container.managedBy !== undefined) return { containerName: name, mode: 'Off' }
  return {
    containerName: name,
    controlledResources: resources,
    controlledValues: changesLimits(container) ? 'RequestsAndLimits' : 'RequestsOnly',
    minAllowed: resourceQuantities(lower.cpuRequest, lower.memoryRequest),
    maxAllowed: resourceQuantities(upper.cpuRequest, upper.memoryRequest),
  }
}

/**
 * The autoscaler keeps the proportion of a limit to its request. Limits stay as they are if one would become too low, unless
 * another must be raised.
 */
function changesLimits({ current, recommended, lower }: SizedContainer): boolean {
  const limits = limitNames.filter(({ limit }) => current[limit] !== undefined)
  if (limits.length === 0) return false
  if (limits.some(({ limit }) => (recommended[limit] ?? 0) > current[limit]!)) return true
  return limits.every(({ request, limit }) => {
    // A request that is not set equals the limit.
    const proportion = current[limit]! / (current[request] || current[limit]!)
    return [recommended, lower].every(
      (sizes) => (sizes[limit] ?? 0) - (sizes[request] ?? 0) * proportion <= roundedBy,
    )
  })
}

const limitNames = [
  { request: 'cpuRequest', limit: 'cpuLimit' },
  { request: 'memoryRequest', limit: 'memoryLimit' },
] as const satisfies readonly Record<'request' | 'limit', keyof ContainerSizes>[]

/** Sizes are rounded up to a thousandth of a core and to 1/1024 GiB. */
const roundedBy = 0.002
