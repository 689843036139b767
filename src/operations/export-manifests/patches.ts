import type { SizedContainer } from '../recommend-sizes/sized-container.ts'
import { nestUnder } from './kinds.ts'
import { cpuQuantity, memoryQuantity } from './quantity.ts'
import type { ManifestWorkload } from './workloads.ts'
import type { Yaml } from './yaml.ts'

/** What a patch needs to know of a container. */
export type PatchedContainer = Pick<SizedContainer, 'name' | 'init' | 'requests' | 'recommended' | 'now'>

/** The part of a workload that should change, for server-side apply and for kubectl patch; undefined where nothing should. */
export function patchOf(
  {
    kind,
    name,
    how,
    containers,
  }: Omit<ManifestWorkload, 'containers'> & { readonly containers: readonly PatchedContainer[] },
  namespace: string,
): Yaml | undefined {
  const changed = containers.filter(changes)
  if (changed.length === 0) return undefined
  const some = (init: boolean) => {
    const members = changed.filter((container) => container.init === init)
    return members.length === 0 ? undefined : members.map(containerPatch)
  }
  return {
    apiVersion: how.apiVersion,
    kind,
    metadata: { name, namespace },
    ...(nestUnder(how.podSpec, { initContainers: some(true), containers: some(false) }) as object),
  }
}

/** Only what changes: a request that stays is left to who set it. A limit goes with its request. */
function containerPatch({ name, requests, recommended, now }: PatchedContainer): Yaml {
  const limitOf = (changed: boolean, was: number | undefined, is: number | undefined) =>
    changed && was !== undefined ? is : undefined
  return {
    name,
    resources: {
      requests: resourceQuantities(requests.cpu, requests.memory),
      limits: resourceQuantities(
        limitOf(requests.cpu !== undefined, now.cpuLimit, recommended.cpuLimit),
        limitOf(requests.memory !== undefined, now.memoryLimit, recommended.memoryLimit),
      ),
    },
  }
}

const changes = ({ requests }: PatchedContainer): boolean =>
  requests.cpu !== undefined || requests.memory !== undefined

/** Undefined where there is neither. */
export function resourceQuantities(cpu: number | undefined, memory: number | undefined): Yaml | undefined {
  if (cpu === undefined && memory === undefined) return undefined
  return {
    cpu: cpu === undefined ? undefined : cpuQuantity(cpu),
    memory: memory === undefined ? undefined : memoryQuantity(memory),
  }
}
