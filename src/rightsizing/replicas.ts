import { hoursPerMonth } from '../domain/money.ts'
import type { ReasonCode, ResourcePrices } from './workload.ts'

/** An hour of a workload: mean number of replicas, and mean cores and GiB of all of them together. */
export interface ReplicaHour {
  readonly replicas: number
  readonly cores: number
  readonly gib: number
}

/** A workload whose number of replicas follows the usage of its pods. */
export interface AutoscaledWorkload {
  /** In order. */
  readonly hours: readonly ReplicaHour[]
  /** Requests of a pod, in force and recommended. */
  readonly currentCores: number
  readonly cores: number
  readonly currentGib: number
  readonly gib: number
  /** Undefined if not known: then the fewest replicas seen count. */
  readonly min: number | undefined
  readonly max: number
  /** Share of the CPU request that the autoscaler keeps usage at; undefined if it does not follow CPU. */
  readonly target: number | undefined
  /** Share of the memory request; undefined if it does not follow memory. */
  readonly memoryTarget?: number | undefined
  /** How far usage rises above its mean within an hour: p99 divided by mean, in busy hours. */
  readonly burst: number
  readonly prices: ResourcePrices
}

export interface ReplicaSettings {
  readonly min: number
  readonly max: number
  readonly target: number | undefined
}

export interface ReplicaRecommendation extends ReplicaSettings {
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
 * Returns the minimum, maximum and CPU target of the autoscaler with which fewer replicas of the recommended size would have
 * carried the same usage; undefined if they would save less than a tenth of the replicas, or if more than CPU and memory decide about
 * their number. The target leaves room for how usage rises within an hour, and the minimum for how it rises from hour to hour.
 * A target for memory stays as it is.
 */
export function adviseReplicas(workload: AutoscaledWorkload): ReplicaRecommendation | undefined {
  const { hours, currentCores, cores, currentGib, gib, max, prices, memoryTarget } = workload
  if (hours.length < minHours || !(currentCores > 0) || !(cores > 0) || !((workload.target ?? 1) > 0))
    return undefined
  const memory = memoryTarget === undefined ? undefined : { ...memoryByLoad(hours), target: memoryTarget }
  const podNow = { cores: currentCores, gib: currentGib, memory }
  const pod = { cores, gib, memory }
  const seen = hours.map(({ replicas }) => replicas)
  const min = workload.min ?? Math.max(1, Math.floor(Math.min(...seen)))
  const now = { min, max, target: workload.target }
  const explained = mean(replicasWith(now, hours, podNow))
  if (mean(seen) > otherCauses * explained || mean(seen) * otherCauses < explained) return undefined
  const target = now.target && Math.max(now.target, targetFor(workload.burst))
  const wanted = hours.map((hour) => wantedReplicas(hour, pod, target))
  // A replica that takes more than the target whatever its load is never one too many for the autoscaler.
  if (!wanted.every(Number.isFinite)) return undefined
  const least = leastMin(min, hours, wanted, pod)
  // How much memory a replica takes under more than twice the load was not seen.
  const then = {
    target,
    min: memory ? Math.max(least, Math.ceil(min / 2)) : least,
    max: mostMax(max, wanted),
  }
  const [replicasNow, replicas] = [now, then].map((one) => mean(replicasWith(one, hours, pod)))
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

/** More or fewer replicas than usage explains: an autoscaler waits before it removes some, but a queue may decide as well. */
const otherCauses = 1.3

const targetFor = (burst: number): number =>
  Math.floor(Math.min(highestTarget, 1 / Math.max(1, burst)) / targetStep + 1e-9) * targetStep

interface Pod {
  readonly cores: number
  readonly gib: number
  readonly memory: (MemoryByLoad & { readonly target: number }) | undefined
}

/** What a replica takes whatever it does, and for each core that it uses. */
interface MemoryByLoad {
  readonly fixedGib: number
  readonly gibPerCore: number
}

/** The least squares over all hours. Memory that does not rise with load does not fall with more replicas either. */
function memoryByLoad(hours: readonly ReplicaHour[]): MemoryByLoad {
  const loads = hours.map(({ replicas, cores }) => cores / replicas)
  const sizes = hours.map(({ replicas, gib }) => gib / replicas)
  const [load, size] = [mean(loads), mean(sizes)]
  const spread = mean(loads.map((one) => (one - load) ** 2))
  const together = mean(loads.map((one, at) => (one - load) * (sizes[at]! - size)))
  const gibPerCore = spread > 0 ? Math.min(size / load, Math.max(0, together / spread)) : 0
  return { fixedGib: size - gibPerCore * load, gibPerCore }
}

/** As many as keep usage at the targets; without a target for CPU, as many as have the cores. */
function wantedReplicas({ cores }: ReplicaHour, pod: Pod, target = 1): number {
  const { gib, memory } = pod
  const byCpu = Math.ceil(cores / (pod.cores * target) - 1e-9)
  if (memory === undefined) return Math.max(1, byCpu)
  const left = gib * memory.target - memory.fixedGib
  const needed = cores * memory.gibPerCore
  const byMemory = left > 0 ? Math.ceil(needed / left - 1e-9) : Number.POSITIVE_INFINITY
  return Math.max(1, byCpu, byMemory)
}

const replicasWith = ({ min, max, target }: ReplicaSettings, hours: readonly ReplicaHour[], pod: Pod) =>
  hours.map((hour) => Math.max(min, Math.min(max, wantedReplicas(hour, pod, target))))

/** As few as carried the first minutes of every rise: usage of an hour with the replicas of the hour before it. */
function leastMin(min: number, hours: readonly ReplicaHour[], wanted: readonly number[], pod: Pod): number {
  let least = Math.min(min, leastReplicas)
  for (let at = 1; at < hours.length; at++) {
    const carrying = wantedReplicas(hours[at]!, pod)
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

/** The recommendation as a reason, for people and for programs. */
export function replicaReason(recommendation: ReplicaRecommendation): ReasonCode & { readonly says: string } {
  const { now, min, max, target, replicasNow, replicas, savedPerMonthUsd, days } = recommendation
  const percent = (share: number): string => `${Math.round(share * 100)}%`
  const changed = (value: string, before: string): string =>
    value === before ? `${value} (as it is)` : `${value} (now ${before})`
  const settings = [
    `a minimum of ${changed(String(min), String(now.min))}`,
    `a maximum of ${changed(String(max), String(now.max))}`,
    ...(target === undefined
      ? []
      : [`a target of ${changed(percent(target), percent(now.target!))} of the CPU request`]),
  ]
  return {
    code: 'replicas',
    resource: null,
    figures: {
      ...{ min, max, replicasNow, replicas, savedPerMonth: savedPerMonthUsd },
      ...(target === undefined ? {} : { target }),
    },
    says: `Replicas: with ${settings.slice(0, -1).join(', ')}, and ${settings.at(-1)}, the autoscaler would have run ${replicas.toFixed(1)} replicas of the recommended size on average instead of ${replicasNow.toFixed(1)} in the last ${days} days, which saves $${savedPerMonthUsd.toFixed(2)} a month.`,
  }
}
