import type { NamespaceUsage } from '../costs/clusters/namespace-usage.ts'
import type { NamespaceRef } from '../domain/subject.ts'
import { dayHours, hourMs } from '../domain/time.ts'
import type { Yielder } from '../runtime/yielder.ts'
import { StoreUnavailable } from '../store/port.ts'
import type { DayRange } from '../usage/port.ts'
import type { Container } from '../usage/reading/containers.ts'
import type { HourRange } from '../usage/reading/pod-usage.ts'
import { type DecidingDeps, type DecidingModel, decideNamespace, lookback } from './decide-namespace.ts'
import { inForceDays, type SizeDecision } from './decision.ts'
import { decodeDecision } from './decision-codec.ts'
import { type AskedDay, isInForce } from './is-in-force.ts'

export type FindingDeps = DecidingDeps & { modelOf(organisation: string): Promise<DecidingModel> }

/** Finds the decisions in force at the end of a window. What was not decided is decided now and stored. */
export class DecisionFinder {
  readonly #deps: FindingDeps
  readonly #organisation: string
  readonly #window: HourRange
  readonly #yielder: Yielder
  readonly #isAsked: boolean
  /** The namespace whose missing decisions were made; the batches of one follow each other. */
  #decided: NamespaceUsage | undefined

  constructor(
    deps: FindingDeps,
    organisation: string,
    window: HourRange,
    yielder: Yielder,
    { isAsked } = { isAsked: true },
  ) {
    this.#deps = deps
    this.#organisation = organisation
    this.#window = window
    this.#yielder = yielder
    this.#isAsked = isAsked
  }

  /** Returns decisions by the keys of containers. A container that did not run in the days before is left out. */
  async find(
    reading: NamespaceUsage,
    containers: readonly Container[],
  ): Promise<ReadonlyMap<string, SizeDecision>> {
    const asked = this.#askedDay(reading)
    const found = await this.#latest(reading, containers, asked.day)
    if (this.#decided === reading || lacking(found, containers, asked, this.#window).length === 0)
      return found
    this.#decided = reading
    try {
      await this.#decideLacking(reading, asked)
    } catch (error) {
      // The database takes no writes at the moment. What it holds can still be shown.
      if (!(error instanceof StoreUnavailable)) throw error
    }
    return this.#latest(reading, containers, asked.day)
  }

  #askedDay({ latestHour }: NamespaceUsage): AskedDay {
    const currentHour = Math.floor(this.#deps.now() / hourMs)
    const day = Math.floor((Math.min(this.#window.to, currentHour + 1, latestHour) - 1) / dayHours)
    const dayEnd = (day + 1) * dayHours
    // Does not depend on where in the day the window ends, so that all who ask decide the same.
    return { day, isOpen: currentHour < dayEnd, hour: Math.min(dayEnd, currentHour + 1) }
  }

  /** Makes the decisions that the namespace lacks, all at once, because its usage has to be read again. */
  async #decideLacking(reading: NamespaceUsage, asked: AskedDay): Promise<void> {
    const { day, hour } = asked
    await decideNamespace(this.#deps, this.#organisation, reading, {
      moment: { day, hour, late: this.#isAsked },
      model: await this.#deps.modelOf(this.#organisation),
      yielder: this.#yielder,
      select: async (containers) =>
        lacking(await this.#latest(reading, containers, day), containers, asked, lookback(hour)),
    })
  }

  async #latest(namespace: NamespaceRef, containers: readonly Container[], day: number) {
    const found = new Map<string, SizeDecision>()
    // Nearly all are found on these days.
    await this.#read(namespace, containers, { from: day - 1, to: day + 1 }, found)
    const older = containers.filter(({ key }) => !found.has(key))
    if (older.length > 0) await this.#read(namespace, older, { from: day - inForceDays, to: day - 1 }, found)
    return found
  }

  async #read(
    { cluster, namespace }: NamespaceRef,
    containers: readonly Container[],
    days: DayRange,
    into: Map<string, SizeDecision>,
  ): Promise<void> {
    const names = containers.map(({ key }) => key)
    const place = { kind: 'container', cluster, namespace } as const
    // In order of day, so that the latest stays.
    for (const stored of await this.#deps.store.decisions.read(this.#organisation, place, names, days)) {
      const decision = decodeDecision(stored)
      if (decision !== undefined) into.set(stored.name, decision)
    }
  }
}

const lacking = (
  found: ReadonlyMap<string, SizeDecision>,
  containers: readonly Container[],
  asked: AskedDay,
  window: HourRange,
): Container[] =>
  containers.filter((container) => {
    const decision = found.get(container.key)
    return decision === undefined || !isInForce(decision, container, asked, window)
  })
