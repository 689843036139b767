import { hash } from 'node:crypto'
import { hourMs } from '../../domain/time.ts'
import { knownMetrics } from '../metrics/interpret.ts'
import { AnswerTooLarge, EngineRefused, type PromqlClient } from './client.ts'
import { fetchRawSamples, type RawQuery, type RawSeries } from './raw-samples.ts'

interface CollectOptions {
  readonly fromMs: number
  readonly toMs: number
  /** PromQL matchers whose series are collected one after the other; '' for all series. */
  readonly matchers?: readonly string[]
  readonly metrics?: readonly string[]
}

/** A chunk of history, or a piece of a chunk that was too large for one response. */
interface CollectedPiece {
  readonly series: readonly RawSeries[]
  /** Everything before is collected, so a collection can resume here. It moves with the last piece of a chunk. */
  readonly doneUntilMs: number
  /** From 0 to 1. */
  readonly progress: number
}

/** Metrics that are queried together, however small the pieces: the first use of a container counts from its start. */
const together = ['container_cpu_usage_seconds_total', 'container_start_time_seconds']
const queriedMetrics = [together.join('|'), ...knownMetrics.filter((name) => !together.includes(name))]

/** Chunks of history are at most this long. This also determines how far one measure may lag behind another. */
export const chunkMs = hourMs

/**
 * Collects history in chunks, oldest first. A chunk that is too large for one query is queried in halves: first by
 * metrics, then by a metric's series, then by time. The division is remembered, so that the next chunk is divided in the
 * same way.
 */
export async function* collect(
  client: PromqlClient,
  options: CollectOptions,
): AsyncGenerator<CollectedPiece> {
  const { fromMs, toMs, matchers = [''], metrics = queriedMetrics } = options
  let groups: readonly Group[] = matchers.map((text) => ({ matchers: text, metrics, cuts: [] }))
  for (let startMs = fromMs; startMs < toMs; ) {
    const endMs = Math.min(toMs, (Math.floor(startMs / chunkMs) + 1) * chunkMs)
    const answered: Group[] = []
    for (const [index, group] of groups.entries()) {
      const pieces = fetchInPieces(client, { ...group, startMs, endMs }, answered)
      for await (const { series, last } of pieces) {
        const done = last && index === groups.length - 1
        yield {
          series,
          doneUntilMs: done ? endMs : startMs,
          progress: ((done ? endMs : startMs) - fromMs) / (toMs - fromMs),
        }
      }
    }
    groups = answered
    startMs = endMs
  }
}

type Group = Pick<RawQuery, 'matchers' | 'metrics' | 'cuts'>

/** Yields the pieces of one series in order of time. Groups that fit into one response are added to `answered`. */
async function* fetchInPieces(client: PromqlClient, whole: RawQuery, answered: Group[]) {
  const waiting = [whole]
  for (let query = waiting.shift(); query !== undefined; query = waiting.shift()) {
    try {
      const series = await fetchRawSamples(client, query)
      const { matchers, metrics, cuts } = query
      if (query.startMs === whole.startMs) answered.push({ matchers, metrics, cuts })
      yield { series, last: waiting.length === 0 }
    } catch (error) {
      if (!(error instanceof AnswerTooLarge)) throw error
      waiting.unshift(...halves(query, error))
    }
  }
}

function halves(query: RawQuery, error: AnswerTooLarge): RawQuery[] {
  const { metrics, cuts, startMs, endMs } = query
  const half = Math.ceil(metrics.length / 2)
  if (metrics.length > 1)
    return [
      { ...query, metrics: metrics.slice(0, half) },
      { ...query, metrics: metrics.slice(half) },
    ]
  if (cuts.length < maxCuts)
    return cut(metrics[0]!, cuts.length).map((side) => ({ ...query, cuts: [...cuts, side] }))
  if (endMs - startMs <= minMs)
    throw new EngineRefused(
      `${metrics[0]} cannot be queried in pieces smaller than a minute; use narrower matchers. ${error.message}`,
      { cause: error },
    )
  const middleMs = Math.ceil((startMs + endMs) / 2)
  return [
    { ...query, endMs: middleMs },
    { ...query, startMs: middleMs },
  ]
}

const minMs = 60_000

/**
 * Number of ways to cut the series of a metric in two, for engines that limit the number of series in a response. A cut is
 * a matcher on the last characters of the name of the pod, process or other object, and its negation: all series of one
 * container or process are on the same side, and every series is on exactly one side.
 */
export const maxCuts = 8

/** Returns the matchers of both halves of the next cut. */
export function cut(metric: string, cuts: number): [string, string] {
  const label = nameLabels.find(([prefix]) => metric.startsWith(prefix))![1]
  const [bit, after] = cuts < 5 ? [cuts, ''] : [cuts - 5, '.']
  const ends = [...alphabet].filter((_, place) => place & (1 << bit)).join('')
  const pattern = `".*[${ends}]${after}"`
  return [`${label}=~${pattern}`, `${label}!~${pattern}`]
}

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

/** The label that distinguishes most series of a metric, by prefix of the metric. The first match counts. */
const nameLabels = [
  ['kube_namespace_', 'namespace'],
  ['kube_replicaset_', 'replicaset'],
  ['kube_job_', 'job_name'],
  ['kube_resourcequota', 'namespace'],
  ['kube_horizontalpodautoscaler_', 'horizontalpodautoscaler'],
  ['kube_node_', 'node'],
  ['kube_service_', 'service'],
  ['kube_persistentvolumeclaim_', 'persistentvolumeclaim'],
  ['kube_persistentvolume_', 'persistentvolume'],
  ['kubelet_volume_', 'persistentvolumeclaim'],
  ['node_', 'node'],
  ['namedprocess_', 'groupname'],
  ['cheapside_process_', 'process'],
  ['cheapside_', 'vm'],
  ['', 'pod'],
] as const

/** One of several parts of an engine's series, which are collected separately. Numbers begin at 1. */
export interface CollectionPart {
  readonly number: number
  readonly count: number
}

/**
 * Returns the matchers that select a part, to be queried one after the other. All series of a namespace are in one part,
 * and those without a namespace are in the first. PromQL cannot hash, so the namespaces of the span are listed. The list
 * is empty if the part has no series.
 */
export async function partMatchers(
  client: PromqlClient,
  part: CollectionPart,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<string[]> {
  const selected: string[] = []
  const absent: string[] = []
  for (const label of namespaceLabels) {
    const names = await client.labelValues(label, fromMs, toMs)
    const members = names.filter((name) => name !== '' && partOf(name, part.count) === part.number)
    if (members.length > 0)
      selected.push([...absent, `${label}=~"${members.sort().map(quoted).join('|')}"`].join(','))
    absent.push(`${label}=""`)
  }
  return part.number === 1 ? [...selected, absent.join(',')] : selected
}

/** The first that is present counts. See exporterLabel, and heapSeries in kubernetes-labels.ts. */
const namespaceLabels = [
  'exported_namespace',
  'namespace',
  'kubernetes_namespace',
  'k8s_namespace_name',
] as const

const partOf = (namespace: string, count: number): number =>
  1 + (hash('sha256', namespace, 'buffer').readUInt32LE(0) % count)

/** Quotes a name as a literal of a regular expression within a PromQL string. */
const quoted = (name: string): string =>
  name
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
