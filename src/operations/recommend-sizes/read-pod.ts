import type { ContainerSubject } from '../../domain/subject.ts'
import { ByteReader } from '../../usage/bytes.ts'
import { decodeDigests, encodeDigests } from '../../usage/digest-codec.ts'
import { DigestCursor, type DistributionTaker } from '../../usage/digest-cursor.ts'
import { DistributionSkim } from '../../usage/distribution-skim.ts'
import type { DistributionSum } from '../../usage/distribution-sum.ts'
import type { StoredSubject } from '../../usage/port.ts'
import { combineHours } from '../../usage/window.ts'
import type { HourlyUse } from './hourly-use.ts'
import { beginsAt, PodReading } from './pod-reading.ts'
import type { Hours, Life, PodUsage } from './pod-usage.ts'
import { DaySums, SpanReading } from './span-reading.ts'

/**
 * Reads one container's digests hour by hour, straight from their bytes; undefined where it never ran in these hours.
 * Its spans are the 24 hours before the latest, and before them whole days.
 */
export function readPod(
  subject: ContainerSubject,
  rows: StoredSubject['rows'],
  hours: Hours,
  latestHour = hours.to,
): PodUsage | undefined {
  const reading =
    pass(rows, hours, new SpanReading(latestHour)) ?? pass(inOrder(rows), hours, new SpanReading(latestHour))
  return reading!.finish(subject)
}

/** What it used on the mean of each hour and where it ran, without distributions; undefined where it never ran. */
export function readUse(
  rows: StoredSubject['rows'],
  hours: Hours,
): { readonly use: HourlyUse; readonly lives: readonly Life[] } | undefined {
  return (pass(rows, hours, undefined) ?? pass(inOrder(rows), hours, undefined))!.finishUse()
}

type Rows = readonly { readonly bytes: Uint8Array }[]

/** Undefined where the hours do not ascend from row to row. */
function pass(rows: Rows, { from, to }: Hours, spans: SpanReading | undefined): PodReading | undefined {
  const reading = new PodReading(cursor, spans)
  let before = Number.NEGATIVE_INFINITY
  for (const { bytes } of rows) {
    cursor.open(new ByteReader(bytes))
    const { day } = cursor
    const isWhole = day !== undefined && day * 24 >= from && day * 24 + 24 <= to && spans?.isSpan(day)
    const takesSums = spans !== undefined && !isWhole
    const [cpu, memory] = takesSums ? [cpuTaker, memoryTaker] : [cpuSkim, memorySkim]
    if (takesSums) openTakers(spans, from, to)
    let begins = false
    for (;;) {
      cpu.count = 0
      memory.count = 0
      if (!cursor.next(cpu, memory)) break
      const { hour } = cursor
      if (hour <= before) return undefined
      before = hour
      if (hour < from || hour >= to) continue
      begins ||= isWhole === true && beginsAt(cursor)
      reading.takeHour(cpu, memory)
    }
    if (isWhole) takeWhole(spans!, bytes, begins)
  }
  return reading
}

/** The sums of a day are enough, unless the container began in it: then its hours are parted. */
function takeWhole(spans: SpanReading, bytes: Uint8Array, begins: boolean): void {
  cursor.open(new ByteReader(bytes))
  if (!begins) {
    cursor.takeDay(day.cpu, day.memory)
    spans.takeDay(day.cpu.kept, day.memory.kept)
    return
  }
  openTakers(spans, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
  while (cursor.next(cpuTaker, memoryTaker));
}

/** Adds an hour's distribution to its span, or reads past it. */
class Taker implements DistributionTaker {
  count = 0
  sum = 0
  from = 0
  to = 0
  spans!: SpanReading
  readonly #sumOf: (spans: SpanReading) => DistributionSum

  constructor(sumOf: (spans: SpanReading) => DistributionSum) {
    this.#sumOf = sumOf
  }

  addFrom(reader: ByteReader): void {
    const { hour } = cursor
    if (hour < this.from || hour >= this.to) {
      past.addFrom(reader)
      return
    }
    this.spans.open(hour)
    const sum = this.#sumOf(this.spans)
    sum.addFrom(reader)
    this.count = sum.lastCount
    this.sum = sum.lastSum
  }
}

function openTakers(spans: SpanReading, from: number, to: number): void {
  for (const taker of [cpuTaker, memoryTaker]) {
    taker.spans = spans
    taker.from = from
    taker.to = to
  }
}

/** Shared, as one container is read before the next. */
const cursor = new DigestCursor()
const cpuTaker = new Taker((spans) => spans.cpuSum(beginsAt(cursor)))
const memoryTaker = new Taker((spans) => spans.memorySum())
const [cpuSkim, memorySkim, past] = [new DistributionSkim(), new DistributionSkim(), new DistributionSkim()]
const day = new DaySums()

/** One digest an hour; needed only where an hour was told in parts or by several sources. */
const inOrder = (rows: StoredSubject['rows']): Rows => [
  {
    bytes: encodeDigests(
      combineHours(
        rows.flatMap(({ source, bytes }) => decodeDigests(bytes).map((digest) => ({ source, digest }))),
      ),
    ),
  },
]
