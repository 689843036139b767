import { knownMetrics } from '../interpret.ts'
import type { PromqlClient } from './client.ts'
import { AnswerTooLarge, EngineRefused } from './errors.ts'
import { fetchRawSamples, type RawQuery, type RawSeries } from './raw-samples.ts'

interface CollectOptions {
  readonly fromMs: number
  readonly toMs: number
  /** PromQL matchers whose series are collected one after the other; '' for all series. */
  readonly matchers?: readonly string[]
  readonly metrics?: readonly string[]
}

/** One piece of history, or of a chunk of it that was too large for one answer. */
interface CollectedPiece {
  readonly series: readonly RawSeries[]
  /** Everything before this is collected: where to resume; it moves with the last piece of a chunk. */
  readonly doneUntilMs: number
  /** From 0 to 1. */
  readonly progress: number
}

/** Chunks of history are at most this long; how late one measure may be behind another rests on it. */
export const chunkMs = 3_600_000

/**
 * Collects history in chunks, oldest first. A chunk that the engine or its answer's size does not allow at once is asked for in
 * halves: of the metrics first, then of a metric's series, then of the time. How it went is remembered, so that the next chunk is
 * cut the same way.
 */
export async function* collect(
  client: PromqlClient,
  options: CollectOptions,
): AsyncGenerator<CollectedPiece> {
  const { fromMs, toMs, matchers = [''], metrics = knownMetrics } = options
  let groups: readonly Group[] = matchers.map((own) => ({ matchers: own, metrics, cuts: [] }))
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

/** What one query requests. */
type Group = Pick<RawQuery, 'matchers' | 'metrics' | 'cuts'>

/** Pieces of one series come in order of time. `answered` gets what fits into one answer. */
async function* fetchInPieces(
  client: PromqlClient,
  whole: RawQuery,
  answered: Group[],
): AsyncGenerator<{ series: RawSeries[]; last: boolean }> {
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
  if (endMs - startMs <= leastMs)
    throw new EngineRefused(
      `${metrics[0]} cannot be asked for in smaller pieces than a minute; narrow the matchers. ${error.message}`,
      { cause: error },
    )
  const middleMs = Math.ceil((startMs + endMs) / 2)
  return [
    { ...query, endMs: middleMs },
    { ...query, startMs: middleMs },
  ]
}

const leastMs = 60_000

/**
 * Ways to cut the series of a metric in two, for engines that limit how many one answer may hold: matchers on how the name of
 * what they tell of ends, and on how it does not. All series of one container or process fall on the same side, and every
 * series on one.
 */
export const maxCuts = 8

/** The two halves of the next cut. */
export function cut(metric: string, cuts: number): [string, string] {
  const label = nameLabels.find(([prefix]) => metric.startsWith(prefix))![1]
  const [bit, after] = cuts < 5 ? [cuts, ''] : [cuts - 5, '.']
  const ends = [...alphabet].filter((_, place) => place & (1 << bit)).join('')
  const pattern = `".*[${ends}]${after}"`
  return [`${label}=~${pattern}`, `${label}!~${pattern}`]
}

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

/** The label that distinguishes most series of a metric; the first match. */
const nameLabels = [
  ['kube_namespace_', 'namespace'],
  ['kube_replicaset_', 'replicaset'],
  ['kube_job_', 'job_name'],
  ['kube_resourcequota', 'namespace'],
  ['kube_horizontalpodautoscaler_', 'horizontalpodautoscaler'],
  ['kube_node_', 'node'],
  ['node_', 'node'],
  ['namedprocess_', 'groupname'],
  ['cheapside_process_', 'process'],
  ['cheapside_', 'vm'],
  ['', 'pod'],
] as const
