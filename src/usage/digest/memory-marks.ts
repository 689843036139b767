import type { ByteReader } from '../../runtime/bytes/byte-reader.ts'
import type { ByteWriter } from '../../runtime/bytes/byte-writer.ts'

/** In KiB; 0 means not seen. Writers keep the greatest value of an hour for a high mark, and the least for a low mark. */
export const markNames = [
  'rssHighKib',
  'cacheLowKib',
  'mappedHighKib',
  'heapLowKib',
  'heapLimitKib',
  'nonHeapHighKib',
] as const
type MarkName = (typeof markNames)[number]
export type MemoryMarks = Record<MarkName, number>

export const noMarks: Readonly<MemoryMarks> = {
  rssHighKib: 0,
  cacheLowKib: 0,
  mappedHighKib: 0,
  heapLowKib: 0,
  heapLimitKib: 0,
  nonHeapHighKib: 0,
}

/** At least 1 KiB, because 0 means that nothing was seen. */
export const kibOf = (bytes: number): number => Math.max(1, Math.round(bytes / 1024))

export function mergedMark(name: MarkName, a: number, b: number): number {
  return isLow.has(name) && a > 0 && b > 0 ? Math.min(a, b) : Math.max(a, b)
}

const isLow: ReadonlySet<MarkName> = new Set(['cacheLowKib', 'heapLowKib'])

/** Marks that both of two pods of the same size stay within. */
export function widerMarks(a: Readonly<MemoryMarks> | undefined, b: Readonly<MemoryMarks>): MemoryMarks {
  const wider = { ...b }
  if (a === undefined) return wider
  for (const name of markNames)
    wider[name] = name === 'cacheLowKib' ? mergedMark(name, a[name], b[name]) : Math.max(a[name], b[name])
  return wider
}

/** Combines the marks of several hours, which are added in order of time. */
export class MarksOverHours {
  readonly #marks: MemoryMarks = { ...noMarks }
  readonly #heapLows: number[] = []
  #heapKib = 0

  add(marks: Readonly<MemoryMarks>): void {
    const kept = this.#marks
    kept.rssHighKib = Math.max(kept.rssHighKib, marks.rssHighKib)
    kept.cacheLowKib = mergedMark('cacheLowKib', kept.cacheLowKib, marks.cacheLowKib)
    kept.mappedHighKib = Math.max(kept.mappedHighKib, marks.mappedHighKib)
    kept.nonHeapHighKib = Math.max(kept.nonHeapHighKib, marks.nonHeapHighKib)
    if (marks.heapLimitKib > 0) kept.heapLimitKib = marks.heapLimitKib
    if (marks.heapLowKib > 0) this.#addHeap(marks.heapLowKib)
  }

  /** Undefined if nothing was seen. */
  get total(): MemoryMarks | undefined {
    const heapLowKib =
      this.#heapLows.length < cycleHours ? Math.min(...this.#heapLows, Infinity) : this.#heapKib
    const total = { ...this.#marks, heapLowKib: Number.isFinite(heapLowKib) ? heapLowKib : 0 }
    return markNames.some((name) => total[name] > 0) ? total : undefined
  }

  /**
   * A heap is at its lowest after a collection, which a quiet process may not need for hours. So the least of any six
   * hours in a row is taken, and the greatest of these counts, because what is in use changes with the time of day.
   */
  #addHeap(lowKib: number): void {
    this.#heapLows.push(lowKib)
    if (this.#heapLows.length > cycleHours) this.#heapLows.shift()
    if (this.#heapLows.length === cycleHours)
      this.#heapKib = Math.max(this.#heapKib, Math.min(...this.#heapLows))
  }
}

const cycleHours = 6

/** Marks are kept by the day, so each hour gets the marks of all hours together. */
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
