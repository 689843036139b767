import { encodeRequest, type SeriesToWrite } from '../src/ingest/remote-write/encode.case.ts'
import type { RunningService } from './service.ts'

export const hourMs = 3_600_000
export const gib = 2 ** 30

/** A container of a synthetic cluster with constant or repeating usage, as Prometheus would report it. */
export interface PushedContainer {
  readonly cluster?: string
  readonly namespace?: string
  readonly pod: string
  readonly container?: string
  /** Kind/name of the pod's owner. The pod of a Deployment is owned by its ReplicaSet. */
  readonly owner?: string
  readonly node?: string
  /** A constant value, or values that repeat, each for five minutes. */
  readonly cores: number | readonly number[]
  readonly gib: number | readonly number[]
  readonly requests?: { readonly cpu?: number; readonly memoryGib?: number }
  readonly limits?: { readonly cpu?: number; readonly memoryGib?: number }
  /** Kills by the kernel's out-of-memory killer, all in the last hour. */
  readonly oomKills?: number
}

export interface PushedNode {
  readonly cluster?: string
  readonly name: string
  readonly cores: number
  readonly gib: number
  readonly labels?: Readonly<Record<string, string>>
}

/** A period, including both ends, with a sample every five minutes unless `everyMs` is given. */
export interface Window {
  readonly fromMs: number
  readonly toMs: number
  readonly everyMs?: number
}

const stepMs = 300_000

export function containerSeries(
  of: PushedContainer,
  { fromMs, toMs, everyMs = stepMs }: Window,
): SeriesToWrite[] {
  const { cluster = 'c1', namespace = 'shop', container = 'app', pod, owner = 'Deployment/web' } = of
  const times: number[] = []
  for (let time = fromMs; time <= toMs; time += everyMs) times.push(time)
  const one = (name: string, labels: Record<string, string>, value: number | ((timeMs: number) => number)) =>
    seriesOf(
      name,
      { cluster, ...labels },
      times.map((timeMs) => ({ timeMs, value: typeof value === 'number' ? value : value(timeMs) })),
    )
  const place = { namespace, pod, container }
  const resource = (metric: string, sizes: PushedContainer['requests'] = {}) => [
    ...(sizes.cpu === undefined ? [] : [one(metric, { ...place, resource: 'cpu', unit: 'core' }, sizes.cpu)]),
    ...(sizes.memoryGib === undefined
      ? []
      : [one(metric, { ...place, resource: 'memory', unit: 'byte' }, sizes.memoryGib * gib)]),
  ]
  const [kind, name] = owner.split('/') as [string, string]
  const replicaSet = kind === 'Deployment' ? `${name}-7c9` : undefined
  return [
    ...(replicaSet === undefined
      ? []
      : [
          one(
            'kube_replicaset_owner',
            { namespace, replicaset: replicaSet, owner_kind: kind, owner_name: name },
            1,
          ),
        ]),
    one(
      'kube_pod_owner',
      { namespace, pod, owner_kind: replicaSet ? 'ReplicaSet' : kind, owner_name: replicaSet ?? name },
      1,
    ),
    one('kube_pod_info', { namespace, pod, node: of.node ?? 'n1' }, 1),
    ...resource('kube_pod_container_resource_requests', of.requests),
    ...resource('kube_pod_container_resource_limits', of.limits),
    one('container_cpu_usage_seconds_total', place, (timeMs) => secondsUsed(of.cores, timeMs - fromMs)),
    one(
      'container_memory_working_set_bytes',
      place,
      (timeMs) => at(of.gib, (timeMs - fromMs) / stepMs) * gib,
    ),
    ...(of.oomKills === undefined
      ? []
      : [
          one('container_oom_events_total', place, (timeMs) =>
            timeMs > toMs - hourMs / 2 ? of.oomKills! : 0,
          ),
        ]),
  ]
}

const at = (value: number | readonly number[], step: number): number =>
  typeof value === 'number' ? value : value[step % value.length]!

function secondsUsed(cores: number | readonly number[], ms: number): number {
  if (typeof cores === 'number') return (ms / 1000) * cores
  let sum = 0
  for (let step = 0; step < ms / stepMs; step++) sum += at(cores, step) * (stepMs / 1000)
  return sum
}

export function nodeSeries(
  { cluster = 'c1', name, cores, gib: memory, labels = {} }: PushedNode,
  atMs: number,
) {
  const one = (metric: string, more: Record<string, string>, value: number) =>
    seriesOf(metric, { cluster, node: name, ...more }, [{ timeMs: atMs, value }])
  return [
    one('kube_node_status_capacity', { resource: 'cpu', unit: 'core' }, cores),
    one('kube_node_status_capacity', { resource: 'memory', unit: 'byte' }, memory * gib),
    ...(Object.keys(labels).length === 0 ? [] : [one('kube_node_labels', labels, 1)]),
  ]
}

export const seriesOf = (
  name: string,
  labels: Readonly<Record<string, string>>,
  samples: SeriesToWrite['samples'],
): SeriesToWrite => ({
  labels: Object.entries({ __name__: name, ...labels }).sort(([a], [b]) => (a < b ? -1 : 1)),
  samples,
})

export async function push(
  service: Pick<RunningService, 'request'>,
  key: string,
  series: readonly SeriesToWrite[],
): Promise<void> {
  const answer = await service.request('/api/v1/write', {
    method: 'POST',
    key,
    body: encodeRequest(series),
    headers: {
      'content-type': 'application/x-protobuf',
      'content-encoding': 'snappy',
      'x-prometheus-remote-write-version': '0.1.0',
    },
  })
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`)
}
