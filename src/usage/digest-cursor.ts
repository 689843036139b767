import type { ByteReader } from './bytes.ts'
import { MalformedBytes } from './bytes.ts'
import type { NumberRegister, TextRegister } from './digest.ts'
import { counterNames, hourSeconds, numberNames, textNames } from './digest.ts'

/** What reads a distribution where the cursor stands, or skips it. */
export interface DistributionTaker {
  addFrom(reader: ByteReader): void
}

/**
 * Goes through the bytes of encodeDigests, one digest at a time, without making an object of each. Arrays are in the order
 * of counterNames, numberNames and textNames; the times of registers are seconds into the hour.
 */
export class DigestCursor {
  hour = 0
  samples = 0
  /** Seconds into the hour. */
  first = 0
  last = 0
  startedAt = 0
  memoryPeakBytes = 0
  init = false
  readonly counters: number[] = counterNames.map(() => 0)
  readonly numbers: (NumberRegister | undefined)[] = numberNames.map(() => undefined)
  readonly texts: (TextRegister | undefined)[] = textNames.map(() => undefined)
  readonly #reader: ByteReader

  constructor(reader: ByteReader) {
    this.#reader = reader
    const found = reader.varint()
    if (found !== digestVersion)
      throw new MalformedBytes(`digests of version ${found}; this program reads ${digestVersion}`)
  }

  /** The next digest; false after the last. */
  next(cpu: DistributionTaker, memory: DistributionTaker): boolean {
    const reader = this.#reader
    if (reader.offset >= reader.end) return false
    this.hour += reader.varint()
    const fields = reader.varint()
    if (fields & 1) {
      this.samples = reader.varint()
      this.first = reader.varint()
      this.last = reader.varint()
    }
    if (fields & 2) this.#readNumbers()
    if (fields & 4) this.#readTexts()
    const counts = fields & 8 ? reader.varint() : 0
    for (let index = 0; index < this.counters.length; index++)
      this.counters[index] = counts & (1 << index) ? reader.varint() : 0
    if (fields & 16) {
      this.startedAt = reader.varint()
      this.memoryPeakBytes = reader.varint()
      this.init = reader.varint() === 1
    }
    if (fields & 32) cpu.addFrom(reader)
    if (fields & 64) memory.addFrom(reader)
    return true
  }

  #readNumbers(): void {
    const reader = this.#reader
    const present = reader.varint()
    for (let index = 0; index < this.numbers.length; index++) {
      this.numbers[index] = undefined
      if ((present & (1 << index)) === 0) continue
      const at = reader.varint()
      const last = reader.varint()
      this.numbers[index] = { at, last, max: last + reader.varint() }
    }
  }

  #readTexts(): void {
    const reader = this.#reader
    const present = reader.varint()
    for (let index = 0; index < this.texts.length; index++)
      this.texts[index] = present & (1 << index) ? { at: reader.varint(), text: reader.text() } : undefined
  }

  get startSecond(): number {
    return this.hour * hourSeconds
  }
}

export const digestVersion = 1
