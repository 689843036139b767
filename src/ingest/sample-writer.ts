import { hourMs } from '../domain/time.ts'
import type { Accumulator, Series } from '../usage/digest/accumulator.ts'
import { interpret, mayInterpret } from './metrics/interpret.ts'
import { type QueriedSeries, type RawSeries, runsInOrder } from './promql/raw-samples.ts'
import { decodeRequest, type MessageFormat } from './remote-write/decode.ts'
import {
  type Interpreter,
  ignored,
  type LabelPairs,
  Resolver,
  TooManySeries,
  unknown,
} from './remote-write/resolver.ts'
import { Batch, type DecodedSamples } from './remote-write/samples.ts'
import { type DecodeLimits, defaultLimits } from './remote-write/wire.ts'

interface SampleLimits extends DecodeLimits {
  /** Number of series that may be known at a time. */
  readonly maxKnownSeries: number
}

export const defaultSampleLimits: SampleLimits = { ...defaultLimits, maxKnownSeries: 2_000_000 }

/** Writes the samples of one partition into its accumulator, from pushed requests and from query results. */
export class SampleWriter {
  readonly accumulator: Accumulator
  readonly #limits: SampleLimits
  readonly #resolvers = new Map<string, Resolver>()
  readonly #series: Series[] = []
  readonly #batch = new Batch()
  #hour = 0

  constructor(accumulator: Accumulator, limits: SampleLimits = defaultSampleLimits) {
    this.accumulator = accumulator
    this.#limits = limits
  }

  /** The batch is valid until the next call; nothing is written yet. Throws MalformedRequest or TooManySeries. */
  read(body: Uint8Array, format: MessageFormat, cluster: string, nowMs: number): Batch {
    this.#advanceTo(nowMs)
    decodeRequest(body, format, this.#resolver(cluster), this.#limits, this.#batch)
    return this.#batch
  }

  /** For a request that was decoded before; undefined if a series is new here, because its labels are needed then. */
  recall(samples: DecodedSamples, cluster: string, nowMs: number): Batch | undefined {
    this.#advanceTo(nowMs)
    const { highs, lows, timesMs, values, staleMarkers } = samples
    const resolver = this.#resolver(cluster)
    const batch = this.#batch
    batch.clear()
    for (let index = 0; index < values.length; index++) {
      const series = resolver.find(highs[index]!, lows[index]!)
      if (series === unknown) return undefined
      if (series >= 0) batch.push(series, timesMs[index]!, values[index]!)
    }
    batch.staleMarkers = staleMarkers
    return batch
  }

  #advanceTo(nowMs: number): void {
    const hour = Math.floor(nowMs / hourMs)
    if (hour > this.#hour) this.#forgetGone(hour)
  }

  /** Writes a batch. `receivedAt` is the time at which it first arrived, even if it is read again from the journal. */
  write(batch: Batch, receivedAt: number): void {
    for (const _ of this.writeInPieces(batch, receivedAt));
  }

  /** Writes a batch piece by piece, so that other work gets its turn. No other call may come between two pieces. */
  *writeInPieces(batch: Batch, receivedAt: number): Generator<void> {
    // A sender that catches up may send one series after the other, or the newest sample first.
    const order = timeOrder(batch, receivedAt)
    for (let from = 0; from < batch.count; from += pieceSamples) {
      if (from > 0) yield
      this.#writePiece(batch, order, from, Math.min(batch.count, from + pieceSamples), receivedAt)
    }
    // They have no effect: queries do not return them, and pushed and queried samples must give the same result.
    this.accumulator.counts.stale_marker += batch.staleMarkers
    batch.release()
  }

  #writePiece(
    { series, timesMs, values }: Batch,
    order: Uint32Array | undefined,
    from: number,
    to: number,
    receivedAt: number,
  ): void {
    for (let at = from; at < to; at++) {
      const index = order === undefined ? at : order[at]!
      this.accumulator.sample(this.#series[series[index]!]!, timesMs[index]!, values[index]!, receivedAt)
    }
  }

  /** The registered meaning of a series; undefined if it is not used. Throws TooManySeries. */
  seriesOf(labels: LabelPairs, cluster: string): Series | undefined {
    const meaning = interpret(labels, cluster)
    if (meaning === undefined) return undefined
    const series = this.accumulator.register(meaning)
    if (series === undefined)
      throw new TooManySeries('more containers and processes at a time than are allowed')
    const isUnlabelled = !labels.some(([name, value]) => clusterLabels.has(name) && value !== '')
    const metric = labels.find(([name]) => name === '__name__')![1]
    return { ...series, health: this.accumulator.sources.metricOf(metric, meaning, isUnlabelled) }
  }

  #number(labels: LabelPairs, cluster: string): number {
    const series = this.seriesOf(labels, cluster)
    return series === undefined ? ignored : this.#series.push(series) - 1
  }

  /** Also covers clusters without samples. Ids of removed series are not reused; when most are removed, all ids are assigned again. */
  #forgetGone(hour: number): void {
    this.#hour = hour
    let known = 0
    for (const [cluster, resolver] of this.#resolvers) {
      resolver.hour = hour
      const left = resolver.forgetSilent()
      if (left === 0) this.#resolvers.delete(cluster)
      known += left
    }
    if (this.#series.length < 2 * known + 10_000) return
    for (const resolver of this.#resolvers.values()) resolver.forgetAll()
    this.#series.length = 0
  }

  #resolver(cluster: string): Resolver {
    let resolver = this.#resolvers.get(cluster)
    if (resolver === undefined) {
      const interpreter: Interpreter = {
        mayUnderstand: mayInterpret,
        number: (labels) => this.#number(labels, cluster),
      }
      resolver = new Resolver(interpreter, this.#limits.maxKnownSeries)
      resolver.hour = this.#hour
      this.#resolvers.set(cluster, resolver)
    }
    return resolver
  }
}

const clusterLabels: ReadonlySet<string> = new Set(['cluster', 'cluster_name'])

/** About ten milliseconds of work. */
const pieceSamples = 20_000

/** Writes a response of a PromQL engine as if it had been pushed. */
export function writeQueryResult(
  writer: SampleWriter,
  answer: readonly RawSeries[],
  cluster: string,
  nowMs: number,
): number {
  const { accumulator } = writer
  for (const { member, from, to } of runsInOrder(registered(writer, answer, cluster))) {
    const { series, raw } = member
    for (let index = from; index < to; index++)
      accumulator.sample(series, raw.timesMs[index]!, raw.values[index]!, nowMs)
  }
  return answer.reduce((samples, { timesMs }) => samples + timesMs.length, 0)
}

type RegisteredSeries = QueriedSeries & { readonly series: Series }

function* registered(
  writer: SampleWriter,
  answer: readonly RawSeries[],
  cluster: string,
): Generator<RegisteredSeries> {
  for (const raw of answer) {
    const series = writer.seriesOf(raw.labels, cluster)
    if (series !== undefined) yield { series, raw, meaning: series.meaning, group: series.usage ?? raw }
  }
}

/**
 * Returns the positions of a batch's samples in ascending order of time; samples of the same time keep their order. Returns
 * undefined if the samples of each series are in order as they are. `arrivedMs` is the time at which the batch arrived; of
 * samples more than seven weeks away from it any may come first, because they are rejected.
 */
export function timeOrder(
  { series, timesMs, count }: Pick<Batch, 'series' | 'timesMs' | 'count'>,
  arrivedMs: number,
): Uint32Array | undefined {
  if (isAscending(timesMs, count) || !hasRepetition(series, count)) return undefined
  // Time and position in one number are sorted without a comparator, several times faster. It is exact: below 2^33
  // milliseconds, times at most 500,000 samples.
  const keys = new Float64Array(count)
  const fromMs = Math.floor(arrivedMs) - farMs
  for (let at = 0; at < count; at++) {
    const sinceMs = Math.min(Math.max(timesMs[at]! - fromMs, 0), 2 * farMs)
    keys[at] = sinceMs * count + at
  }
  keys.sort()
  const order = new Uint32Array(count)
  for (let at = 0; at < count; at++) order[at] = keys[at]! % count
  return order
}

function isAscending(timesMs: Float64Array, count: number): boolean {
  for (let at = 1; at < count; at++) if (timesMs[at]! < timesMs[at - 1]!) return false
  return true
}

/** A scraper that is up to date sends one sample of each series, and targets in any order, which needs no sorting. */
function hasRepetition(series: Int32Array, count: number): boolean {
  let highest = 0
  for (let at = 0; at < count; at++) highest = Math.max(highest, series[at]!)
  const seen = new Uint8Array((highest >> 3) + 1)
  for (let at = 0; at < count; at++) {
    const [byte, bit] = [series[at]! >> 3, 1 << (series[at]! & 7)]
    if ((seen[byte]! & bit) !== 0) return true
    seen[byte]! |= bit
  }
  return false
}

const farMs = 2 ** 32
