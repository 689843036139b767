import { asList, asObject, asText, type Json, member } from '../terraform/json.ts'
import { parseQuantity } from './quantity.ts'

export interface ManifestResource {
  readonly address: string
  readonly kind: string
  readonly name: string
  /** Number of equal pods or volumes; undefined if it depends on the cluster or on time, for the reason given. */
  readonly count: number | undefined
  readonly why?: string
  readonly cores: number
  readonly gib: number
  readonly volume?: { readonly storageClass: string; readonly gib: number | undefined }
  readonly notes: readonly string[]
}

/** Reads the resources that take up room in a cluster from manifests. Other objects cost nothing. */
export function readWorkloads(documents: readonly unknown[]): ManifestResource[] {
  const objects = documents.flatMap(itemsOf)
  const scalers = objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')
  return objects.flatMap((object) => [...workloadOf(object, scalers), ...volumesOf(object)])
}

function itemsOf(document: unknown): Json[] {
  const object = asObject(document)
  return object.kind === 'List' ? asList(object.items).map(asObject) : [object]
}

const addressOf = (object: Json): string =>
  [
    asText(member(object, 'metadata', 'namespace')),
    asText(object.kind),
    asText(member(object, 'metadata', 'name')),
  ]
    .filter((part) => part !== '')
    .join('/')

function workloadOf(object: Json, scalers: readonly Json[]): ManifestResource[] {
  const { kind } = object
  const spec = asObject(object.spec)
  const job = kind === 'CronJob' ? asObject(member(spec, 'jobTemplate', 'spec')) : spec
  const pod = kind === 'Pod' ? spec : asObject(member(job, 'template', 'spec'))
  if (typeof kind !== 'string' || asList(pod.containers).length === 0) return []
  const { cores, gib, notes } = requestsOf(pod)
  const name = asText(member(object, 'metadata', 'name'))
  const counted = countOf(object, spec, scalers)
  return [
    { address: addressOf(object), kind, name, cores, gib, ...counted, notes: [...notes, ...counted.notes] },
  ]
}

interface Counted {
  readonly count: number | undefined
  readonly why?: string
  readonly notes: readonly string[]
}

function countOf(object: Json, spec: Json, scalers: readonly Json[]): Counted {
  if (object.kind === 'Pod') return { count: 1, notes: [] }
  if (object.kind === 'DaemonSet')
    return { count: undefined, why: 'it runs on every node; state their number with --nodes', notes: [] }
  if (object.kind === 'Job' || object.kind === 'CronJob')
    return { count: undefined, why: 'what a job costs depends on how long it runs', notes: [] }
  const scaler = scalers.find(
    (one) =>
      member(one, 'spec', 'scaleTargetRef', 'kind') === object.kind &&
      member(one, 'spec', 'scaleTargetRef', 'name') === member(object, 'metadata', 'name') &&
      member(one, 'metadata', 'namespace') === member(object, 'metadata', 'namespace'),
  )
  const bounds = asObject(scaler?.spec)
  const least = whole(bounds.minReplicas) ?? 1
  const count = whole(spec.replicas) ?? (scaler === undefined ? 1 : least)
  const most = whole(bounds.maxReplicas)
  return {
    count,
    notes:
      most === undefined ? [] : [`priced with ${count} of ${least} to ${most} replicas of its autoscaler`],
  }
}

const whole = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined

interface Requests {
  readonly cores: number
  readonly gib: number
  readonly notes: readonly string[]
}

/**
 * Adds up the requests of a pod as the scheduler does: those of all containers that run together, but at least those of
 * each init container that runs before them, with the sidecars that have started by then. A request that is not set is the
 * limit.
 */
function requestsOf(pod: Json): Requests {
  const containers = asList(pod.containers).map(asObject)
  const init = asList(pod.initContainers).map(asObject)
  const sidecars = init.filter(({ restartPolicy }) => restartPolicy === 'Always')
  const running = [...containers, ...sidecars]
  const total = (resource: string): number => {
    const overhead = parseQuantity(member(pod, 'overhead', resource)) ?? 0
    const together = running.reduce((sum, container) => sum + (requestOf(container, resource) ?? 0), 0)
    let [most, started] = [together, 0]
    for (const container of init) {
      const asked = requestOf(container, resource) ?? 0
      most = Math.max(most, started + asked)
      if (sidecars.includes(container)) started += asked
    }
    return overhead + most
  }
  const without = (resource: string): string[] =>
    running
      .filter((container) => requestOf(container, resource) === undefined)
      .map(
        (container) =>
          `${asText(container.name) || 'a container'} has no ${resource} request, which counts as 0`,
      )
  const gpus = total('nvidia.com/gpu')
  return {
    cores: total('cpu'),
    gib: total('memory') / 2 ** 30,
    notes: [
      ...without('cpu'),
      ...without('memory'),
      ...(gpus > 0 ? [`${gpus} GPUs of each pod are not included`] : []),
    ],
  }
}

const requestOf = (container: Json, resource: string): number | undefined =>
  parseQuantity(member(container, 'resources', 'requests', resource)) ??
  parseQuantity(member(container, 'resources', 'limits', resource))

/** Claims, and those that a StatefulSet makes for each of its pods. */
function volumesOf(object: Json): ManifestResource[] {
  if (object.kind === 'PersistentVolumeClaim') return [volumeOf(object, addressOf(object), 1)]
  if (object.kind !== 'StatefulSet') return []
  const count = whole(member(object, 'spec', 'replicas')) ?? 1
  return asList(member(object, 'spec', 'volumeClaimTemplates'))
    .map(asObject)
    .map((claim) =>
      volumeOf(claim, `${addressOf(object)}/${asText(member(claim, 'metadata', 'name'))}`, count),
    )
}

function volumeOf(claim: Json, address: string, count: number): ManifestResource {
  const bytes = parseQuantity(member(claim, 'spec', 'resources', 'requests', 'storage'))
  const storageClass = asText(member(claim, 'spec', 'storageClassName'))
  return {
    address,
    kind: 'PersistentVolumeClaim',
    name: asText(member(claim, 'metadata', 'name')),
    count,
    cores: 0,
    gib: 0,
    volume: { storageClass, gib: bytes === undefined ? undefined : bytes / 2 ** 30 },
    notes: [],
  }
}
