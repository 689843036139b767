import { type KernelFiles, numberIn } from './kernel-files.ts'
import type { Process } from './process-table.ts'

interface PssOptions {
  /** Time between two measurements. */
  readonly intervalSeconds: number
  /** How often the PSS of a process is read. Between two readings it is scaled with the resident size. */
  readonly everySeconds: number
}

/**
 * Reads the proportional set size (PSS) of processes, in which a shared page counts in equal parts for all that share it.
 * The kernel walks all pages of a process to report it. Each process is therefore read once a minute, not all at the same
 * time, and a huge one so rarely that it takes at most a thousandth of a core.
 */
export class PssReader {
  readonly #files: KernelFiles
  readonly #options: PssOptions
  readonly #read = new WeakMap<Process, Reading>()
  #measurements = 0

  constructor(files: KernelFiles, options: PssOptions) {
    this.#files = files
    this.#options = options
  }

  startMeasurement(): void {
    this.#measurements++
  }

  /** undefined if this user may not read it, or the kernel does not report it (before 4.14). */
  bytesOf(process: Process): number | undefined {
    if (process.kernelThread || process.rssBytes === 0) return 0
    const before = this.#read.get(process)
    const reading = before === undefined || this.#isDue(before, process) ? this.#ask(process) : before
    if (reading.pssBytes === undefined) return undefined
    return Math.round(reading.pssBytes * Math.min(maxGrowth, process.rssBytes / reading.rssBytes))
  }

  #isDue(reading: Reading, { rssBytes }: Process): boolean {
    if (this.#measurements >= reading.dueMeasurement) return true
    if (reading.pssBytes === undefined || reading.costly) return false
    const change = Math.abs(rssBytes - reading.rssBytes)
    return change > notableBytes && change > notableShare * reading.rssBytes
  }

  #ask(process: Process): Reading {
    const { everySeconds, intervalSeconds } = this.#options
    const everyMeasurements = Math.max(1, Math.round(everySeconds / intervalSeconds))
    const start = performance.now()
    const length = this.#files.read(`${process.directory}/smaps_rollup`)
    const spentMs = performance.now() - start
    const kib = length < 0 ? undefined : numberIn(this.#files.bytes, length, 'Pss:')
    const restMeasurements = Math.ceil(spentMs / intervalSeconds)
    const turn = this.#read.has(process) ? everyMeasurements : 1 + (process.pid % everyMeasurements)
    const reading: Reading = {
      pssBytes: kib === undefined ? undefined : kib * 1024,
      rssBytes: process.rssBytes,
      dueMeasurement:
        this.#measurements + (kib === undefined ? 10 * everyMeasurements : Math.max(turn, restMeasurements)),
      costly: restMeasurements > everyMeasurements,
    }
    this.#read.set(process, reading)
    return reading
  }
}

interface Reading {
  readonly pssBytes: number | undefined
  /** The resident size when the PSS was read. */
  readonly rssBytes: number
  readonly dueMeasurement: number
  readonly costly: boolean
}

/** A process whose resident size has changed by more than both of these is read again early. */
const notableBytes = 16 << 20
const notableShare = 0.1

/** Limits the scaling, because the kernel may report too small a resident size for a process that has just started. */
const maxGrowth = 8
