import { recordFrom } from '../../advice/followed-advice.ts'
import { Problem } from '../../domain/problem.ts'
import type { Advice, AdvisedSize } from '../../domain/recommendation.ts'
import {
  kindNamed,
  limitRemoval,
  type PatchedContainer,
  patchOf,
  unsupportedReason,
} from '../../manifests/patches.ts'
import { componentHead, componentPatch, writeHead } from '../../manifests/write-head.ts'
import { writeDocument, writeYaml, type Yaml } from '../../manifests/yaml.ts'
import type { ContainerSizes } from '../../usage/reading/pod-usage.ts'
import type { AdviceDeps } from './deps.ts'

export const patchFormats = ['patch', 'kustomize'] as const
export type PatchFormat = (typeof patchFormats)[number]

/** As many ids as fit into a URL. */
export const mostPatched = 400

/** Parses ids that are separated by commas. */
export function parseIds(text: string): string[] {
  const ids = text.split(',').flatMap((id) => id.trim() || [])
  if (ids.length > 0 && ids.length <= mostPatched) return ids
  const message = `must be 1 to ${mostPatched} ids, separated by commas`
  throw new Problem('invalid', 'The query is invalid.', { errors: [{ pointer: '?ids', message }] })
}

/** Writes Kubernetes patches for recommendations, with the sizes that were listed or accepted. */
export async function exportPatches(
  { store }: Pick<AdviceDeps, 'store'>,
  organisation: string,
  ids: readonly string[],
  format: PatchFormat,
): Promise<string> {
  const found = (await store.recommendations.find(organisation, [...new Set(ids)])).map(recordFrom)
  if (found.length === 0) throw new Problem('not-found', 'No recommendation has these ids.')
  const all = found.map(({ advice }) => advice).filter(({ workload }) => workload !== null)
  const groups = Map.groupBy(all, ({ cluster, namespace }) => JSON.stringify([cluster, namespace]))
  refuseMixed(all, format, groups.size)
  const left = ids.length - all.length
  const pieces =
    left > 0
      ? [`# ${left} of the ids belong to machines, to clusters or to no recommendation, and have no patch.\n`]
      : []
  for (const group of groups.values()) pieces.push(...writeGroup(group, format))
  return pieces.join('')
}

/** A file is applied to one cluster, and the targets of a Kustomize component have no namespace. */
function refuseMixed(all: readonly Advice[], format: PatchFormat, namespaces: number): void {
  const message =
    new Set(all.map(({ cluster }) => cluster)).size > 1
      ? 'must belong to one cluster, because a file is applied to one cluster'
      : format === 'kustomize' && namespaces > 1
        ? 'must belong to one namespace, because a component is for one namespace'
        : undefined
  if (message === undefined) return
  throw new Problem('invalid', 'The selection cannot be exported as one file.', {
    errors: [{ pointer: '?ids', message }],
  })
}

function* writeGroup(group: readonly Advice[], format: PatchFormat): Generator<string> {
  const place = { cluster: group[0]!.cluster!, namespace: group[0]!.namespace! }
  const objects: Yaml[] = []
  const remarks: string[] = []
  for (const [workload, members] of Map.groupBy(group, (advice) => advice.workload!)) {
    const { object, remark } = workloadPatch(workload, members, place.namespace, format)
    if (remark !== undefined) remarks.push(remark)
    if (object !== undefined) objects.push(object)
  }
  yield* writeHead(format, place, { isKnown: true, changesNothing: objects.length === 0, remarks })
  if (format === 'kustomize') yield componentHead(objects.length === 0)
  for (const object of objects)
    yield format === 'kustomize' ? writeYaml([componentPatch(object)]) : writeDocument(object)
}

const scalable = new Set(['Deployment', 'StatefulSet', 'ReplicaSet', 'ReplicationController', 'Rollout'])

/** Returns an object, and a remark about what it cannot do or why there is none. */
function workloadPatch(
  workload: string,
  members: readonly Advice[],
  namespace: string,
  format: PatchFormat,
): { readonly object?: Yaml | undefined; readonly remark?: string | undefined } {
  const slash = workload.indexOf('/')
  const [kind, name] = [workload.slice(0, slash), workload.slice(slash + 1)]
  const how = kindNamed(kind)
  if (how === undefined) return { remark: `${workload} is left out: ${unsupportedReason(kind)}.` }
  if (members.some((advice) => advice.kind === 'idle'))
    return scalable.has(kind)
      ? {
          object: { apiVersion: how.apiVersion, kind, metadata: { name, namespace }, spec: { replicas: 0 } },
        }
      : { remark: `${workload} is left out: it cannot be scaled to zero.` }
  const patched = { kind, name, how, containers: members.map(patchedContainer) }
  return format === 'kustomize'
    ? { object: patchOf(patched, namespace, true) }
    : { object: patchOf(patched, namespace, false), remark: limitRemoval(patched, namespace) }
}

function patchedContainer({ container, init, current, recommended }: Advice): PatchedContainer {
  const changed = (name: 'cpu_cores' | 'memory_gib') =>
    recommended![name] === current[name] ? undefined : (recommended![name] ?? undefined)
  return {
    name: container!,
    init,
    requests: { cpu: changed('cpu_cores'), memory: changed('memory_gib') },
    recommended: sizesOf(recommended!),
    now: sizesOf(current),
  }
}

const sizesOf = (size: AdvisedSize): ContainerSizes => ({
  cpuRequest: size.cpu_cores ?? undefined,
  cpuLimit: size.cpu_limit_cores ?? undefined,
  memoryRequest: size.memory_gib ?? undefined,
  memoryLimit: size.memory_limit_gib ?? undefined,
})
