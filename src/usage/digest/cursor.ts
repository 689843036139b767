import { hourSeconds } from '../../domain/time.ts'
import { ByteReader, MalformedBytes } from '../../runtime/bytes/byte-reader.ts'
import { ByteWriter } from '../../runtime/bytes/byte-writer.ts'
import { readDistributionV1 } from '../distribution/codec-v1.ts'
import { type DistributionConsumer, DistributionSkipper } from '../distribution/read-distribution.ts'
import { writeDistribution } from '../distribution/write-distribution.ts'
import { counterNames, type NumberRegister, numberNames, type TextRegister, textNames } from './digest.ts'
import { type MemoryMarks, noMarks, readMarks } from './memory-marks.ts'
import { RegisterCache } from './register-cache.ts'

/** Without an object for each digest. Arrays are in the order of the names; times of registers are seconds into the hour. */
export class DigestCursor {
  hour = 0
  samples = 0
  /** Seconds into the hour. */
  first = 0
  last = 0
  startedAt = 0
  memoryPeakBytes = 0
  init = false
  readonly marks: MemoryMarks = { ...noMarks }
  hasMarks = false
  readonly counters: number[] = counterNames.map(() => 0)
  readonly numbers: (NumberRegister | undefined)[] = numberNames.map(() => undefined)
  readonly texts: (TextRegister | undefined)[] = textNames.map(() => undefined)
  /** Count and sum of the distributions that skim() read. */
  readonly cpu = new DistributionSkipper()
  readonly memory = new DistributionSkipper()
  /** Whether the current digest contains its own numbers and texts; otherwise those of the previous one apply. */
  hasRegisters = false
  /** Changes whenever the numbers and texts differ from the previous ones, even if those were of another subject. */
  get registersVersion(): number {
    return this.#registers.number
  }
  isCounted = false
  #reader!: ByteReader
  #version = 0
  /** The numbers and texts that were read last, possibly of another subject. */
  readonly #registers = new RegisterCache()

  constructor(reader?: ByteReader) {
    if (reader !== undefined) this.open(reader)
  }

  open(reader: ByteReader): void {
    this.#reader = reader
    this.#version = reader.varint()
    if (this.#version < 1 || this.#version > digestVersion)
      throw new MalformedBytes(`digests of version ${this.#version}; this program reads ${digestVersion}`)
    if (this.#version > 1) reader.skip(reader.varint())
    this.hour = 0
    this.samples = 0
    this.first = 0
    this.last = 0
    this.startedAt = 0
    this.memoryPeakBytes = 0
    this.init = false
    if (this.hasMarks) Object.assign(this.marks, noMarks)
    this.hasMarks = false
    this.numbers.fill(undefined)
    this.texts.fill(undefined)
    this.counters.fill(0)
    this.isCounted = false
  }

  /** The hour of the next digest; infinite after the last. */
  get nextHour(): number {
    const reader = this.#reader
    const { offset, end } = reader
    if (offset >= end) return Number.POSITIVE_INFINITY
    const hour = this.hour + reader.varint()
    reader.offset = offset
    return hour
  }

  /** Reads the next digest, but only count and sum of its distributions. Returns false after the last digest. */
  skim(): boolean {
    this.cpu.count = 0
    this.memory.count = 0
    if (this.#version === 1) return this.next(this.cpu, this.memory)
    const fields = this.#readFront()
    if (fields < 0) return false
    if (fields & 32) this.cpu.addFrom(this.#reader)
    if (fields & 64) this.memory.addFrom(this.#reader)
    return true
  }

  /** Reads the next digest. Returns false after the last. */
  next(cpu: DistributionConsumer, memory: DistributionConsumer): boolean {
    const fields = this.#readFront()
    if (fields < 0) return false
    if (fields & 32) this.#pass(cpu)
    if (fields & 64) this.#pass(memory)
    return true
  }

  /** Reads everything except the distributions. Returns the bits of the fields, or -1 after the last digest. */
  #readFront(): number {
    const reader = this.#reader
    if (reader.offset >= reader.end) return -1
    this.hour += reader.varint()
    const fields = reader.varint()
    this.hasRegisters = (fields & 6) !== 0
    if (fields & 1) {
      this.samples = reader.varint()
      this.first = reader.varint()
      this.last = reader.varint()
    }
    if (fields & 6) this.#readRegisters(fields & 6)
    if (fields & 8 || this.isCounted) this.#readCounters(fields & 8 ? reader.varint() : 0)
    if (fields & 16) {
      this.startedAt = reader.varint()
      this.memoryPeakBytes = reader.varint()
      this.init = reader.varint() === 1
    }
    if (fields & 128) {
      readMarks(reader, this.marks)
      this.hasMarks = true
    }
    return fields
  }

  get startSecond(): number {
    return this.hour * hourSeconds
  }

  #pass(consumer: DistributionConsumer): void {
    if (this.#version > 1) {
      consumer.addFrom(this.#reader)
      return
    }
    const writer = new ByteWriter()
    writeDistribution(writer, readDistributionV1(this.#reader))
    consumer.addFrom(new ByteReader(writer.finish()))
  }

  #readCounters(present: number): void {
    for (let index = 0; index < this.counters.length; index++)
      this.counters[index] = present & (1 << index) ? this.#reader.varint() : 0
    this.isCounted = present !== 0
  }

  #readRegisters(fields: number): void {
    const [reader, registers] = [this.#reader, this.#registers]
    if (!registers.isRepeated(reader, fields)) registers.read(reader, fields)
    if (fields & 2)
      for (let index = 0; index < numberNames.length; index++) this.numbers[index] = registers.numbers[index]
    if (fields & 4)
      for (let index = 0; index < textNames.length; index++) this.texts[index] = registers.texts[index]
  }
}

export const digestVersion = 3
