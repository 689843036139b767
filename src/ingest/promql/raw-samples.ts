import type { PromqlClient } from './client.ts'
import { EngineRefused } from './errors.ts'

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
