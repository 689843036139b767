import { cpuQuantity, memoryQuantity } from '../../domain/quantity.ts'
import {
  kindOfWorkload,
  nameOfWorkload,
  type PodSpecPath,
  type WorkloadKind,
  whyNotPatched,
  workloadKind,
} from '../../domain/subject.ts'
import type { SizedContainer } from '../containers/namespace-draft.ts'
import { containerOwner, type OwnerRule } from './container-owner.ts'
import type { ManifestFormat } from './write-head.ts'
import type { Yaml } from './yaml.ts'

export type PatchedContainer = Pick<
  SizedContainer,
  'name' | 'init' | 'managedBy' | 'requests' | 'recommended' | 'current'
>

export type PatchFormat = Extract<ManifestFormat, 'patch' | 'kustomize'>

/**
 * Returns the part of a workload that should change, and a remark about what it cannot do or why there is none. Containers
 * that others inject are left out, because the API server refuses a patch with containers that the workload does not have.
 */
export function workloadPatch(
  workload: ManifestWorkload,
  namespace: string,
  format: PatchFormat,
): { readonly object?: Yaml | undefined; readonly remark?: string | undefined } {
  const { kind, name, how } = workload
  const { podSpec } = how
  if (podSpec === undefined) return { remark: leftOut(`${kind}/${name}`, kind) }
  const { manager, own, foreign } = byOwner(workload, namespace)
  if (manager !== undefined) return { remark: `${kind}/${name} is left out: ${manager} manages it.` }
  const changed = { ...workload, containers: own }
  // A merge patch removes a limit that is null, while server-side apply cannot remove what others set.
  const removes = format === 'kustomize'
  const remarks = [
    ...(removes ? [] : [limitRemoval(changed, podSpec, namespace)]),
    ...foreign.map(({ container, rule }) => injectedRemark(workload, container, rule)),
  ].filter((remark) => remark !== undefined)
  return {
    object: patchOf(changed, podSpec, namespace, removes, annotationsOf(foreign)),
    remark: remarks.length === 0 ? undefined : remarks.join(' '),
  }
}

interface ForeignContainer {
  readonly container: PatchedContainer
  readonly rule: OwnerRule
}

function byOwner({ kind, name, containers }: ManifestWorkload, namespace: string) {
  const own: PatchedContainer[] = []
  const foreign: ForeignContainer[] = []
  for (const container of containers) {
    const rule = containerOwner({ ...container, namespace, workload: `${kind}/${name}` })
    if (rule !== undefined && !rule.isInjected) return { manager: rule.owner, own, foreign }
    if (rule === undefined) own.push(container)
    else foreign.push({ container, rule })
  }
  return { manager: undefined, own, foreign }
}

function injectedRemark(
  { kind, name: workload }: ManifestWorkload,
  { name }: PatchedContainer,
  { owner, annotations, isOfUser }: OwnerRule,
): string {
  const how = annotations === undefined ? 'change its size there' : 'its annotations set its size'
  const does = isOfUser ? 'sets its size' : 'injects it'
  return `Container ${name} of ${kind}/${workload} is left out: ${owner} ${does}; ${how}.`
}

/** Annotations set the proxy and not the containers that prepare it, which end before. */
function annotationsOf(foreign: readonly ForeignContainer[]): Readonly<Record<string, string>> | undefined {
  const entries = foreign.flatMap(({ container, rule }) => {
    const { annotations } = rule
    if (annotations === undefined || container.init) return []
    const { requests, limits } = (changedResources(container, false) ?? {}) as {
      readonly requests?: { readonly cpu?: string; readonly memory?: string }
      readonly limits?: { readonly cpu?: string; readonly memory?: string }
    }
    return [
      [annotations.cpuRequest, requests?.cpu],
      [annotations.memoryRequest, requests?.memory],
      [annotations.cpuLimit, limits?.cpu],
      [annotations.memoryLimit, limits?.memory],
    ].filter((entry): entry is [string, string] => entry[1] !== undefined)
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

const leftOut = (workload: string, kind: string): string => `${workload} is left out: ${whyNotPatched(kind)}.`

function patchOf(
  { kind, name, how, containers }: ManifestWorkload,
  podSpec: PodSpecPath,
  namespace: string,
  removes: boolean,
  annotations: Readonly<Record<string, string>> | undefined,
): Yaml | undefined {
  const resources = new Map(containers.map((container) => [container, changedResources(container, removes)]))
  const changed = containers.filter((container) => resources.get(container) !== undefined)
  if (changed.length === 0 && annotations === undefined) return undefined
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
    ...(nestUnder(podSpec.slice(0, -1), {
      metadata: annotations && { annotations },
      spec: changed.length === 0 ? undefined : { initContainers: some(true), containers: some(false) },
    }) as object),
  }
}

function limitRemoval({ kind, name, containers }: ManifestWorkload, podSpec: PodSpecPath, namespace: string) {
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
