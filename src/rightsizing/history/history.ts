import { type Resource, type UsageDistribution, type UsageSpan, unitsOf } from '../input.ts'
import type { SpanValues } from './percentile-histogram.ts'
import { runOf } from './sorted-runs.ts'

/**
 * One resource's usage in columns, in cores or GiB, oldest span first. Span i's buckets are offsets[i] to offsets[i + 1],
 * least value first. Estimators look at a prefix of it, so that yesterday's answer can be computed again today.
 */
export interface ResourceHistory extends HistoryColumns {
  /** Returns the buckets. Only those of this span and of later ones are certain to be filled in. */
  entriesFrom(span: number): SpanValues
}

interface HistoryColumns extends SpanValues {
  readonly startHours: Float64Array
  readonly endHours: Float64Array
  readonly peaks: Float64Array
  readonly means: Float64Array
}

/** The history as it was known at an hour: the spans that had ended by then. */
export interface HistoryView {
  readonly history: ResourceHistory
  readonly spans: number
  readonly atHour: number
}

/** Memory in which histories are built one after the other. Each is valid until the next one is built. */
export class HistoryWorkspace {
  #buffer = new ArrayBuffer(0)
  readonly keptSpans: UsageSpan[] = []
  readonly totals = new Float64Array(3)

  bufferOf(bytes: number): ArrayBuffer {
    if (this.#buffer.byteLength < bytes)
      this.#buffer = new ArrayBuffer(Math.max(bytes, this.#buffer.byteLength * 2))
    return this.#buffer
  }
}

export function resourceHistory(
  spans: readonly UsageSpan[],
  resource: Resource,
  workspace = new HistoryWorkspace(),
): ResourceHistory {
  const unit = unitsOf[resource]
  const { keptSpans: kept, totals } = workspace
  kept.length = 0
  let most = 0
  let inOrder = true
  for (const span of spans) {
    const usage = usageOf(span, resource)
    if (usage === null || !Number.isFinite(span.startHour) || !(span.hours > 0)) continue
    writeTotals(usage, totals)
    const max = totals[2]!
    if (!(totals[0]! > 0 && Number.isFinite(max) && max >= 0 && Number.isFinite(totals[1]!))) continue
    if (kept.length > 0 && span.startHour < kept[kept.length - 1]!.startHour) inOrder = false
    kept.push(span)
    most += sizeOf(usage)
  }
  if (!inOrder) kept.sort((a, b) => a.startHour - b.startHour)
  const count = kept.length
  const buffer = workspace.bufferOf((most * 2 + count * 4) * 8 + (count + 1) * 4)
  const [values, weights] = [new Float64Array(buffer, 0, most), new Float64Array(buffer, most * 8, most)]
  const column = (index: number): Float64Array<ArrayBuffer> =>
    new Float64Array(buffer, (most * 2 + count * index) * 8, count)
  const [startHours, endHours, peaks, means] = [column(0), column(1), column(2), column(3)]
  const offsets = new Uint32Array(buffer, (most * 2 + count * 4) * 8, count + 1)
  offsets[0] = 0
  for (let i = 0; i < count; i++) {
    const span = kept[i]!
    const usage = usageOf(span, resource)!
    offsets[i + 1] = offsets[i]! + sizeOf(usage)
    startHours[i] = span.startHour
    endHours[i] = span.startHour + span.hours
    writeTotals(usage, totals)
    peaks[i] = totals[2]! / unit
    means[i] = totals[1]! / totals[0]! / unit
  }
  return new StoredHistory({ startHours, endHours, peaks, means, offsets, values, weights }, kept, resource)
}

/**
 * Buckets are filled in on demand, from the last span backwards, because memory seldom needs those of days long past.
 */
class StoredHistory implements ResourceHistory {
  readonly startHours: Float64Array
  readonly endHours: Float64Array
  readonly peaks: Float64Array
  readonly means: Float64Array
  readonly offsets: Uint32Array
  readonly #entries: SpanValues
  readonly #spans: readonly UsageSpan[]
  readonly #resource: Resource
  /** The buckets of this span and of later ones are filled in. */
  #written: number

  constructor(columns: HistoryColumns, spans: readonly UsageSpan[], resource: Resource) {
    this.startHours = columns.startHours
    this.endHours = columns.endHours
    this.peaks = columns.peaks
    this.means = columns.means
    this.offsets = columns.offsets
    this.#entries = columns
    this.#spans = spans
    this.#resource = resource
    this.#written = spans.length
  }

  get values(): Float64Array {
    return this.entriesFrom(0).values
  }

  get weights(): Float64Array {
    return this.entriesFrom(0).weights
  }

  entriesFrom(span: number): SpanValues {
    const { offsets, values, weights } = this.#entries
    const [resource, unit] = [this.#resource, unitsOf[this.#resource]]
    while (this.#written > span) {
      const usage = usageOf(this.#spans[--this.#written]!, resource)!
      const from = offsets[this.#written]!
      if (usage.fill === undefined) fill(usage, values, weights, from, unit)
      else usage.fill(values, weights, from, unit)
    }
    return this.#entries
  }
}

export function viewAt(history: ResourceHistory, atHour: number): HistoryView {
  let [low, high] = [0, history.endHours.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (history.endHours[middle]! <= atHour) low = middle + 1
    else high = middle
  }
  return { history, spans: low, atHour }
}

export function firstSpanWithin(view: HistoryView, hours: number): number {
  const from = view.atHour - hours
  let first = view.spans
  while (first > 0 && view.history.startHours[first - 1]! >= from) first--
  return first
}

/** Hours from the middle of a span to the hour of the view. */
export const ageHours = ({ history, atHour }: HistoryView, span: number): number =>
  atHour - (history.startHours[span]! + history.endHours[span]!) / 2

/** Names both members, because V8 is slow to read a member whose name is a variable. */
const usageOf = ({ cpu, memory }: UsageSpan, resource: Resource): UsageDistribution | null =>
  resource === 'cpu' ? cpu : memory

function writeTotals(usage: UsageDistribution, totals: Float64Array): void {
  if (usage.writeTotals !== undefined) {
    usage.writeTotals(totals)
    return
  }
  totals[0] = usage.count
  totals[1] = usage.sum
  totals[2] = usage.max
}

function sizeOf(usage: UsageDistribution): number {
  if (usage.fill !== undefined) return usage.size ?? 0
  let size = 0
  for (const entry of usage) if (isEntry(entry)) size++
  return size
}

const isEntry = ({ value, count }: { readonly value: number; readonly count: number }): boolean =>
  count > 0 && value >= 0 && value < Number.POSITIVE_INFINITY

function fill(
  usage: UsageDistribution,
  values: Float64Array,
  weights: Float64Array,
  from: number,
  unit: number,
): void {
  let size = from
  for (const entry of usage) {
    if (!isEntry(entry)) continue
    values[size] = Math.min(entry.value, usage.max) / unit
    weights[size++] = entry.count
  }
  const run = runOf(values.subarray(from, size), weights.subarray(from, size))
  values.set(run.values, from)
  weights.set(run.weights, from)
}
