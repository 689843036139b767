import type { RequestOverrides } from '../allocation/spend.ts'
import {
  kindOfWorkload,
  nameOfWorkload,
  type PodSpecPath,
  type WorkloadKind,
  whyNotPatched,
  workloadKind,
} from '../domain/workload-kind.ts'
import type { ContainerSizes } from '../usage/reading/pod-usage.ts'
import type { ManifestFormat } from './write-head.ts'
import { cpuQuantity, memoryQuantity, type Yaml } from './yaml.ts'

/** What a patch needs to know about a container. */
export interface PatchedContainer {
  readonly name: string
  readonly init: boolean
  /** Requests that should change; an undefined one stays as it is. */
  readonly requests: RequestOverrides
  readonly recommended: ContainerSizes
  readonly current: ContainerSizes
}

/** The formats in which the changes of a workload can be written. */
export type PatchFormat = Extract<ManifestFormat, 'patch' | 'kustomize'>

/** Returns the part of a workload that should change, and a remark about what it cannot do or why there is none. */
export function workloadPatch(
  workload: ManifestWorkload,
  namespace: string,
  format: PatchFormat,
): { readonly object?: Yaml | undefined; readonly remark?: string | undefined } {
  const { kind, name, how } = workload
  const { podSpec } = how
  if (podSpec === undefined) return { remark: leftOut(`${kind}/${name}`, kind) }
  // A merge patch removes a limit that is null, while server-side apply cannot remove what others set.
  return format === 'kustomize'
    ? { object: patchOf(workload, podSpec, namespace, true) }
    : {
        object: patchOf(workload, podSpec, namespace, false),
        remark: limitRemoval(workload, podSpec, namespace),
      }
}

const leftOut = (workload: string, kind: string): string => `${workload} is left out: ${whyNotPatched(kind)}.`

/** Returns undefined if nothing should change. With `removes`, a limit to be removed is written as null. */
function patchOf(
  { kind, name, how, containers }: ManifestWorkload,
  podSpec: PodSpecPath,
  namespace: string,
  removes: boolean,
): Yaml | undefined {
  const resources = new Map(containers.map((container) => [container, changedResources(container, removes)]))
  const changed = containers.filter((container) => resources.get(container) !== undefined)
  if (changed.length === 0) return undefined
  const some = (init: boolean) => {
    const members = changed.filter((container) => container.init === init)
    return members.length === 0
      ? undefined
      : members.map((container) => ({ name: container.name, resources: resources.get(container) }))
  }
  return {
    apiVersion: how.apiVersion,
    kind,
    metadata: { name, namespace },
    ...(nestUnder(podSpec, { initContainers: some(true), containers: some(false) }) as object),
  }
}

/** Returns the command that removes CPU limits, or undefined if there are none to remove. */
function limitRemoval(
  { kind, name, containers }: ManifestWorkload,
  podSpec: PodSpecPath,
  namespace: string,
): string | undefined {
  const some = (init: boolean) => {
    const members = containers.filter((container) => container.init === init && losesLimit(container))
    if (members.length === 0) return undefined
    return members.map((container) => ({ name: container.name, resources: { limits: { cpu: null } } }))
  }
  if (!containers.some(losesLimit)) return undefined
  const patch = nestUnder(podSpec, { initContainers: some(true), containers: some(false) })
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
  return `Run this first, because server-side apply cannot remove CPU limits: kubectl -n ${quoted(namespace)} patch ${quoted(`${kind}/${name}`)} --patch ${quoted(JSON.stringify(patch))}`
}

const losesLimit = ({ current, recommended }: PatchedContainer): boolean =>
  current.cpuLimit !== undefined && recommended.cpuLimit === undefined

/**
 * Returns only what changes; a request that stays is left to the manager that set it. A limit changes with its request,
 * or on its own.
 */
function changedResources(container: PatchedContainer, removes: boolean): Yaml | undefined {
  const { requests, recommended, current } = container
  const limitOf = (changesRequest: boolean, was: number | undefined, is: number | undefined) =>
    is !== undefined && (is !== was || (changesRequest && was !== undefined)) ? is : undefined
  const limits = resourceQuantities(
    limitOf(requests.cpu !== undefined, current.cpuLimit, recommended.cpuLimit),
    limitOf(requests.memory !== undefined, current.memoryLimit, recommended.memoryLimit),
  )
  const removed = removes && losesLimit(container) ? { ...(limits as object), cpu: null } : limits
  const requested = resourceQuantities(requests.cpu, requests.memory)
  if (requested === undefined && removed === undefined) return undefined
  return { requests: requested, limits: removed }
}

/** Returns undefined if both are undefined. */
export function resourceQuantities(cpu: number | undefined, memory: number | undefined): Yaml | undefined {
  if (cpu === undefined && memory === undefined) return undefined
  return {
    cpu: cpu === undefined ? undefined : cpuQuantity(cpu),
    memory: memory === undefined ? undefined : memoryQuantity(memory),
  }
}

function nestUnder(members: readonly string[], value: Yaml): Yaml {
  return members.reduceRight<Yaml>((inner, member) => ({ [member]: inner }), value)
}

export interface ManifestWorkload<Container extends PatchedContainer = PatchedContainer> {
  readonly kind: string
  readonly name: string
  readonly how: WorkloadKind
  readonly containers: readonly Container[]
}

/** Returns the workload to which containers belong, or a remark on why it cannot be written. */
export function manifestWorkload<Container extends PatchedContainer>(
  /** "Kind/name". */
  workload: string,
  containers: readonly Container[],
): { readonly workload?: ManifestWorkload<Container>; readonly remark?: string } {
  const [kind, name] = [kindOfWorkload(workload), nameOfWorkload(workload)]
  const how = workloadKind(kind)
  return how === undefined
    ? { remark: leftOut(workload, kind) }
    : { workload: { kind, name, how, containers } }
}
