import { setTimeout as pause } from 'node:timers/promises'
import { dayHours, dayMs, hourMs } from '../domain/time.ts'
import type { MachineCache } from '../machine-usage/machine-cache.ts'
import type { ReadMachine } from '../machine-usage/machine-reader.ts'
import type { SizesCache } from '../namespace-sizes/answer/sizes-cache.ts'
import { everyNamespace, type SizesDeps, type SizesQuery } from '../namespace-sizes/size-namespaces.ts'
import { BackgroundWork } from '../runtime/yielder.ts'
import type { HourRange } from '../usage/reading/pod-usage.ts'
import type { AdviceCache } from './list-recommendations/advice-cache.ts'
import { sizesAnswer } from './recommend-sizes/sizes-answer.ts'
import { type CostsCache, costsAnswer } from './report-costs/costs-answer.ts'
import { parseCostsRequest } from './report-costs/query.ts'
import type { CostsDeps } from './report-costs/report-costs.ts'

/** At the start nobody has sent a request yet, so this many organisations with usage are warmed. */
const maxAtStart = 20
/** The warmer rests this many times as long as it worked, so that it uses at most a quarter of a core. */
const usualRestPerWork = 3
const [warmUpContainers, warmUpRounds] = [50, 3]
/** In the last minutes of an hour the windows of the next hour are computed, so that they are ready when it begins. */
const aheadMs = 15 * 60_000
/** Share of the machine cache that is filled in advance. The rest is left for machines that are requested. */
const warmedShare = 0.75

export interface WarmingDeps {
  readonly sizes: SizesDeps & { readonly sizesCache: SizesCache }
  readonly costs: CostsDeps & { readonly costsCache: CostsCache }
  readonly machines: MachineCache
  readonly advice: Pick<AdviceCache, 'renew'>
  readonly usage: { partitions(): Promise<readonly { readonly organisation: string }[]> }
  /** Returns organisations that sent requests within this time. */
  askedWithin(ms: number): readonly string[]
  /** Whether a request is being processed; requests go first. */
  isBusy(): boolean
  /** Resolves when all usage of an organisation that was acknowledged before the start can be read. */
  loaded(organisation: string, signal: AbortSignal): Promise<void>
  /**
   * Whether this node computes the answers of an organisation, until it releases it. Other nodes read them from the
   * database.
   */
  claim(organisation: string): Promise<boolean>
  release(organisation: string): Promise<void>
}

/** Computes the most likely answers before they are requested, so that they are cached and the code is compiled. */
export class AnswersWarmer {
  readonly #deps: WarmingDeps
  readonly #restPerWork: number
  /**
   * Organisations that had usage at the start and have not been warmed since. An organisation whose usage is still
   * being loaded is not warmed, because answers from a part of its usage would be wrong.
   */
  #unwarmed: Set<string> | undefined

  constructor(deps: WarmingDeps, restPerWork = usualRestPerWork) {
    this.#deps = deps
    this.#restPerWork = restPerWork
  }

  /**
   * Runs one round over the organisations that sent requests lately, and at first over those that have usage. An
   * organisation whose usage is still being loaded is left for the next round.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { machines } = this.#deps
    this.#unwarmed ??= await this.#atStart()
    const full = machines.maxProcesses * warmedShare
    const budget: Budget = { full, left: full }
    const failures: unknown[] = []
    for (const organisation of new Set([...this.#deps.askedWithin(dayMs), ...this.#unwarmed])) {
      try {
        if (await this.#warm(organisation, budget, signal)) this.#unwarmed.delete(organisation)
      } catch (error) {
        signal.throwIfAborted()
        failures.push(error)
      } finally {
        await this.#deps.release(organisation).catch((error) => failures.push(error))
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  /** Returns false if the answers must be computed again because the first model was trained meanwhile. */
  async #warm(organisation: string, budget: Budget, signal: AbortSignal): Promise<boolean> {
    const { sizes, loaded } = this.#deps
    await loaded(organisation, signal)
    const windows = windowsToWarm(sizes.now())
    for (const [index, hours] of windows.entries()) {
      const warming = { organisation, hours, signal }
      await this.#warmSizes(warming)
      // The first model, if it was trained meanwhile, changes the list, and this renews it before the remaining windows.
      await this.#warmAdvice(warming)
      if (index % windowDays.length === 0) await this.#warmCosts(warming)
      await this.#warmMachines(warming, budget)
    }
    for (const hours of windows)
      if (!(await sizes.sizesCache.isSettled(organisation, { ...everyNamespace, hours }))) return false
    return true
  }

  /**
   * Reads the answers that were kept before the start, and sizes some containers whether or not their answer is kept,
   * so that the first request does not wait for code that never ran. Shared reads that are in progress when `signal`
   * aborts continue at low priority until `stopped` aborts.
   */
  warmUpCode(signal: AbortSignal, stopped = signal): Promise<void> {
    return new BackgroundWork(() => this.#deps.isBusy(), stopped).run(() => this.#warmUpCode(signal))
  }

  async #warmUpCode(signal: AbortSignal): Promise<void> {
    this.#unwarmed ??= await this.#atStart()
    const [organisation] = this.#unwarmed
    if (organisation === undefined) return
    await this.#deps.loaded(organisation, signal)
    const { sizesCache, ...sizes } = this.#deps.sizes
    const windows = defaultWindows(sizes.now())
    for (const hours of windows) {
      const kept = await sizesCache.find(organisation, { ...everyNamespace, hours })
      for await (const _ of kept?.pieces('json') ?? []) signal.throwIfAborted()
    }
    const hours = windows[0]!
    const query = { ...everyNamespace, hours, containerLimit: warmUpContainers }
    for (let round = 0; round < warmUpRounds; round++) {
      const { pieces } = await sizesAnswer(sizes, organisation, query, 'json', signal)
      for await (const _ of pieces) signal.throwIfAborted()
    }
  }

  async #atStart(): Promise<Set<string>> {
    const partitions = await this.#deps.usage.partitions()
    const all = new Set(partitions.map(({ organisation }) => organisation))
    return new Set([...all].slice(0, maxAtStart))
  }

  async #warmSizes({ organisation, hours, signal }: Warming): Promise<void> {
    const { sizes } = this.#deps
    const query: SizesQuery = { ...everyNamespace, hours }
    if ((await sizes.sizesCache.isSettled(organisation, query)) || !(await this.#isOurs(organisation))) return
    await this.#runInBackground(
      async () => (await sizesAnswer(sizes, organisation, query, 'ndjson', signal)).pieces,
      signal,
    )
  }

  async #warmAdvice({ organisation, signal }: Warming): Promise<void> {
    const { advice } = this.#deps
    const isOurs = () => this.#isOurs(organisation)
    async function* renew() {
      yield await advice.renew(organisation, isOurs, signal)
    }
    await this.#runInBackground(async () => renew(), signal)
  }

  async #warmCosts({ organisation, hours, signal }: Warming): Promise<void> {
    const { costs } = this.#deps
    const [start_date, end_date] = [hours.from, hours.to].map((hour) => new Date(hour * hourMs).toISOString())
    for (const [group_by, step] of overviewCosts) {
      const query = parseCostsRequest({ group_by, step, start_date, end_date }, costs.now(), costs.labels)
      const isSettled = await costs.costsCache.isSettled({ organisation, query, format: 'json' })
      if (isSettled || !(await this.#isOurs(organisation))) continue
      await this.#runInBackground(
        async () => (await costsAnswer(costs, organisation, query, 'json', signal)).pieces,
        signal,
      )
    }
  }

  /**
   * Reads the first machines by name, as many as fit into the budget. If earlier windows used a part of it and the rest
   * is too small, the window is left for the next round.
   */
  async #warmMachines({ organisation, hours, signal }: Warming, budget: Budget): Promise<void> {
    const { machines } = this.#deps
    const isUntouched = budget.left === budget.full
    if (budget.left <= 0 || (await machines.isArchived(organisation, hours))) return
    if (!(await this.#isOurs(organisation))) return
    const seen: ReadMachine[] = []
    async function* read() {
      for await (const next of machines.after(organisation, hours, '')) {
        budget.left -= next.machine.processes.length
        if (budget.left <= 0) break
        seen.push(next)
        yield
      }
      if (isUntouched || budget.left > 0) await machines.archive(organisation, hours, seen)
    }
    await this.#runInBackground(async () => read(), signal)
  }

  /** If the database cannot be written, every node computes answers for itself. */
  #isOurs(organisation: string): Promise<boolean> {
    return this.#deps.claim(organisation).catch(() => true)
  }

  async #runInBackground(parts: () => Promise<AsyncIterable<unknown>>, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const startedMs = performance.now()
    const work = new BackgroundWork(() => this.#deps.isBusy(), signal)
    await work.run(async () => {
      await work.pauseWhileBusy()
      for await (const _ of await parts()) {
        await work.pauseWhileBusy()
        signal.throwIfAborted()
      }
    })
    const workedMs = performance.now() - startedMs - work.pausedMs
    await pause(workedMs * this.#restPerWork, undefined, { signal })
  }
}

/** Processes of machines that may be read in one round. */
interface Budget {
  readonly full: number
  left: number
}

/** The costs that the overview page of the console shows: the trend by day, and the largest namespaces. */
const overviewCosts = [
  ['cluster', 'day'],
  ['namespace', 'week'],
] as const

interface Warming {
  readonly organisation: string
  readonly hours: HourRange
  readonly signal: AbortSignal
}

const windowDays = [14, 7, 30]

const windowsUpTo = (hour: number): HourRange[] =>
  windowDays.map((days) => ({ from: hour - days * dayHours, to: hour }))

/** Returns windows of 14, 7 and 30 days up to the end of the current hour, as the console requests them. */
export const defaultWindows = (nowMs: number): HourRange[] => windowsUpTo(Math.floor(nowMs / hourMs) + 1)

/** Returns windows of 14, 7 and 30 whole days up to the last midnight, as requested by scripts that work with dates. */
export const wholeDayWindows = (nowMs: number): HourRange[] =>
  windowsUpTo(Math.floor(nowMs / dayMs) * dayHours)

/** Returns the windows of this hour, those of the next hour if it begins soon, and those of whole days. */
function windowsToWarm(nowMs: number): HourRange[] {
  const isSoon = nowMs % hourMs >= hourMs - aheadMs
  const ahead = isSoon ? defaultWindows(nowMs + hourMs) : []
  return [...defaultWindows(nowMs), ...ahead, ...wholeDayWindows(nowMs)]
}
