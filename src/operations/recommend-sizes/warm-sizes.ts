import { setTimeout as pause } from 'node:timers/promises'
import { dayMs, hourMs } from '../../domain/time.ts'
import type { GiveWay } from '../../runtime/yielder.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import { costsAnswer } from '../report-costs/costs-answer.ts'
import type { KeptCosts } from '../report-costs/kept-costs.ts'
import { parseCostsRequest } from '../report-costs/query.ts'
import type { CostsDeps } from '../report-costs/report-costs.ts'
import type { SizesDeps } from './deps.ts'
import type { KeptSizes } from './kept-sizes.ts'
import { everyNamespace, type SizesQuery } from './query.ts'
import { sizesAnswer } from './sizes-answer.ts'

/** At the start nobody has asked yet: so many organisations are taken that have usage. */
const mostAtStart = 20
/** Rests so much longer than it worked, to use a tenth of a core at most. */
const restPerWork = 9
const waitMs = 100

export interface WarmingDeps {
  readonly sizes: SizesDeps & { readonly kept: KeptSizes }
  readonly costs: CostsDeps & { readonly keptCosts: KeptCosts }
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
      const [first, ...others] = defaultWindows(sizes.now())
      await this.#warmSizes(organisation, first!, signal)
      await this.#warmCosts(organisation, first!, signal)
      for (const hours of others) await this.#warmSizes(organisation, hours, signal)
    }
  }

  async #warmSizes(organisation: string, hours: HourRange, signal: AbortSignal): Promise<void> {
    const { sizes } = this.#deps
    const query: SizesQuery = { ...everyNamespace, hours }
    signal.throwIfAborted()
    if (await sizes.kept.isSettled(organisation, query)) return
    await this.#take(signal, (giveWay) =>
      sizesAnswer({ ...sizes, giveWay }, organisation, query, 'ndjson', signal),
    )
  }

  async #warmCosts(organisation: string, hours: HourRange, signal: AbortSignal): Promise<void> {
    const { costs } = this.#deps
    const [start_date, end_date] = [hours.from, hours.to].map((hour) => new Date(hour * hourMs).toISOString())
    for (const [group_by, step] of overviewCosts) {
      signal.throwIfAborted()
      const query = parseCostsRequest({ group_by, step, start_date, end_date }, costs.now(), costs.labels)
      if (await costs.keptCosts.isSettled({ organisation, query, format: 'json' })) continue
      await this.#take(signal, (giveWay) =>
        costsAnswer({ ...costs, giveWay }, organisation, query, 'json', signal),
      )
    }
  }

  async #take(
    signal: AbortSignal,
    answer: (giveWay: GiveWay) => Promise<{ readonly pieces: AsyncIterable<unknown> }>,
  ): Promise<void> {
    const startedMs = performance.now()
    let waitedMs = 0
    const giveWay = async () => {
      for (; this.#deps.isBusy(); waitedMs += waitMs) await pause(waitMs, undefined, { signal })
    }
    const { pieces } = await answer(giveWay)
    for await (const _ of pieces) await giveWay()
    await pause((performance.now() - startedMs - waitedMs) * restPerWork, undefined, { signal })
  }
}

/** What the overview of the console shows: the trend by day, and the largest namespaces. */
const overviewCosts = [
  ['cluster', 'day'],
  ['namespace', 'week'],
] as const

/** Windows of 14, 7 and 30 days up to the hour that runs, as the console asks for them. */
export function defaultWindows(nowMs: number): HourRange[] {
  const to = Math.floor(nowMs / hourMs) + 1
  return [14, 7, 30].map((days) => ({ from: to - days * 24, to }))
}
