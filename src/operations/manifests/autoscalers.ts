import type { SizedContainer } from '../recommend-sizes/sized-container.ts'
import type { SizedNamespace } from '../recommend-sizes/sized-namespace.ts'
import { quantities } from './patches.ts'
import { type Workload, workloadsOf } from './workloads.ts'
import type { Yaml } from './yaml.ts'

/** Of each workload a VerticalPodAutoscaler that stays within our bounds. Init containers are none of its business. */
export function verticalAutoscalers(sized: SizedNamespace): {
  readonly objects: readonly Yaml[]
  readonly remarks: readonly string[]
} {
  const { workloads, remarks } = workloadsOf(sized)
  const scaled = workloads.filter(({ containers }) => containers.some(({ init }) => !init))
  const names = namesOf(scaled)
  return {
    objects: scaled.map((workload, i) =>
      autoscalerOf(workload, { name: names[i]!, namespace: sized.namespace }),
    ),
    remarks,
  }
}

/** That of its workload; with the kind where workloads of several kinds share it, so that none overwrites another. */
function namesOf(workloads: readonly Workload[]): string[] {
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

/** Initial: new pods get the sizes, and no running one is evicted for them. */
const autoscalerOf = (
  { kind, name, how, containers }: Workload,
  metadata: { readonly name: string; readonly namespace: string },
): Yaml => ({
  apiVersion: 'autoscaling.k8s.io/v1',
  kind: 'VerticalPodAutoscaler',
  metadata,
  spec: {
    targetRef: { apiVersion: how.apiVersion, kind, name },
    updatePolicy: { updateMode: 'Initial' },
    resourcePolicy: { containerPolicies: containers.filter(({ init }) => !init).map(policyOf) },
  },
})

/** Without advice the container is left alone. Limits move with requests only where there are limits. */
function policyOf({ name, advised, lower, upper, now }: SizedContainer): Yaml {
  const resources = [...(advised.cpu ? ['cpu'] : []), ...(advised.memory ? ['memory'] : [])]
  if (resources.length === 0) return { containerName: name, mode: 'Off' }
  const limited = now.cpuLimit !== undefined || now.memoryLimit !== undefined
  return {
    containerName: name,
    controlledResources: resources,
    controlledValues: limited ? 'RequestsAndLimits' : 'RequestsOnly',
    minAllowed: quantities(lower.cpuRequest, lower.memoryRequest),
    maxAllowed: quantities(upper.cpuRequest, upper.memoryRequest),
  }
}
