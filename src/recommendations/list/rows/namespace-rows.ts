import { usdOf } from '../../../costs/allocation/spend.ts'
import { hoursPerMonth, roundSum } from '../../../domain/money.ts'
import { isJob, type NamespaceRef } from '../../../domain/subject.ts'
import type { HourlyUse } from '../../../usage/reading/hourly-use.ts'
import type { ContainerContent, NamespaceDraft, PricedContainer } from '../../containers/namespace-draft.ts'
import {
  type ContainerDraft,
  containerDraft,
  containerRecommendationId,
  containerSize,
  finishRow,
} from './container-row.ts'
import { canSleep, IdleUse, idleRecommendationId, idleRow } from './idle-row.ts'
import { type RecommendationRow, type SubjectObserver, TopRows } from './recommendation-row.ts'
import { RunHours } from './run-hours.ts'
import { sleepingHours, WeekUse } from './week-use.ts'

/** Keeps, while a namespace is sized, the containers that should change and the workloads that may be idle. */
export class NamespaceRows implements ContainerContent {
  readonly #namespace: NamespaceRef
  readonly #endHour: number
  readonly #measuredHours: number
  readonly #observer: SubjectObserver
  readonly #changes: TopRows<ContainerChange>
  readonly #idle: TopRows<WorkloadSum>
  #use = new IdleUse()
  #ran: RunHours
  #week: WeekUse
  readonly #sleeping = new Map<string, string>()
  #containers = 0
  #workload: WorkloadSum | undefined

  constructor(namespace: NamespaceRef, time: ClusterTime, observer: SubjectObserver, most: number) {
    this.#namespace = namespace
    this.#endHour = time.endHour
    this.#ran = new RunHours(time.endHour)
    this.#week = new WeekUse(time.endHour)
    this.#measuredHours = time.measuredHours
    this.#observer = observer
    this.#changes = new TopRows(most)
    this.#idle = new TopRows(most)
  }

  see(use: HourlyUse): void {
    this.#use.add(use)
    this.#ran.add(use)
    this.#week.add(use)
  }

  add(container: PricedContainer): void {
    const index = this.#containers++
    const [use, week, hours] = [this.#use, this.#week, this.#hoursOf(container)]
    this.#use = new IdleUse()
    this.#ran = new RunHours(this.#endHour)
    this.#week = new WeekUse(this.#endHour)
    this.#observer.see(
      containerRecommendationId(this.#namespace, container.key),
      containerSize(container.current),
    )
    this.#addToWorkload(container, use, week, hours)
    const draft = container.isGone ? undefined : containerDraft(this.#namespace, container)
    if (draft === undefined) return
    const costPerMonth = perMonth(usdOf(container.spendAtCurrentRequests), hours)
    const unchangedPerMonth = perMonth(unchangedUsd(container), hours)
    const worth = unchangedPerMonth - perMonth(usdOf(container.newSpend), hours)
    this.#changes.add({ draft, index, hours, costPerMonth, unchangedPerMonth, worth })
  }

  finish(sized: NamespaceDraft<ContainerContent>, into: TopRows<RecommendationRow>): void {
    this.#endWorkload()
    const idle = new Map<string, string>()
    for (const sum of this.#idle.items) {
      const { worth } = sum
      const recommendation = idleRow(this.#namespace, { ...sum, endHour: this.#endHour }, worth, sized.prices)
      idle.set(sum.workload, recommendation.id)
      into.add({ recommendation, worth, coveredBy: null })
    }
    for (const { draft, index, hours, costPerMonth, unchangedPerMonth } of this.#changes.items) {
      const worth = unchangedPerMonth - perMonth(usdOf(sized.newSpendAt(index)), hours)
      const sleep = this.#sleeping.get(draft.workload!)
      const reasoned = sleep === undefined ? draft : { ...draft, reasons: [...draft.reasons, sleep] }
      const recommendation = finishRow(reasoned, { worth, cost: costPerMonth }, sized.prices)
      into.add({ recommendation, worth, coveredBy: idle.get(draft.workload!) ?? null })
    }
    for (const { dropped } of [this.#idle, this.#changes]) into.addDropped(dropped)
  }

  /**
   * Hours over which a container's spend is extrapolated to a month: those of the cluster or, if it began a day later or
   * more, those since its first sample, at least a day. They are as many more as it runs less since it was scaled down. A
   * job has not run all the time since.
   */
  #hoursOf({ workload, hoursSinceFirst }: PricedContainer): number {
    if (isJob(workload)) return this.#measuredHours
    const isYoung = hoursSinceFirst <= this.#measuredHours - 24
    const hours = isYoung ? Math.max(24, hoursSinceFirst) : this.#measuredHours
    return hours / this.#ran.recentShare(hours)
  }

  /** Containers come in order of key, so that those of a workload follow each other. */
  #addToWorkload(container: PricedContainer, use: IdleUse, week: WeekUse, hours: number): void {
    const { workload, replicas, isLongRunning, currentSpend, spendAtCurrentRequests } = container
    if (this.#workload?.workload !== workload) {
      this.#endWorkload()
      this.#workload = {
        workload,
        week: new WeekUse(this.#endHour),
        replicas: 0,
        sinceHour: never,
        lastHour: 0,
        worth: 0,
        isEstimate: false,
        hasGpus: false,
      }
    }
    const sum = this.#workload!
    sum.replicas = Math.max(sum.replicas, replicas.atEnd)
    sum.worth += perMonth(usdOf(spendAtCurrentRequests), hours)
    sum.isEstimate ||= (currentSpend.estimatedUsd ?? 0) > 0
    sum.hasGpus ||= use.hasGpus
    sum.lastHour = Math.max(sum.lastHour, use.lastHour)
    if (!isLongRunning) return
    // Without measurements of CPU nothing is known to be idle.
    const isMeasured = container.cpu.count > 0 && !container.hasUnknownRequests
    const sinceHour = isMeasured ? use.sinceHour : Number.POSITIVE_INFINITY
    if (!isMeasured) week.markBusy()
    sum.week.merge(week)
    sum.sinceHour = Math.max(sum.sinceHour, sinceHour)
  }

  #endWorkload(): void {
    const sum = this.#workload
    this.#workload = undefined
    if (sum === undefined) return
    const id = idleRecommendationId(this.#namespace, sum.workload)
    this.#observer.seeWorkload(id, this.#namespace.cluster, sum.lastHour)
    if (sum.replicas === 0 || !canSleep(this.#namespace, sum.workload)) return
    if (sum.sinceHour !== never && this.#endHour - sum.sinceHour >= 24) this.#idle.add(sum)
    else this.#addSleep(sum)
  }

  #addSleep({ workload, week, worth }: WorkloadSum): void {
    const hours = sleepingHours(week.idleHours())
    if (hours === undefined) return
    const saved = roundSum(worth * (hours.perWeek / weekHours)).toFixed(2)
    this.#sleeping.set(
      workload,
      `Idle ${hours.says} in both of the last two weeks: if nobody needs ${workload} then, scaling it to zero in these ${hours.perWeek} hours of a week would save $${saved} a month at its current requests.`,
    )
  }
}

const weekHours = 7 * 24

interface ContainerChange {
  readonly draft: ContainerDraft
  readonly index: number
  readonly hours: number
  /** In US dollars, as is the worth. */
  readonly costPerMonth: number
  readonly unchangedPerMonth: number
  readonly worth: number
}

/** The new spend has requests that stay as they were at the time, and so does this. */
const unchangedUsd = ({ requests, currentSpend, spendAtCurrentRequests }: PricedContainer): number =>
  (requests.cpu === undefined ? currentSpend : spendAtCurrentRequests).cpuUsd +
  (requests.memory === undefined ? currentSpend : spendAtCurrentRequests).memoryUsd +
  currentSpend.gpuUsd

interface ClusterTime {
  /** The hour at which the usage of the cluster ends, in hours since 1970. */
  readonly endHour: number
  readonly measuredHours: number
}

/** Stays if the workload has no container that runs as long as its pods. */
const never = Number.NEGATIVE_INFINITY

const perMonth = (usd: number, hours: number): number => (usd * hoursPerMonth) / hours

interface WorkloadSum {
  readonly workload: string
  readonly week: WeekUse
  replicas: number
  /** Hours since 1970. */
  sinceHour: number
  lastHour: number
  /** Cost per month, in US dollars. */
  worth: number
  isEstimate: boolean
  hasGpus: boolean
}
