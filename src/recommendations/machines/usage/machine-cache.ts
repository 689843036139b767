import { hourMs } from '../domain/time.ts'
import { LruCache } from '../runtime/answer-cache.ts'
import { BackgroundWork } from '../runtime/yielder.ts'
import { lateUsageVersion } from '../usage/late-usage.ts'
import type { HourRange } from '../usage/reading/pod-usage.ts'
import type { SizedMachine } from './machine.ts'
import { type MachineAnswers, MachineArchive } from './machine-archive.ts'
import { MachineReader, type ReadMachine } from './machine-reader.ts'
import { CachedMachine, isWorthKeeping, MachineWindow } from './machine-window.ts'
import type { ReadingDeps } from './reading-deps.ts'

const maxWindows = 10_000
const defaults = {
  /** About 55 MB. */
  maxProcesses: 100_000,
  minArchived: 1000,
  clockMs: () => performance.now(),
}

/**
 * Recently sized machines. Sizing two hundred processes over two weeks takes noticeable time, a page has a hundred
 * machines, and its content changes by the hour. Prices are not included.
 */
export class MachineCache {
  /** Maximum number of processes that are kept, for all organisations. */
  readonly maxProcesses: number
  readonly #deps: ReadingDeps
  readonly #clockMs: () => number
  readonly #windows = new LruCache<MachineWindow>({ size: maxWindows, count: maxWindows })
  readonly #machines: LruCache<SizedMachine>
  /** The machine that follows each name. */
  readonly #order: LruCache<{ readonly vm: string; readonly isLast: boolean | undefined }>
  readonly #underWay = new Map<string, Reading>()
  readonly #archive: MachineArchive
  readonly #minArchived: number

  constructor(
    deps: ReadingDeps,
    answers?: MachineAnswers,
    { maxProcesses, clockMs, minArchived } = defaults,
  ) {
    this.maxProcesses = maxProcesses
    this.#deps = deps
    this.#archive = new MachineArchive(answers, clockMs)
    this.#minArchived = minArchived
    this.#clockMs = clockMs
    this.#machines = new LruCache({ size: maxProcesses, count: maxProcesses })
    this.#order = new LruCache({ size: maxProcesses, count: maxProcesses })
  }

  /** Yields the machines after a name, ordered by name. Each is computed when it is reached. */
  async *after(organisation: string, hours: HourRange, name: string): AsyncGenerator<ReadMachine> {
    const window = await this.#openedWindow(organisation, hours)
    const walk = new MachineReader(this.#deps, organisation, hours)
    const advise = await this.#deps.advisor(organisation)
    let [last, processes] = [name, 0]
    try {
      for (;;) {
        const from = last
        const read =
          this.#knownAfter(window, from) ??
          (await this.#read(window, { after: from }, () => walk.after(from, advise)))
        if (read === undefined) return
        processes += read.machine.processes.length
        window.processes = Math.max(window.processes, processes)
        yield read
        last = read.machine.vm
      }
    } finally {
      await walk.close()
    }
  }

  async named(organisation: string, hours: HourRange, vm: string): Promise<ReadMachine | undefined> {
    const window = await this.#openedWindow(organisation, hours)
    const machine =
      this.#machines.find(window.nameOf(vm), [], this.#clockMs()) ?? this.#unpacked(window, { vm })?.machine
    if (machine !== undefined) return { machine, isLast: true }
    return this.#read(window, { vm }, async () => {
      const advise = await this.#deps.advisor(organisation)
      return new MachineReader(this.#deps, organisation, hours).named(vm, advise)
    })
  }

  #knownAfter(window: MachineWindow, name: string): ReadMachine | undefined {
    const atMs = this.#clockMs()
    const next = this.#order.find(window.nameOf(name), [], atMs)
    const machine = next && this.#machines.find(window.nameOf(next.vm), [], atMs)
    return machine === undefined ? this.#unpacked(window, { after: name }) : { machine, isLast: next!.isLast }
  }

  /** Whether other nodes, and the next start, can read the machines of these hours from the archive. */
  async isArchived(organisation: string, hours: HourRange): Promise<boolean> {
    return this.#archive.has(this.#windowOf(organisation, hours, await this.#lateUsageAt(organisation)).key)
  }

  /**
   * Archives the first machines of these hours, ordered by name. Small numbers are not archived, since they are quick
   * to read.
   */
  async archive(organisation: string, hours: HourRange, machines: readonly ReadMachine[]): Promise<void> {
    const processes = machines.reduce((sum, { machine }) => sum + machine.processes.length, 0)
    if (processes < this.#minArchived) return
    const readAt = Math.min(...machines.map(({ machine }) => machine.createdAt))
    const lateAt = await this.#lateUsageAt(organisation)
    // Older usage has arrived since they were read, which may be usage of their hours.
    if (lateAt > readAt) return
    const window = this.#windowOf(organisation, hours, lateAt)
    const ttlMs = window.ttlMs(readAt, processes) - (this.#deps.now() - readAt)
    await this.#archive.write(window.key, machines, ttlMs)
  }

  async #openedWindow(organisation: string, hours: HourRange): Promise<MachineWindow> {
    const window = this.#windowOf(organisation, hours, await this.#lateUsageAt(organisation))
    await this.#archive.read(window.key)
    return window
  }

  #unpacked(window: MachineWindow, selector: MachineSelector): ReadMachine | undefined {
    const packed = this.#archive.find(window.key)
    const read = 'vm' in selector ? packed?.named(selector.vm) : packed?.after(selector.after)
    if (read === undefined) return undefined
    window.processes = Math.max(window.processes, packed!.processes)
    this.#keep(window, selector, read, this.#clockMs() - (this.#deps.now() - read.machine.createdAt))
    return read
  }

  /** Concurrent requests for the same machine share one read. */
  #read(window: MachineWindow, selector: MachineSelector, work: () => Promise<ReadMachine | undefined>) {
    const key = window.nameOf(JSON.stringify(selector))
    const known = this.#underWay.get(key)
    known?.background?.avoidPausesUntil(known.read)
    if (known !== undefined) return known.read
    const startedMs = this.#clockMs()
    const read = work()
      .then((made) => {
        if (made !== undefined) this.#keep(window, selector, made, startedMs)
        return made
      })
      .finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, { read, background: BackgroundWork.current })
    return read
  }

  #keep(
    window: MachineWindow,
    selector: MachineSelector,
    { machine, isLast }: ReadMachine,
    startedMs: number,
  ): void {
    const processes = machine.processes.length
    window.processes = Math.max(window.processes, processes)
    if (!isWorthKeeping(machine) || processes > this.maxProcesses) return
    const read = { window, clockMs: startedMs, createdAt: machine.createdAt }
    this.#machines.keep(window.nameOf(machine.vm), new CachedMachine(machine, processes, read))
    if ('after' in selector)
      this.#order.keep(window.nameOf(selector.after), new CachedMachine({ vm: machine.vm, isLast }, 1, read))
  }

  #lateUsageAt(organisation: string): Promise<number> {
    return this.#deps.store.usage.lateUsageAt(organisation)
  }

  #windowOf(organisation: string, { from, to }: HourRange, lateAt: number): MachineWindow {
    const basis = lateUsageVersion(lateAt, this.#deps.now())
    const window = new MachineWindow({ organisation, name: JSON.stringify([from, to]), basis }, to * hourMs)
    const known = this.#windows.find(window.nameOf(''), [], 0)
    if (known === undefined)
      this.#windows.keep(window.nameOf(''), {
        answer: window,
        basis: [],
        size: 1,
        expiresAtMs: Number.POSITIVE_INFINITY,
      })
    return known ?? window
  }
}

interface Reading {
  readonly read: Promise<ReadMachine | undefined>
  /** The background work that started this read; undefined if a request started it. */
  readonly background: BackgroundWork | undefined
}

type MachineSelector = { readonly after: string } | { readonly vm: string }
