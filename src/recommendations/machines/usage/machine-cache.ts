import { hourMs } from '../../../domain/time.ts'
import { LruCache } from '../../../runtime/answer-cache.ts'
import { lateUsageVersion } from '../../../usage/late-usage.ts'
import type { HourRange } from '../../../usage/reading/pod-usage.ts'
import type { SizedMachine } from './machine.ts'
import { MachineReader, type ReadMachine } from './machine-reader.ts'
import { CachedMachine, isWorthKeeping, MachineWindow } from './machine-window.ts'
import type { ReadingDeps } from './reading-deps.ts'

const maxWindows = 10_000
const defaults = {
  /** About 55 MB. */
  maxProcesses: 100_000,
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
  readonly #inFlight = new Map<string, Promise<ReadMachine | undefined>>()

  constructor(deps: ReadingDeps, { maxProcesses, clockMs } = defaults) {
    this.maxProcesses = maxProcesses
    this.#deps = deps
    this.#clockMs = clockMs
    this.#machines = new LruCache({ size: maxProcesses, count: maxProcesses })
    this.#order = new LruCache({ size: maxProcesses, count: maxProcesses })
  }

  /** Yields the machines after a name, ordered by name. Each is computed when it is reached. */
  async *after(organisation: string, hours: HourRange, name: string): AsyncGenerator<ReadMachine> {
    const window = await this.#windowOf(organisation, hours)
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
    const window = await this.#windowOf(organisation, hours)
    const machine = this.#machines.find(window.nameOf(vm), [], this.#clockMs())
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
    return machine && { machine, isLast: next!.isLast }
  }

  /** Concurrent requests for the same machine share one read. */
  #read(window: MachineWindow, selector: MachineSelector, work: () => Promise<ReadMachine | undefined>) {
    const key = window.nameOf(JSON.stringify(selector))
    const known = this.#inFlight.get(key)
    if (known !== undefined) return known
    const startedMs = this.#clockMs()
    const read = work()
      .then((made) => {
        if (made !== undefined) this.#keep(window, selector, made, startedMs)
        return made
      })
      .finally(() => this.#inFlight.delete(key))
    this.#inFlight.set(key, read)
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

  async #windowOf(organisation: string, { from, to }: HourRange): Promise<MachineWindow> {
    const lateAt = await this.#deps.store.usage.lateUsageAt(organisation)
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

type MachineSelector = { readonly after: string } | { readonly vm: string }
