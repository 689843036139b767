import { dayHours, hourSeconds } from '../../domain/time.ts'
import { ByteReader, isAt, MalformedBytes } from '../../runtime/bytes/byte-reader.ts'
import { type MemoryMarks, noMarks, readMarks } from '../digest/memory-marks.ts'
import type { DistributionConsumer } from '../distribution/read-distribution.ts'
import { type FactChange, readFactChanges } from './day-facts.ts'
import { summaryFields, summaryVersion } from './summarise-day.ts'

/** Reads concatenated summaries one day at a time, without allocating an object for each. */
export class DaySummaryReader {
  /** Days since 1970. */
  day = 0
  /** Number of hours from the start of the day to the last hour with a digest. */
  span = 0
  /** Number of hours with usage; the columns below have one entry for each. */
  hours = 0
  readonly hoursOfDay = new Uint8Array(dayHours)
  readonly seconds = new Uint16Array(dayHours)
  readonly lasts = new Uint16Array(dayHours)
  readonly cores = new Float32Array(dayHours)
  readonly gib = new Float32Array(dayHours)
  /** Start and end of each lifetime in turn, in seconds since the day began. */
  readonly lives: number[] = []
  /** Number of entries of `lives` that belong to this day; further entries are left over from an earlier day. */
  livesLength = 0
  oomKills = 0
  /** OOM kills to add if the termination reason known before the day is OOMKilled. */
  openKills = 0
  restarts = 0
  throttledMs = 0
  periods = 0
  throttledPeriods = 0
  memoryPeakBytes = 0
  init = false
  readonly marks: MemoryMarks = { ...noMarks }
  hasMarks = false
  hasStart = false
  facts: readonly FactChange[] = noFacts
  /** Changes whenever the facts differ from those read before, even if those were of another subject. */
  factsRead = 0
  #reader = new ByteReader(new Uint8Array())
  #view: DataView = new DataView(new ArrayBuffer(0))
  #end = 0
  readonly #factBytes = new Uint8Array(maxFactBytes)
  /** Length of the facts in #factBytes; -1 if they were too long to keep. */
  #factLength = -1
  #knownFacts: readonly FactChange[] = noFacts

  open(bytes: Uint8Array): void {
    this.#reader = new ByteReader(bytes)
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#end = 0
  }

  /** Reads the next day except for its distributions. Returns false after the last day. */
  next(): boolean {
    const reader = this.#reader
    if (this.#end > 0) reader.offset = this.#end
    if (reader.offset >= reader.end) return false
    const version = reader.varint()
    if (version !== summaryVersion)
      throw new MalformedBytes(`a summary of version ${version}; this program reads ${summaryVersion}`)
    const length = reader.varint()
    this.#end = reader.offset + length
    if (this.#end > reader.end) throw new MalformedBytes('the bytes end early')
    this.day = reader.varint()
    const fields = reader.varint()
    this.span = reader.below(dayHours + 1, 'hours')
    this.hours = reader.below(dayHours + 1, 'hours with usage')
    this.lasts.fill(reader.varint(), 0, this.hours)
    this.#readLives()
    this.#readHoursOfDay(
      fields & summaryFields.present ? reader.byte() | (reader.byte() << 8) | (reader.byte() << 16) : -1,
    )
    if (fields & summaryFields.seconds)
      for (let at = 0; at < this.hours; at++) this.seconds[at] = reader.varint()
    else this.seconds.fill(hourSeconds, 0, this.hours)
    if (fields & summaryFields.lasts) for (let at = 0; at < this.hours; at++) this.lasts[at] = reader.varint()
    this.facts = fields & summaryFields.facts ? this.#readFacts() : noFacts
    this.#readEvents((fields & summaryFields.events) !== 0)
    this.memoryPeakBytes = fields & summaryFields.rest ? reader.varint() : 0
    this.init = fields & summaryFields.rest ? reader.varint() === 1 : false
    this.hasMarks = (fields & summaryFields.marks) !== 0
    if (this.hasMarks) readMarks(reader, this.marks)
    this.hasStart = (fields & summaryFields.starts) !== 0
    this.#readMeans()
    return true
  }

  /** Each can be read once, in the order CPU, memory and, if `hasStart` is set, CPU without starts. */
  take(consumer: DistributionConsumer): void {
    consumer.addFrom(this.#reader)
    if (this.#reader.offset > this.#end) throw new MalformedBytes('the bytes end early')
  }

  #readLives(): void {
    const { lives } = this
    this.livesLength = 2 * this.#reader.count(2, 'lives')
    let at = 0
    // Starts and ends alternate, each as the difference to the one before.
    for (let index = 0; index < this.livesLength; index++) {
      at += this.#reader.varint()
      lives[index] = at
    }
  }

  #readHoursOfDay(bits: number): void {
    const { hoursOfDay, hours } = this
    if (bits < 0) {
      for (let at = 0; at < hours; at++) hoursOfDay[at] = at
      return
    }
    let at = 0
    for (let rest = bits; rest !== 0 && at < hours; rest &= rest - 1)
      hoursOfDay[at++] = 31 - Math.clz32(rest & -rest)
    if (at < hours) throw new MalformedBytes(`holds ${at} hours of ${hours}`)
  }

  /** Most days repeat the facts of the day before byte for byte, so these are not decoded again. */
  #readFacts(): readonly FactChange[] {
    const reader = this.#reader
    const { bytes } = reader
    const length = reader.varint()
    const from = reader.offset
    reader.skip(length)
    if (length === this.#factLength && isAt(bytes, from, this.#factBytes, length)) return this.#knownFacts
    this.#knownFacts = readFactChanges(new ByteReader(bytes, from, from + length))
    this.factsRead++
    this.#factLength = length <= maxFactBytes ? length : -1
    for (let index = 0; index < this.#factLength; index++) this.#factBytes[index] = bytes[from + index]!
    return this.#knownFacts
  }

  #readEvents(areThere: boolean): void {
    this.oomKills = areThere ? this.#reader.varint() : 0
    this.openKills = areThere ? this.#reader.varint() : 0
    this.restarts = areThere ? this.#reader.varint() : 0
    this.throttledMs = areThere ? this.#reader.varint() : 0
    this.periods = areThere ? this.#reader.varint() : 0
    this.throttledPeriods = areThere ? this.#reader.varint() : 0
  }

  #readMeans(): void {
    const { hours, cores, gib } = this
    const [reader, view] = [this.#reader, this.#view]
    let { offset } = reader
    reader.skip(hours * 8)
    for (let at = 0; at < hours; at++, offset += 4) cores[at] = view.getFloat32(offset, true)
    for (let at = 0; at < hours; at++, offset += 4) gib[at] = view.getFloat32(offset, true)
  }
}

const maxFactBytes = 512
const noFacts: readonly FactChange[] = []
