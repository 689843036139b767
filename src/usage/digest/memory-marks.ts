import type { ByteReader } from '../../domain/byte-reader.ts'
import type { ByteWriter } from '../../domain/byte-writer.ts'

/**
 * High and low marks of what memory consists of, in KiB; 0: not seen. Writers take the greatest of what they see in an hour, of
 * those that are low the least.
 */
export const markNames = [
  'rssHighKib',
  'cacheLowKib',
  'mappedHighKib',
  'heapLowKib',
  'heapLimitKib',
  'nonHeapHighKib',
] as const
export type MarkName = (typeof markNames)[number]
export type MemoryMarks = Record<MarkName, number>

export const noMarks: Readonly<MemoryMarks> = {
  rssHighKib: 0,
  cacheLowKib: 0,
  mappedHighKib: 0,
  heapLowKib: 0,
  heapLimitKib: 0,
  nonHeapHighKib: 0,
}

/** A KiB at least, since 0 says that nothing was seen. */
export const kibOf = (bytes: number): number => Math.max(1, Math.round(bytes / 1024))

/** Two marks of the same hour. */
export function mergedMark(name: MarkName, a: number, b: number): number {
  return isLow.has(name) && a > 0 && b > 0 ? Math.min(a, b) : Math.max(a, b)
}

const isLow: ReadonlySet<MarkName> = new Set(['cacheLowKib', 'heapLowKib'])

/** Marks that two pods of one size both stay within. */
export function widerMarks(a: Readonly<MemoryMarks> | undefined, b: Readonly<MemoryMarks>): MemoryMarks {
  const wider = { ...b }
  if (a === undefined) return wider
  for (const name of markNames)
    wider[name] = name === 'cacheLowKib' ? mergedMark(name, a[name], b[name]) : Math.max(a[name], b[name])
  return wider
}

/** The marks of several hours, taken in one after the other in order of time. */
export class MarksOverHours {
  readonly #marks: MemoryMarks = { ...noMarks }
  readonly #heapLows: number[] = []
  #heapKib = 0

  add(marks: Readonly<MemoryMarks>): void {
    const so = this.#marks
    so.rssHighKib = Math.max(so.rssHighKib, marks.rssHighKib)
    so.cacheLowKib = mergedMark('cacheLowKib', so.cacheLowKib, marks.cacheLowKib)
    so.mappedHighKib = Math.max(so.mappedHighKib, marks.mappedHighKib)
    so.nonHeapHighKib = Math.max(so.nonHeapHighKib, marks.nonHeapHighKib)
    if (marks.heapLimitKib > 0) so.heapLimitKib = marks.heapLimitKib
    if (marks.heapLowKib > 0) this.#addHeap(marks.heapLowKib)
  }

  /** Undefined where nothing was seen. */
  get total(): MemoryMarks | undefined {
    const heapLowKib =
      this.#heapLows.length < cycleHours ? Math.min(...this.#heapLows, Infinity) : this.#heapKib
    const total = { ...this.#marks, heapLowKib: Number.isFinite(heapLowKib) ? heapLowKib : 0 }
    return markNames.some((name) => total[name] > 0) ? total : undefined
  }

  /**
   * A heap is at its lowest after a collection, which a quiet process may not need for hours: of each six hours in a row the
   * least counts, and of these the greatest, since what is in use changes with the time of day.
   */
  #addHeap(lowKib: number): void {
    this.#heapLows.push(lowKib)
    if (this.#heapLows.length > cycleHours) this.#heapLows.shift()
    if (this.#heapLows.length === cycleHours)
      this.#heapKib = Math.max(this.#heapKib, Math.min(...this.#heapLows))
  }
}

const cycleHours = 6

/** Marks are kept by the day: each hour is given those of all. */
export function levelMarks<Hour extends MemoryMarks>(hours: readonly Hour[]): Hour[] {
  const over = new MarksOverHours()
  for (const hour of hours) over.add(hour)
  return hours.map((hour) => ({ ...hour, ...over.total }))
}

/** | v present | v KiB, for each present |, bits in the order of markNames. */
export function writeMarks(writer: ByteWriter, marks: Readonly<MemoryMarks>): void {
  writer.varint(markNames.reduce((bits, name, index) => (marks[name] > 0 ? bits | (1 << index) : bits), 0))
  for (const name of markNames) if (marks[name] > 0) writer.varint(marks[name])
}

export function readMarks(reader: ByteReader, into: MemoryMarks): void {
  const present = reader.varint()
  for (let index = 0; index < markNames.length; index++)
    into[markNames[index]!] = present & (1 << index) ? reader.varint() : 0
}
