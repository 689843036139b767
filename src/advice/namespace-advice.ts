import { usdOf } from '../allocation/spend.ts'
import { hoursPerMonth } from '../domain/money.ts'
import type { NamespaceRef } from '../domain/subject.ts'
import type { ContainerContent, NamespaceDraft, PricedContainer } from '../namespace-sizes/namespace-draft.ts'
import type { HourlyUse } from '../usage/reading/hourly-use.ts'
import { type AdviceRow, type SubjectObserver, TopAdvice } from './advice-row.ts'
import {
  type ContainerAdviceDraft,
  containerAdvice,
  containerAdviceId,
  containerSize,
  finishAdvice,
} from './container-advice.ts'
import { IdleUse, idleAdvice, idleAdviceId, isIdleWorkload } from './idle-advice.ts'

/** Keeps, while a namespace is sized, the containers that should change and the workloads that may be idle. */
export class NamespaceAdvice implements ContainerContent {
  readonly #namespace: NamespaceRef
  readonly #endHour: number
  readonly #observer: SubjectObserver
  readonly #changes: TopAdvice<ContainerChange>
  readonly #idle: TopAdvice<WorkloadSum>
  #use = new IdleUse()
  #containers = 0
  #workload: WorkloadSum | undefined

  /** `endHour` is the hour at which the usage of the cluster ends, in hours since 1970. */
  constructor(namespace: NamespaceRef, endHour: number, observer: SubjectObserver, most: number) {
    this.#namespace = namespace
    this.#endHour = endHour
    this.#observer = observer
    this.#changes = new TopAdvice(most)
    this.#idle = new TopAdvice(most)
  }

  see(use: HourlyUse): void {
    this.#use.add(use)
  }

  add(container: PricedContainer): void {
    const index = this.#containers++
    const use = this.#use
    this.#use = new IdleUse()
    this.#observer.see(containerAdviceId(this.#namespace, container.key), containerSize(container.current))
    this.#addToWorkload(container, use)
    const draft = containerAdvice(this.#namespace, container)
    if (draft === undefined) return
    const spendUsd = usdOf(container.currentSpend)
    this.#changes.add({ draft, index, spendUsd, worth: spendUsd - usdOf(container.newSpend) })
  }

  /** Adds the recommendations of the namespace once all of it is sized. */
  finish(sized: NamespaceDraft<ContainerContent>, into: TopAdvice<AdviceRow>): void {
    this.#endWorkload()
    const perMonth = (usd: number): number => (usd * hoursPerMonth) / sized.measuredHours
    const idle = new Map<string, string>()
    for (const sum of this.#idle.items) {
      const worth = perMonth(sum.worth)
      const advice = idleAdvice(this.#namespace, { ...sum, endHour: this.#endHour }, worth, sized.prices)
      idle.set(sum.workload, advice.id)
      into.add({ advice, worth, coveredBy: null })
    }
    for (const { draft, index, spendUsd } of this.#changes.items) {
      const worth = perMonth(spendUsd - usdOf(sized.newSpendAt(index)))
      const advice = finishAdvice(draft, { worth, cost: perMonth(spendUsd) }, sized.prices)
      into.add({ advice, worth, coveredBy: idle.get(draft.workload!) ?? null })
    }
    for (const { dropped } of [this.#idle, this.#changes])
      into.addDropped({ count: dropped.count, worth: perMonth(dropped.worth) })
  }

  /** Containers come in order of key, so that those of a workload follow each other. */
  #addToWorkload({ workload, replicas, isLongRunning, currentSpend }: PricedContainer, use: IdleUse): void {
    if (this.#workload?.workload !== workload) {
      this.#endWorkload()
      this.#workload = { workload, replicas: 0, sinceHour: 0, lastHour: 0, worth: 0, isEstimate: false }
    }
    const sum = this.#workload!
    sum.replicas = Math.max(sum.replicas, replicas.atEnd)
    sum.worth += usdOf(currentSpend)
    sum.isEstimate ||= (currentSpend.estimatedUsd ?? 0) > 0
    sum.lastHour = Math.max(sum.lastHour, use.lastHour)
    if (isLongRunning) sum.sinceHour = Math.max(sum.sinceHour, use.sinceHour)
  }

  #endWorkload(): void {
    const sum = this.#workload
    this.#workload = undefined
    if (sum === undefined) return
    const id = idleAdviceId(this.#namespace, sum.workload)
    this.#observer.seeWorkload(id, this.#namespace.cluster, sum.lastHour)
    if (isIdleWorkload({ ...sum, endHour: this.#endHour })) this.#idle.add(sum)
  }
}

interface ContainerChange {
  readonly draft: ContainerAdviceDraft
  /** The index of the container in its namespace. */
  readonly index: number
  /** Spend over the window, in US dollars. */
  readonly spendUsd: number
  readonly worth: number
}

interface WorkloadSum {
  readonly workload: string
  replicas: number
  /** Hours since 1970. */
  sinceHour: number
  lastHour: number
  /** Cost over the window, in US dollars. */
  worth: number
  isEstimate: boolean
}
