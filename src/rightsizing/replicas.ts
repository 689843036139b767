import { hoursPerMonth } from '../domain/money.ts'
import type { ReasonCode, ResourcePrices } from './workload.ts'

/** An hour of a workload: mean number of replicas, and mean cores of all of them together. */
export interface ReplicaHour {
  readonly replicas: number
  readonly cores: number
}

/** A workload whose number of replicas follows the CPU usage of its pods. */
export interface AutoscaledWorkload {
  /** In order. */
  readonly hours: readonly ReplicaHour[]
  /** CPU request of a pod, in force and recommended, and its recommended memory request. */
  readonly currentCores: number
  readonly cores: number
  readonly gib: number
  /** Undefined if not known: then the fewest replicas seen count. */
  readonly min: number | undefined
  readonly max: number
  /** Share of the CPU request that the autoscaler keeps usage at. */
  readonly target: number
  /** How far usage rises above its mean within an hour: p99 divided by mean, in busy hours. */
  readonly burst: number
  readonly prices: ResourcePrices
}

export interface ReplicaSettings {
  readonly min: number
  readonly max: number
  readonly target: number
}

export interface ReplicaAdvice extends ReplicaSettings {
  readonly now: ReplicaSettings
  /** Mean number of replicas with the recommended requests, now and then. */
  readonly replicasNow: number
  readonly replicas: number
  readonly savedPerMonthUsd: number
  readonly days: number
}

const minHours = 7 * 24 - 1
const minSaving = 0.1
/** Usage above this share of the request leaves too little for the minutes that a new pod takes to start. */
const highestTarget = 0.9
const targetStep = 0.05
/** Two replicas survive the loss of one, so a minimum of two or more stays at least two. */
const leastReplicas = 2
const headroomOfMax = 1.25

/**
 * Returns the minimum, maximum and target of the autoscaler with which fewer replicas of the recommended size would have
 * carried the same usage; undefined if they would save less than a tenth of the replicas, or if more than CPU decides about their
 * number. The target leaves room for how usage rises within an hour, and the minimum for how it rises from hour to hour.
 */
export function adviseReplicas(workload: AutoscaledWorkload): ReplicaAdvice | undefined {
  const { hours, currentCores, cores, gib, max, prices } = workload
  if (hours.length < minHours || !(currentCores > 0) || !(cores > 0) || !(workload.target > 0))
    return undefined
  const seen = hours.map(({ replicas }) => replicas)
  const min = workload.min ?? Math.max(1, Math.floor(Math.min(...seen)))
  const now = { min, max, target: workload.target }
  if (mean(seen) > otherCauses * mean(replicasWith(now, hours, currentCores))) return undefined
  const target = Math.max(now.target, targetFor(workload.burst))
  const wanted = hours.map((hour) => wantedReplicas(hour, cores, target))
  const then = { target, min: leastMin(min, hours, wanted, cores), max: mostMax(max, wanted) }
  const [replicasNow, replicas] = [now, then].map((one) => mean(replicasWith(one, hours, cores)))
  if (!(replicas! <= replicasNow! * (1 - minSaving))) return undefined
  const podPerHourUsd = cores * prices.corePerHourUsd + gib * prices.gibPerHourUsd
  return {
    ...then,
    now,
    replicasNow: replicasNow!,
    replicas: replicas!,
    savedPerMonthUsd: (replicasNow! - replicas!) * podPerHourUsd * hoursPerMonth,
    days: Math.round(hours.length / 24),
  }
}

/** More replicas than CPU explains: an autoscaler waits before it removes some, but a queue or memory may decide as well. */
const otherCauses = 1.3

const targetFor = (burst: number): number =>
  Math.floor(Math.min(highestTarget, 1 / Math.max(1, burst)) / targetStep + 1e-9) * targetStep

const wantedReplicas = ({ cores }: ReplicaHour, podCores: number, target: number): number =>
  Math.max(1, Math.ceil(cores / (podCores * target) - 1e-9))

const replicasWith = (
  { min, max, target }: ReplicaSettings,
  hours: readonly ReplicaHour[],
  podCores: number,
) => hours.map((hour) => Math.max(min, Math.min(max, wantedReplicas(hour, podCores, target))))

/** As few as carried the first minutes of every rise: usage of an hour with the replicas of the hour before it. */
function leastMin(
  min: number,
  hours: readonly ReplicaHour[],
  wanted: readonly number[],
  podCores: number,
): number {
  let least = Math.min(min, leastReplicas)
  for (let at = 1; at < hours.length; at++) {
    const carrying = wantedReplicas(hours[at]!, podCores, 1)
    if (carrying > wanted[at - 1]!) least = Math.max(least, carrying)
  }
  return Math.min(min, least)
}

/** A maximum that was reached may have limited usage. */
function mostMax(max: number, wanted: readonly number[]): number {
  const most = Math.max(...wanted)
  return most < max ? max : Math.ceil(most * headroomOfMax)
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** The advice as a reason, for people and for programs. */
export function replicaReason(advice: ReplicaAdvice): ReasonCode & { readonly says: string } {
  const { now, min, max, target, replicasNow, replicas, savedPerMonthUsd, days } = advice
  const percent = (share: number): string => `${Math.round(share * 100)}%`
  const changed = (value: string, before: string): string =>
    value === before ? `${value} (as it is)` : `${value} (now ${before})`
  const settings = [
    `a minimum of ${changed(String(min), String(now.min))}`,
    `a maximum of ${changed(String(max), String(now.max))}`,
    `and a target of ${changed(percent(target), percent(now.target))} of the CPU request`,
  ].join(', ')
  return {
    code: 'replicas',
    resource: null,
    figures: { min, max, target, replicasNow, replicas, savedPerMonth: savedPerMonthUsd },
    says: `Replicas: with ${settings}, the autoscaler would have run ${replicas.toFixed(1)} replicas of the recommended size on average instead of ${replicasNow.toFixed(1)} in the last ${days} days, which saves $${savedPerMonthUsd.toFixed(2)} a month.`,
  }
}
