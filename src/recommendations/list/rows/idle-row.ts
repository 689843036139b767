import type { PriceSummary } from '../../../costs/allocation/nodes.ts'
import { round, roundSum } from '../../../domain/money.ts'
import { confidenceOfDays } from '../../../domain/recommendation.ts'
import { kindOfWorkload, type NamespaceRef } from '../../../domain/subject.ts'
import { timeOfHour } from '../../../domain/time.ts'
import type { ContainerSetting, HourlyUse } from '../../../usage/reading/hourly-use.ts'
import { isManagedWorkload } from '../../manifests/container-owner.ts'
import type { Recommendation } from '../schema.ts'
import { pricesOf } from './container-row.ts'
import { noSize, recommendationId } from './recommendation-row.ts'

/** Kinds that are never idle: their pods exist because of a node or a schedule. */
const notIdleKinds: ReadonlySet<string> = new Set(['DaemonSet', 'Job', 'CronJob', 'Node'])

interface IdleWorkload {
  readonly workload: string
  readonly replicas: number
  /** Hours since 1970. */
  readonly sinceHour: number
  readonly endHour: number
  readonly isEstimate: boolean
  readonly hasGpus: boolean
}

export const idleRecommendationId = ({ cluster, namespace }: NamespaceRef, workload: string): string =>
  recommendationId('idle', cluster, namespace, workload)

/** Whether it could be scaled to zero while nobody uses it. */
export const canSleep = ({ namespace }: NamespaceRef, workload: string): boolean =>
  !notIdleKinds.has(kindOfWorkload(workload)) && !isManagedWorkload(namespace, workload)

export function idleRow(
  namespace: NamespaceRef,
  idle: IdleWorkload,
  costPerMonth: number,
  prices: PriceSummary,
): Recommendation {
  const { workload, sinceHour, endHour } = idle
  const days = Math.floor((endHour - sinceHour) / 24)
  const since = timeOfHour(sinceHour).slice(0, 16).replace('T', ' ')
  return {
    id: idleRecommendationId(namespace, workload),
    kind: 'idle',
    title: `Remove ${workload} or scale it to zero: idle for ${days} ${days === 1 ? 'day' : 'days'}`,
    ...{
      cluster: namespace.cluster,
      namespace: namespace.namespace,
      workload,
      container: null,
      init: false,
      machine: null,
    },
    worth_per_month: roundSum(costPerMonth),
    cost_per_month: roundSum(costPerMonth),
    risk: 'high',
    effort: 'low',
    confidence: round(confidenceOfDays(days), 3),
    replicas: idle.replicas,
    current: noSize,
    recommended: null,
    idle_days: days,
    findings: [],
    reasons: [
      `Since ${since} UTC no container of it used more than 1% of its CPU request (at least ${minCores} and at most ${maxCores} cores) on average in any hour.`,
      ...(idle.hasGpus
        ? ['It reserves GPUs, and their use is not measured: check it before you remove it.']
        : []),
      'Make sure that it is not a standby before you remove it.',
    ],
    ...pricesOf(prices),
    is_estimate: idle.isEstimate,
  }
}

/** A container is idle while it uses less than a hundredth of its request, within these bounds. */
const [minCores, maxCores] = [0.001, 0.01]
const requestShare = 0.01

export const idleCores = ({ cpuRequestCores = 0 }: Pick<ContainerSetting, 'cpuRequestCores'>): number =>
  Math.max(minCores, Math.min(maxCores, requestShare * cpuRequestCores))

/** Finds from the pods of a container since when it has not used CPU. Hours are since 1970. */
export class IdleUse {
  /** The hour in which the container was last seen; 0 if it never was. */
  lastHour = 0
  hasGpus = false
  #firstHour = Number.POSITIVE_INFINITY
  #lastBusyHour = Number.NEGATIVE_INFINITY

  add(use: HourlyUse): void {
    if (use.length === 0) return
    this.#firstHour = Math.min(this.#firstHour, use.hours[0]!)
    this.lastHour = Math.max(this.lastHour, use.hours[use.length - 1]!)
    this.hasGpus ||= use.settingRanges().some(({ setting }) => (setting.gpus ?? 0) > 0)
    for (const { from, to, setting } of use.settingRanges().toReversed()) {
      const threshold = idleCores(setting)
      for (let index = to - 1; index >= from; index--) {
        if (use.hours[index]! <= this.#lastBusyHour) return
        if (use.cores[index]! <= threshold) continue
        this.#lastBusyHour = use.hours[index]!
        return
      }
    }
  }

  /** The hour since which the container has been idle; infinite if it was never seen. */
  get sinceHour(): number {
    return Math.max(this.#firstHour, this.#lastBusyHour + 1)
  }
}
