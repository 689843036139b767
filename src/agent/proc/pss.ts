import { type KernelFiles, numberIn } from './kernel-files.ts'
import type { Process } from './process-table.ts'

interface PssOptions {
  /** Time between two looks. */
  readonly lookSeconds: number
  /** How often a process's share is read; between, it follows the resident size. */
  readonly everySeconds: number
}

/**
 * Proportional memory of processes: shared pages count in equal parts for those who share them. The kernel walks all pages
 * of a process to report it, so each process is asked once a minute, in turn, and a huge one so seldom that it costs at most
 * a thousandth of a core.
 */
export class PssReader {
  readonly #files: KernelFiles
  readonly #options: PssOptions
  readonly #read = new WeakMap<Process, Reading>()
  #looks = 0

  constructor(files: KernelFiles, options: PssOptions) {
    this.#files = files
    this.#options = options
  }

  startLook(): void {
    this.#looks++
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
    if (this.#looks >= reading.dueLook) return true
    if (reading.pssBytes === undefined || reading.costly) return false
    const change = Math.abs(rssBytes - reading.rssBytes)
    return change > notableBytes && change > notableShare * reading.rssBytes
  }

  #ask(process: Process): Reading {
    const { everySeconds, lookSeconds } = this.#options
    const everyLooks = Math.max(1, Math.round(everySeconds / lookSeconds))
    const start = performance.now()
    const length = this.#files.read(`${process.folder}/smaps_rollup`)
    const spentMs = performance.now() - start
    const kib = length < 0 ? undefined : numberIn(this.#files.bytes, length, 'Pss:')
    const restLooks = Math.ceil(spentMs / lookSeconds)
    const turn = this.#read.has(process) ? everyLooks : 1 + (process.pid % everyLooks)
    const reading: Reading = {
      pssBytes: kib === undefined ? undefined : kib * 1024,
      rssBytes: process.rssBytes,
      dueLook: this.#looks + (kib === undefined ? 10 * everyLooks : Math.max(turn, restLooks)),
      costly: restLooks > everyLooks,
    }
    this.#read.set(process, reading)
    return reading
  }
}

interface Reading {
  readonly pssBytes: number | undefined
  /** When it was read. */
  readonly rssBytes: number
  readonly dueLook: number
  readonly costly: boolean
}

/** What is worth asking again before its turn. */
const notableBytes = 16 << 20
const notableShare = 0.1

/** The kernel's resident size may lag behind for a just started process. */
const maxGrowth = 8
