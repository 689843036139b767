import type { SeriesMeaning } from '../../domain/usage-series.ts'
import { EngineRefused, type PromqlClient } from './client.ts'

/** A series with its raw samples, ascending. */
export interface RawSeries {
  readonly labels: readonly (readonly [string, string])[]
  readonly timesMs: Float64Array
  readonly values: Float64Array
}

export interface RawQuery {
  readonly metrics: readonly string[]
  /** Matchers that select a part of the metric's series; empty for all series. */
  readonly cuts: readonly string[]
  /** Further matchers, as PromQL: cluster="production",namespace!="test". */
  readonly matchers: string
  readonly startMs: number
  readonly endMs: number
}

/**
 * Fetches the samples themselves, not points of a grid: an instant query for a range vector returns every sample with its
 * own time, in every engine, so that digests are the same as if the samples had been pushed. Engines differ in whether
 * both ends are included: adjoining queries may return a sample twice but never omit one, and a sample that was accepted
 * once does not count again.
 */
export async function fetchRawSamples(client: PromqlClient, query: RawQuery): Promise<RawSeries[]> {
  const { metrics, cuts, matchers, startMs, endMs } = query
  const selector = [`__name__=~"${metrics.join('|')}"`, ...cuts, matchers]
    .filter((part) => part !== '')
    .join(',')
  const data = await client.ask('/api/v1/query', {
    query: `{${selector}}[${Math.ceil(endMs - startMs)}ms]`,
    time: String(endMs / 1000),
    ...wholeAndRaw,
  })
  const { resultType, result } = (data ?? {}) as { resultType?: string; result?: MatrixItem[] }
  if (resultType !== 'matrix' || !Array.isArray(result))
    throw new EngineRefused(`not a PromQL engine: the answer is of type ${resultType}`)
  return result.map(rawSeries)
}

/**
 * Partial results are not accepted, because an hour without the samples of an unavailable node would never be queried again.
 * Downsampled values are not accepted, because they are not samples.
 * thanos.io/tip/components/query.md, docs.victoriametrics.com/victoriametrics/cluster-victoriametrics/#cluster-availability;
 * other engines ignore parameters that they do not know.
 */
const wholeAndRaw = { partial_response: 'false', max_source_resolution: '0s', deny_partial_response: '1' }

interface MatrixItem {
  readonly metric: Readonly<Record<string, string>>
  readonly values?: readonly (readonly [number, string])[]
}

function rawSeries({ metric, values = [] }: MatrixItem): RawSeries {
  const timesMs = new Float64Array(values.length)
  const numbers = new Float64Array(values.length)
  for (let index = 0; index < values.length; index++) {
    const [seconds, value] = values[index]!
    timesMs[index] = Math.round(seconds * 1000)
    numbers[index] = toNumber(value)
  }
  return { labels: Object.entries(metric), timesMs, values: numbers }
}

/** Engines write +Inf, -Inf and NaN in addition to what Number parses. */
function toNumber(text: string): number {
  const value = Number(text)
  if (!Number.isNaN(value)) return value
  return text === '+Inf' ? Number.POSITIVE_INFINITY : text === '-Inf' ? Number.NEGATIVE_INFINITY : Number.NaN
}

/** A queried series whose meaning is known. */
export interface QueriedSeries {
  readonly raw: RawSeries
  readonly meaning: SeriesMeaning
  /** The same value for all series of a container or process, and a different one for each other series. */
  readonly group: unknown
}

/** Consecutive samples of one series, to be written before those of the next run. */
interface SampleRun<Member> {
  readonly member: Member
  readonly from: number
  readonly to: number
}

/**
 * Yields samples in the order in which a scraper would have sent them: series of the same subject (a container before and
 * after its restart, user and system time) in order of time, and owners before what they own, so that a pod's workload is
 * known when its containers are described.
 */
export function* runsInOrder<Member extends QueriedSeries>(
  members: Iterable<Member>,
): Generator<SampleRun<Member>> {
  const groups = Map.groupBy(members, ({ group }) => group)
  for (const group of [...groups.values()].sort((a, b) => turn(a[0]!) - turn(b[0]!))) {
    const [only] = group
    if (group.length === 1) yield { member: only!, from: 0, to: only!.raw.timesMs.length }
    else yield* runsInTimeOrder(group)
  }
}

/** The end of a pod comes after the last samples of its containers. */
const turn = ({ meaning }: QueriedSeries): number =>
  meaning.fact === 'pod' && meaning.isEnd ? 3 : ['entity', 'pod', meaning.fact].indexOf(meaning.fact)

/** If two series have a sample at the same time, the one that began later comes first, because it replaces the other. */
function* runsInTimeOrder<Member extends QueriedSeries>(members: readonly Member[]) {
  const newestFirst = members.toSorted((a, b) => b.raw.timesMs[0]! - a.raw.timesMs[0]!)
  const all = newestFirst.flatMap((member) =>
    Array.from(member.raw.timesMs, (timeMs, index) => ({ member, index, timeMs })),
  )
  all.sort((a, b) => a.timeMs - b.timeMs)
  for (let start = 0; start < all.length; ) {
    const { member, index } = all[start]!
    let end = start + 1
    while (end < all.length && all[end]!.member === member) end++
    yield { member, from: index, to: index + end - start }
    start = end
  }
}
