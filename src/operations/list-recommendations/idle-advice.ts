import { round, roundSum } from '../../domain/money.ts'
import { type Advice, noSize } from '../../domain/recommendation.ts'
import { confidenceOfDays } from '../../rightsizing/adjustments/confidence.ts'
import type { PriceSummary } from '../recommend-sizes/price-summary.ts'
import type { NamespaceRef } from '../recommend-sizes/query.ts'
import { adviceId } from './advice-id.ts'
import { pricesOf } from './container-advice.ts'

/** Their pods are there because a node or a schedule is. */
const notIdleKinds = new Set(['DaemonSet', 'Job', 'CronJob', 'Node'])

/** A workload that may do nothing. */
export interface IdleWorkload {
  /** Kind/name */
  readonly workload: string
  readonly replicas: number
  /** Hours since 1970. */
  readonly sinceHour: number
  readonly endHour: number
  readonly isEstimate: boolean
}

export const idleAdviceId = ({ cluster, namespace }: NamespaceRef, workload: string): string =>
  adviceId('idle', cluster, namespace, workload)

/** Whether a workload runs and has not used CPU for a day at least. */
export const isIdleWorkload = ({ workload, replicas, sinceHour, endHour }: IdleWorkload): boolean =>
  replicas > 0 && endHour - sinceHour >= 24 && !notIdleKinds.has(workload.slice(0, workload.indexOf('/')))

export function idleAdvice(
  place: NamespaceRef,
  idle: IdleWorkload,
  costPerMonth: number,
  prices: PriceSummary,
): Advice {
  const { workload, sinceHour, endHour } = idle
  const days = Math.floor((endHour - sinceHour) / 24)
  const since = new Date(sinceHour * 3_600_000).toISOString().slice(0, 16).replace('T', ' ')
  return {
    id: idleAdviceId(place, workload),
    kind: 'idle',
    title: `Remove ${workload} or scale it to zero: idle for ${days} ${days === 1 ? 'day' : 'days'}`,
    ...{
      cluster: place.cluster,
      namespace: place.namespace,
      workload,
      container: null,
      init: false,
      machine: null,
    },
    worth_per_month: roundSum(costPerMonth),
    cost_per_month: roundSum(costPerMonth),
    risk: 'medium',
    effort: 'low',
    confidence: round(confidenceOfDays(days), 3),
    replicas: idle.replicas,
    current: noSize,
    recommended: null,
    idle_days: days,
    findings: [],
    reasons: [
      `Since ${since} UTC no container of it used more than 0.001 cores, or 1% of its CPU request, in any hour.`,
      'Make sure that it is not a standby before you remove it.',
    ],
    ...pricesOf(prices),
    is_estimate: idle.isEstimate,
  }
}
