import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { appendRecord, readSegment, recordBytes } from './segment.ts'

export interface SpoolOptions {
  readonly directory: string
  readonly maxBytes: number
  readonly segmentBytes?: number
}

export interface Spooled {
  readonly segment: number
  readonly index: number
  readonly body: Uint8Array
}

/**
 * Requests that wait for the server on disk, oldest first, up to a maximum size. They are in files `<number>.seg`; the
 * file `sent` contains the number of the oldest file and how many of its records were delivered. If the spool is full, the
 * oldest file is removed. Requests survive a restart and a killed process. A request that was delivered just before that
 * may be sent again, and the receiver recognises it by its timestamps.
 */
export class Spool {
  /** Requests dropped because the spool was full. */
  dropped = 0
  readonly #options: Required<SpoolOptions>
  #segments: Segment[] = []
  #front: { number: number; bodies: Buffer[] } | undefined
  #sent = 0

  constructor(options: SpoolOptions) {
    this.#options = { segmentBytes: Math.min(1 << 20, Math.ceil(options.maxBytes / 4)), ...options }
    mkdirSync(options.directory, { recursive: true, mode: 0o700 })
    this.#segments = readdirSync(options.directory)
      .filter((name) => /^\d{10}\.seg$/.test(name))
      .map((name) => ({
        number: Number.parseInt(name, 10),
        bytes: statSync(join(options.directory, name)).size,
        sealed: true,
      }))
      .sort((a, b) => a.number - b.number)
    const [number, sent] = this.#readSent()
    if (number === this.#segments[0]?.number) this.#sent = sent
  }

  get isEmpty(): boolean {
    return this.peek() === undefined
  }

  get bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Throws if the disk is full even after the oldest file was removed. */
  append(body: Uint8Array): void {
    const size = recordBytes(body)
    while (this.#segments.length > 0 && this.bytes + size > this.#options.maxBytes) this.#dropOldest()
    try {
      this.#write(body)
    } catch (error) {
      if (!isFull(error) || this.#segments.length === 0) throw error
      this.#dropOldest()
      this.#write(body)
    }
  }

  peek(): Spooled | undefined {
    for (let segment = this.#segments[0]; segment !== undefined; segment = this.#segments[0]) {
      const bodies = this.#bodiesOf(segment)
      const body = bodies[this.#sent]
      if (body !== undefined) return { segment: segment.number, index: this.#sent, body }
      this.#remove(segment)
    }
    return undefined
  }

  /** Marks a request as delivered. Does nothing if it is no longer the first. */
  done({ segment, index }: Spooled): void {
    if (this.#segments[0]?.number !== segment || index !== this.#sent) return
    this.#sent++
    if (this.#segments.length > 1 && this.#front?.bodies[this.#sent] === undefined) this.peek()
    else this.#writeSent(segment)
  }

  #write(body: Uint8Array): void {
    let segment = this.#segments.at(-1)
    if (segment === undefined || segment.sealed || segment.bytes >= this.#options.segmentBytes) {
      segment = { number: Math.max(segment?.number ?? 0, this.#readSent()[0]) + 1, bytes: 0, sealed: false }
      this.#segments.push(segment)
    }
    try {
      appendRecord(this.#pathOf(segment), body)
      segment.bytes += recordBytes(body)
    } catch (error) {
      if (segment.bytes === 0) this.#remove(segment)
      throw error
    }
    if (this.#front?.number === segment.number) this.#front.bodies.push(Buffer.from(body))
  }

  /** Reads the whole file at once, because it is small and read once. */
  #bodiesOf(segment: Segment): Buffer[] {
    if (this.#front?.number !== segment.number) {
      let bodies: Buffer[] = []
      try {
        bodies = readSegment(this.#pathOf(segment))
      } catch {}
      this.#front = { number: segment.number, bodies }
    }
    return this.#front.bodies
  }

  #dropOldest(): void {
    const oldest = this.#segments[0]!
    this.dropped += Math.max(0, this.#bodiesOf(oldest).length - this.#sent)
    this.#remove(oldest)
  }

  #remove(segment: Segment): void {
    const isFront = this.#segments[0] === segment
    this.#segments = this.#segments.filter((other) => other !== segment)
    rmSync(this.#pathOf(segment), { force: true })
    if (this.#front?.number === segment.number) this.#front = undefined
    if (!isFront) return
    this.#sent = 0
    this.#writeSent(segment.number + 1)
  }

  #pathOf({ number }: Segment): string {
    return join(this.#options.directory, `${String(number).padStart(10, '0')}.seg`)
  }

  /** Ignores errors: if the disk is full, delivered requests are sent again after a restart. */
  #writeSent(number: number): void {
    try {
      writeFileSync(join(this.#options.directory, 'sent'), `${number} ${this.#sent}\n`)
    } catch {}
  }

  #readSent(): [number, number] {
    try {
      const [number, sent] = readFileSync(join(this.#options.directory, 'sent'), 'utf8')
        .split(' ')
        .map(Number)
      return [number || 0, sent || 0]
    } catch {
      return [0, 0]
    }
  }
}

interface Segment {
  readonly number: number
  bytes: number
  /** True for a file of an earlier run. A crash may have truncated it, so nothing is appended to it. */
  readonly sealed: boolean
}

const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '')
