import type { ContainerSizes } from '../../usage/reading/pod-usage.ts'
import type { Recommendation, SubjectSize } from '../list/schema.ts'
import { manifestWorkload, type PatchedContainer, type PatchFormat, workloadPatch } from './patches.ts'
import { componentHead, componentPatch, writeHead } from './write-head.ts'
import { writeDocument, writeYaml, type Yaml } from './yaml.ts'

export function* writePatches(group: readonly Recommendation[], format: PatchFormat): Generator<string> {
  const place = { cluster: group[0]!.cluster!, namespace: group[0]!.namespace! }
  const objects: Yaml[] = []
  const remarks: string[] = []
  for (const [workload, members] of Map.groupBy(group, (recommendation) => recommendation.workload!)) {
    const { object, remark } = recommendationPatch(workload, members, place.namespace, format)
    if (remark !== undefined) remarks.push(remark)
    if (object !== undefined) objects.push(object)
  }
  yield* writeHead(format, place, { isKnown: true, changesNothing: objects.length === 0, remarks })
  if (format === 'kustomize') yield componentHead(objects.length === 0)
  for (const object of objects)
    yield format === 'kustomize' ? writeYaml([componentPatch(object)]) : writeDocument(object)
}

const scalable: ReadonlySet<string> = new Set([
  'Deployment',
  'StatefulSet',
  'ReplicaSet',
  'ReplicationController',
  'Rollout',
])

/** Returns an object, and a remark about what it cannot do or why there is none. */
function recommendationPatch(
  workload: string,
  members: readonly Recommendation[],
  namespace: string,
  format: PatchFormat,
): ReturnType<typeof workloadPatch> {
  const isIdle = members.some((recommendation) => recommendation.kind === 'idle')
  const { workload: known, remark } = manifestWorkload(workload, isIdle ? [] : members.map(patchedContainer))
  if (known === undefined) return { remark }
  if (!isIdle) return workloadPatch(known, namespace, format)
  const { kind, name, how } = known
  return scalable.has(kind)
    ? { object: { apiVersion: how.apiVersion, kind, metadata: { name, namespace }, spec: { replicas: 0 } } }
    : { remark: `${workload} is left out: it cannot be scaled to zero.` }
}

function patchedContainer({
  container,
  init,
  managed_by,
  current,
  recommended,
}: Recommendation): PatchedContainer {
  const changed = (name: 'cpu_cores' | 'memory_gib') =>
    recommended![name] === current[name] ? undefined : (recommended![name] ?? undefined)
  return {
    name: container!,
    init,
    managedBy: managed_by,
    requests: { cpu: changed('cpu_cores'), memory: changed('memory_gib') },
    recommended: sizesOf(recommended!),
    current: sizesOf(current),
  }
}

const sizesOf = (size: SubjectSize): ContainerSizes => ({
  cpuRequest: size.cpu_cores ?? undefined,
  cpuLimit: size.cpu_limit_cores ?? undefined,
  memoryRequest: size.memory_gib ?? undefined,
  memoryLimit: size.memory_limit_gib ?? undefined,
})
