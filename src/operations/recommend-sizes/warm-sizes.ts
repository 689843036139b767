import { setTimeout as pause } from 'node:timers/promises'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import type { SizesDeps } from './deps.ts'
import type { KeptSizes } from './kept-sizes.ts'
import { everyNamespace, type SizesQuery } from './query.ts'
import { sizesAnswer } from './sizes-answer.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
/** At the start nobody has asked yet: so many organisations are taken that have usage. */
const mostAtStart = 20
/** Rests so much longer than it worked, to use a tenth of a core at most. */
const restPerWork = 9
const waitMs = 100

export interface WarmingDeps {
  readonly sizes: SizesDeps & { readonly kept: KeptSizes }
  readonly usage: { partitions(): Promise<readonly { readonly organisation: string }[]> }
  /** Whether anybody's request is being worked on; that goes first. */
  isBusy(): boolean
  /** Resolves when all usage of an organisation that was acknowledged before the start can be read. */
  loaded(organisation: string, signal: AbortSignal): Promise<void>
}

/** Works out the answers that people ask for first, before they do, so that these are kept and the code has run. */
export class SizesWarmer {
  readonly #deps: WarmingDeps
  #isStarted = false

  constructor(deps: WarmingDeps) {
    this.#deps = deps
  }

  /** One round over the organisations that asked lately, and at first over those that have usage. */
  async run(signal: AbortSignal): Promise<void> {
    const { sizes } = this.#deps
    const organisations = new Set(sizes.kept.askedSince(sizes.now() - dayMs))
    if (!this.#isStarted) {
      const partitions = await this.#deps.usage.partitions()
      const all = new Set(partitions.map(({ organisation }) => organisation))
      for (const organisation of [...all].slice(0, mostAtStart)) organisations.add(organisation)
    }
    this.#isStarted = true
    for (const organisation of organisations) {
      await this.#deps.loaded(organisation, signal)
      for (const hours of defaultWindows(sizes.now())) await this.#warm(organisation, hours, signal)
    }
  }

  async #warm(organisation: string, hours: HourRange, signal: AbortSignal): Promise<void> {
    const { sizes } = this.#deps
    const query: SizesQuery = { ...everyNamespace, hours }
    signal.throwIfAborted()
    if (await sizes.kept.isSettled(organisation, query)) return
    const startedMs = performance.now()
    let waitedMs = 0
    const { pieces } = await sizesAnswer(sizes, organisation, query, 'ndjson', signal)
    for await (const _ of pieces)
      for (; this.#deps.isBusy(); waitedMs += waitMs) await pause(waitMs, undefined, { signal })
    await pause((performance.now() - startedMs - waitedMs) * restPerWork, undefined, { signal })
  }
}

/** Windows of 14, 7 and 30 days up to the hour that runs, as the console asks for them. */
export function defaultWindows(nowMs: number): HourRange[] {
  const to = Math.floor(nowMs / hourMs) + 1
  return [14, 7, 30].map((days) => ({ from: to - days * 24, to }))
}
