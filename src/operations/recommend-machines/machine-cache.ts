import type { HourRange } from '../../usage/reading/pod-usage.ts'
import type { SizedMachine } from './machine.ts'
import { MachineReader, type ReadMachine } from './machine-reader.ts'
import type { ReadingDeps } from './reading-deps.ts'

/** What took long to work out is believed longer: one machine of a few processes for moments, a large one for minutes. */
const believedPerWork = 500
const mostBelievedMs = 300_000
const defaults = {
  /** About 30 MB. */
  mostProcesses: 100_000,
  clockMs: () => performance.now(),
}

/**
 * Machines as they were worked out lately. Judging two hundred processes over two weeks takes long enough to be felt, and a
 * page has a hundred machines; what a page says changes by the hour.
 */
export class MachineCache {
  readonly #deps: ReadingDeps
  readonly #mostProcesses: number
  readonly #clockMs: () => number
  readonly #pages = new Map<string, Page>()
  #processes = 0

  constructor(deps: ReadingDeps, { mostProcesses, clockMs } = defaults) {
    this.#deps = deps
    this.#mostProcesses = mostProcesses
    this.#clockMs = clockMs
  }

  /** Machines in order of name, those after one only; each is worked out when it is reached. */
  async *after(organisation: string, hours: HourRange, name: string): AsyncGenerator<ReadMachine> {
    const walk = new MachineReader(this.#deps, organisation, hours)
    const advise = await this.#deps.advisor(organisation)
    try {
      let last = name
      for (;;) {
        const from = last
        const walked = await this.#page(keyOf(organisation, hours, '>', from), () => walk.after(from, advise))
        if (walked === undefined) return
        this.#noteName(organisation, hours, from, walked.machine)
        yield walked
        last = walked.machine.vm
      }
    } finally {
      await walk.close()
    }
  }

  async named(organisation: string, hours: HourRange, vm: string): Promise<ReadMachine | undefined> {
    return this.#page(keyOf(organisation, hours, '=', vm), async () => {
      const advise = await this.#deps.advisor(organisation)
      return new MachineReader(this.#deps, organisation, hours).named(vm, advise)
    })
  }

  #page(key: string, work: () => Promise<ReadMachine | undefined>): Promise<ReadMachine | undefined> {
    const known = this.#pages.get(key)
    if (known !== undefined && this.#clockMs() < known.goodUntilMs) return known.walked
    if (known !== undefined) this.#drop(key, known)
    const startedMs = this.#clockMs()
    const page: Page = { walked: work(), goodUntilMs: Number.POSITIVE_INFINITY, processes: 0 }
    this.#pages.set(key, page)
    page.walked.then(
      (walked) => {
        if (this.#pages.get(key) !== page) return
        if (isGrowing(walked)) {
          this.#drop(key, page)
          return
        }
        const endedMs = this.#clockMs()
        page.goodUntilMs = endedMs + Math.min(mostBelievedMs, (endedMs - startedMs) * believedPerWork)
        page.processes = 1 + (walked?.machine.processes.length ?? 0)
        this.#processes += page.processes
        this.#forgetOldest()
      },
      () => this.#drop(key, page),
    )
    return page.walked
  }

  /** Keeps the next machine, because the request for the following page starts with it. */
  #noteName(organisation: string, hours: HourRange, from: string, machine: SizedMachine): void {
    const page = this.#pages.get(keyOf(organisation, hours, '>', from))
    const key = keyOf(organisation, hours, '=', machine.vm)
    if (page === undefined) return
    const known = this.#pages.get(key)
    if (known !== undefined && this.#clockMs() < known.goodUntilMs) return
    if (known !== undefined) this.#drop(key, known)
    this.#pages.set(key, { ...page, processes: 0 })
  }

  #forgetOldest(): void {
    for (const [key, page] of this.#pages) {
      if (this.#processes <= this.#mostProcesses) return
      this.#drop(key, page)
    }
  }

  #drop(key: string, page: Page): void {
    if (this.#pages.get(key) !== page) return
    this.#pages.delete(key)
    this.#processes -= page.processes
  }
}

/** The processes of a new machine are still arriving. A short history is quick to read and is not cached. */
const isGrowing = (walked: ReadMachine | undefined): boolean =>
  walked === undefined || walked.machine.watchedHours < grownHours

const grownHours = 24

interface Page {
  readonly walked: Promise<ReadMachine | undefined>
  goodUntilMs: number
  processes: number
}

const keyOf = (organisation: string, { from, to }: HourRange, relation: '>' | '=', name: string): string =>
  [organisation, from, to, relation, name].join('\0')
