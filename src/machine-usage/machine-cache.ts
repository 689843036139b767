import { RecentAnswers } from '../runtime/recent-answers.ts'
import { BackgroundWork } from '../runtime/yielder.ts'
import type { HourRange } from '../usage/reading/pod-usage.ts'
import type { SizedMachine } from './machine.ts'
import { MachineReader, type ReadMachine } from './machine-reader.ts'
import type { ReadingDeps } from './reading-deps.ts'

/** About 500 times what working it out takes, as for containers: a small machine is believed for moments, a hundred large ones for an hour. */
const believedMsPerProcess = 175
const mostBelievedMs = 3_600_000
const mostWindows = 10_000
const defaults = {
  /** About 55 MB. */
  mostProcesses: 100_000,
  clockMs: () => performance.now(),
}

/**
 * Machines as they were worked out lately. Judging two hundred processes over two weeks takes long enough to be felt, and a
 * page has a hundred machines; what a page says changes by the hour. Prices are no part of it.
 */
export class MachineCache {
  /** How many processes are kept at most, of all organisations. */
  readonly mostProcesses: number
  readonly #deps: ReadingDeps
  readonly #clockMs: () => number
  readonly #windows = new RecentAnswers<Window>({ size: mostWindows, count: mostWindows })
  readonly #machines: RecentAnswers<SizedMachine>
  /** Which machine comes after a name. */
  readonly #order: RecentAnswers<{ readonly vm: string; readonly isLast: boolean | undefined }>
  readonly #underWay = new Map<string, Reading>()

  constructor(deps: ReadingDeps, { mostProcesses, clockMs } = defaults) {
    this.mostProcesses = mostProcesses
    this.#deps = deps
    this.#clockMs = clockMs
    this.#machines = new RecentAnswers({ size: mostProcesses, count: mostProcesses })
    this.#order = new RecentAnswers({ size: mostProcesses, count: mostProcesses })
  }

  /** Machines in order of name, those after one only; each is worked out when it is reached. */
  async *after(organisation: string, hours: HourRange, name: string): AsyncGenerator<ReadMachine> {
    const window = this.#windowOf(organisation, hours)
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
    const window = this.#windowOf(organisation, hours)
    const machine = this.#machines.find(window.key(vm), [], this.#clockMs())
    if (machine !== undefined) return { machine, isLast: true }
    return this.#read(window, { vm }, async () => {
      const advise = await this.#deps.advisor(organisation)
      return new MachineReader(this.#deps, organisation, hours).named(vm, advise)
    })
  }

  #knownAfter(window: Window, name: string): ReadMachine | undefined {
    const atMs = this.#clockMs()
    const next = this.#order.find(window.key(name), [], atMs)
    const machine = next && this.#machines.find(window.key(next.vm), [], atMs)
    return machine && { machine, isLast: next.isLast }
  }

  /** Those who ask for the same meanwhile wait for it too. */
  #read(window: Window, of: Place, work: () => Promise<ReadMachine | undefined>) {
    const key = window.key(JSON.stringify(of))
    const known = this.#underWay.get(key)
    known?.background?.hurryUntil(known.read)
    if (known !== undefined) return known.read
    const startedMs = this.#clockMs()
    const read = work()
      .then((made) => {
        if (made !== undefined) this.#keep(window, of, made, startedMs)
        return made
      })
      .finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, { read, background: BackgroundWork.current })
    return read
  }

  #keep(window: Window, of: Place, { machine, isLast }: ReadMachine, startedMs: number): void {
    const processes = machine.processes.length
    window.processes = Math.max(window.processes, processes)
    // The processes of a new machine are still arriving. A short history is quick to read.
    if (machine.watchedHours < grownHours || processes > this.mostProcesses) return
    this.#machines.keep(window.key(machine.vm), new Kept(machine, processes, window, startedMs))
    if ('after' in of)
      this.#order.keep(window.key(of.after), new Kept({ vm: machine.vm, isLast }, 1, window, startedMs))
  }

  #windowOf(organisation: string, { from, to }: HourRange): Window {
    const name = [organisation, from, to].join('\0')
    const known = this.#windows.find(name, [], 0)
    const window = known ?? new Window(name)
    if (known === undefined)
      this.#windows.keep(name, { answer: window, basis: [], size: 1, goodUntilMs: Number.POSITIVE_INFINITY })
    return window
  }
}

const grownHours = 24

interface Reading {
  readonly read: Promise<ReadMachine | undefined>
  /** What it is read for; undefined where somebody waits for it. */
  readonly background: BackgroundWork | undefined
}

type Place = { readonly after: string } | { readonly vm: string }

/** Some hours of an organisation. */
class Window {
  readonly #name: string
  /** How many were read in one go, at most. */
  processes = 0

  constructor(name: string) {
    this.#name = name
  }

  key(rest: string): string {
    return `${this.#name}\0${rest}`
  }
}

/** Is believed for longer the more of its window was read, so that all of it is known at a time. */
class Kept<Answer> {
  readonly answer: Answer
  readonly basis = []
  readonly size: number
  readonly #window: Window
  readonly #readAtMs: number

  constructor(answer: Answer, size: number, window: Window, readAtMs: number) {
    this.answer = answer
    this.size = size
    this.#window = window
    this.#readAtMs = readAtMs
  }

  get goodUntilMs(): number {
    return this.#readAtMs + Math.min(mostBelievedMs, this.#window.processes * believedMsPerProcess)
  }
}
