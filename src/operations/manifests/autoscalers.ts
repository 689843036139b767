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
  return {
    objects: workloads.flatMap((workload) => {
      const policies = workload.containers.filter(({ init }) => !init).map(policyOf)
      return policies.length === 0 ? [] : [autoscalerOf(workload, sized.namespace, policies)]
    }),
    remarks,
  }
}

/** Initial: new pods get the sizes, and no running one is evicted for them. */
const autoscalerOf = ({ kind, name, how }: Workload, namespace: string, policies: readonly Yaml[]): Yaml => ({
  apiVersion: 'autoscaling.k8s.io/v1',
  kind: 'VerticalPodAutoscaler',
  metadata: { name, namespace },
  spec: {
    targetRef: { apiVersion: how.apiVersion, kind, name },
    updatePolicy: { updateMode: 'Initial' },
    resourcePolicy: { containerPolicies: policies },
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
