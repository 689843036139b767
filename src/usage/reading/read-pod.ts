import type { ContainerSubject } from '../../domain/subject.ts'
import { ByteReader } from '../bytes.ts'
import { decodeDigests, encodeDigests } from '../digest/codec.ts'
import { DigestCursor } from '../digest/cursor.ts'
import type { DistributionConsumer } from '../distribution/consumer.ts'
import { type CountsAndSums, DistributionSkipper } from '../distribution/skip.ts'
import type { StoredSubject } from '../port.ts'
import type { HourlyUse } from './hourly-use.ts'
import { type ObservedUse, PodBuilder, type PodOwner, startsAtCursor, startsWithin } from './pod-builder.ts'
import type { HourRange, PodUsage } from './pod-usage.ts'
import { type CountAndSum, DistributionReader, type DistributionSink, SpanBuilder } from './span-builder.ts'
import { TotalBuilder } from './total-builder.ts'
import { combineHours } from './window.ts'

/**
 * Reads one container's digests hour by hour, straight from their bytes; undefined where it never ran in these hours.
 * Its spans are the 24 hours before the latest, and before them whole days.
 */
export function readPod(
  subject: ContainerSubject,
  rows: StoredSubject['rows'],
  hours: HourRange,
  latestHour = hours.to,
): PodUsage | undefined {
  const { reading, gathering } = read(rows, hours, () => new SpanBuilder(latestHour))
  return reading.finish(subject, gathering.finish())
}

/** Its hours with their totals, without spans; undefined if it never ran. */
export function readPodTotals(
  rows: StoredSubject['rows'],
  hours: HourRange,
): (ObservedUse & Pick<PodUsage, 'cpu' | 'memory'>) | undefined {
  const { reading, gathering } = read(rows, hours, () => new TotalBuilder())
  const used = reading.finishUse()
  return used && { ...used, ...gathering.finish() }
}

/**
 * What it used on the mean of each hour and where it ran, without distributions; undefined where it never ran. Good only until
 * the next is read, and in columns that may be longer.
 */
export function readHourlyUse(rows: StoredSubject['rows'], hours: HourRange): HourlyUse | undefined {
  return read(rows, hours, () => undefined).reading.borrowUse()
}

/** Whose pod it is and when it was last seen, without what it used; undefined where it never ran. */
export function readOwner(
  subject: ContainerSubject,
  rows: StoredSubject['rows'],
  hours: HourRange,
): PodOwner | undefined {
  return read(rows, hours, () => undefined).reading.finishOwner(subject)
}

/** As readHourlyUse, with the workload it belongs to. */
export function readPlaced(
  subject: ContainerSubject,
  rows: StoredSubject['rows'],
  hours: HourRange,
): { readonly workload: string; readonly use: HourlyUse } | undefined {
  const { reading } = read(rows, hours, () => undefined)
  const owner = reading.finishOwner(subject)
  return owner && { workload: owner.workload, use: reading.borrowUse()! }
}

/** The memory peak of the latest row if it contains day sums, otherwise 0. Fast, but only a hint. */
export function latestPeakBytes(rows: StoredSubject['rows']): number {
  const last = rows.at(-1)
  if (last === undefined) return 0
  cursor.open(new ByteReader(last.bytes))
  if (cursor.day === undefined) return 0
  cursor.takeDay(past, latestMemory)
  return latestMemory.kept.count > 0 ? latestMemory.kept.max : 0
}

function read<G extends DistributionSink | undefined>(
  rows: StoredSubject['rows'],
  hours: HourRange,
  gather: () => G,
) {
  let gathering = gather()
  let reading = pass(rows, hours, gathering)
  if (reading === undefined) {
    gathering = gather()
    reading = pass(inOrder(rows), hours, gathering)!
  }
  return { reading, gathering }
}

type Rows = readonly { readonly bytes: Uint8Array }[]

/** Undefined where the hours do not ascend from row to row. */
function pass(
  rows: Rows,
  { from, to }: HourRange,
  gathering: DistributionSink | undefined,
): PodBuilder | undefined {
  const reading = new PodBuilder(cursor, gathering)
  let before = Number.NEGATIVE_INFINITY
  for (const { bytes } of rows) {
    cursor.open(new ByteReader(bytes))
    const { day } = cursor
    const isWhole = day !== undefined && day * 24 >= from && day * 24 + 24 <= to && gathering?.isWhole(day)
    const takesSums = gathering !== undefined && !isWhole
    if (takesSums) openTakers(gathering, from, to)
    let begins = false
    for (;;) {
      if (!(takesSums ? nextTaken() : cursor.skim())) break
      const { hour } = cursor
      if (hour <= before) return undefined
      before = hour
      if (hour >= to) break
      if (hour < from) {
        if (cursor.saysRegisters) reading.takeRegisters()
        continue
      }
      if (isWhole === true && !begins) begins = gathering!.partsStarts && startsAtCursor(cursor)
      if (takesSums) {
        reading.takeHour(cpuTaker.taken, memoryTaker.taken)
        continue
      }
      reading.takeHour(cursor.cpu, cursor.memory)
      const length = cursor.skimHours(Math.min(to - hour - 1, runHours), runCpu, runMemory)
      if (length === 0) continue
      before = cursor.hour
      if (isWhole === true && !begins) begins = gathering!.partsStarts && startsWithin(cursor, hour + 1)
      reading.takeHours({ first: hour + 1, length, cpu: runCpu, memory: runMemory })
    }
    if (isWhole) takeWhole(gathering!, bytes, begins)
  }
  return reading
}

/** The sums of a day are enough, unless the container began in it: then its hours are parted. */
function takeWhole(gathering: DistributionSink, bytes: Uint8Array, begins: boolean): void {
  if (!begins) {
    gathering.takeDay(cursor)
    return
  }
  cursor.open(new ByteReader(bytes))
  openTakers(gathering, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
  while (cursor.next(cpuTaker, memoryTaker));
}

/** Gives an hour's distribution to where it goes, or reads past it. */
class Taker implements DistributionConsumer {
  taken: CountAndSum = nothing
  from = 0
  to = 0
  gathering!: DistributionSink
  readonly #take: (gathering: DistributionSink, reader: ByteReader) => CountAndSum

  constructor(take: (gathering: DistributionSink, reader: ByteReader) => CountAndSum) {
    this.#take = take
  }

  addFrom(reader: ByteReader): void {
    const { hour } = cursor
    if (hour < this.from || hour >= this.to) {
      past.addFrom(reader)
      return
    }
    this.gathering.open(hour)
    this.taken = this.#take(this.gathering, reader)
  }
}

function nextTaken(): boolean {
  cpuTaker.taken = nothing
  memoryTaker.taken = nothing
  return cursor.next(cpuTaker, memoryTaker)
}

function openTakers(gathering: DistributionSink, from: number, to: number): void {
  for (const taker of [cpuTaker, memoryTaker]) {
    taker.gathering = gathering
    taker.from = from
    taker.to = to
  }
}

const nothing: CountAndSum = { count: 0, sum: 0 }

/** Shared, as one container is read before the next. */
const cursor = new DigestCursor()
const cpuTaker = new Taker((gathering, reader) => gathering.takeCpu(reader, startsAtCursor(cursor)))
const memoryTaker = new Taker((gathering, reader) => gathering.takeMemory(reader))
const past = new DistributionSkipper()
const runHours = 24
const [runCpu, runMemory] = [0, 1].map(() => ({
  counts: new Float64Array(runHours),
  sums: new Float64Array(runHours),
})) as [CountsAndSums, CountsAndSums]
const latestMemory = new DistributionReader()

/** One digest per hour; needed only if an hour has several parts or sources. */
const inOrder = (rows: StoredSubject['rows']): Rows => [
  {
    bytes: encodeDigests(
      combineHours(
        rows.flatMap(({ source, bytes }) => decodeDigests(bytes).map((digest) => ({ source, digest }))),
      ),
    ),
  },
]
