import { round } from '../../domain/money.ts'
import type { HardQuota } from './facts.ts'
import { gibBytes, microcores, type Sizes } from './pod-usage.ts'
import type { SizedContainer } from './sized-container.ts'

/** Cores and GiB of all replicas at the end of the window. */
export interface Totals {
  readonly now: AllSizes
  readonly recommended: AllSizes
}

export type AllSizes = { readonly [Name in keyof Sizes]: number }

/** Value x replicas; what is not set counts as 0. */
export function totalsOf(containers: readonly SizedContainer[]): Totals {
  const add = (read: (container: SizedContainer) => Sizes): AllSizes => {
    const of = (name: keyof Sizes): number =>
      containers.reduce((sum, one) => sum + (read(one)[name] ?? 0) * one.replicas.atEnd, 0)
    return {
      cpuRequest: of('cpuRequest'),
      cpuLimit: of('cpuLimit'),
      memoryRequest: of('memoryRequest'),
      memoryLimit: of('memoryLimit'),
    }
  }
  return { now: add(({ now }) => now), recommended: add(({ recommended }) => recommended) }
}

const rollOutRoom = 1.25

/**
 * Recommended limits at the highest replica count, plus a quarter: 2 replicas of 1 core and 1 of 0.5 -> 3.125.
 * Init containers that end run before the others of their pod, so the pod takes the greater of the two. A container without a limit counts with its request.
 */
export function recommendedQuota(containers: readonly SizedContainer[]): HardQuota {
  const sum = (read: (container: SizedContainer) => number): number => {
    let all = 0
    for (const members of Map.groupBy(containers, ({ workload }) => workload).values()) {
      const each = (some: readonly SizedContainer[]) => some.map((one) => read(one) * countOf(one))
      const together = each(members.filter(({ runsAlong }) => runsAlong)).reduce((a, b) => a + b, 0)
      all += Math.max(together, ...each(members.filter(({ runsAlong }) => !runsAlong)))
    }
    return all * rollOutRoom
  }
  return {
    cpu: sum(({ recommended }) => recommended.cpuLimit ?? recommended.cpuRequest ?? 0),
    memory: sum(({ recommended }) => recommended.memoryLimit ?? recommended.memoryRequest ?? 0),
  }
}

/** The highest seen, or the most that an autoscaler may make. */
const countOf = ({ replicas }: SizedContainer): number => Math.max(replicas.highest, replicas.most ?? 0)

export interface Utilisation {
  readonly cpu: number
  readonly memory: number
}

/** 100 x mean usage / recommended request, each container weighing as long as it ran. 0 where nothing is asked for. */
export function expectedUtilisation(containers: readonly SizedContainer[]): Utilisation {
  const of = (
    meanOf: (container: SizedContainer) => number,
    requestOf: (container: SizedContainer) => number | undefined,
  ): number => {
    let [used, asked] = [0, 0]
    for (const container of containers) {
      const request = requestOf(container)
      const mean = meanOf(container)
      if (request === undefined || request <= 0 || Number.isNaN(mean)) continue
      used += mean * container.podHours
      asked += request * container.podHours
    }
    return asked > 0 ? round((100 * used) / asked, 3) : 0
  }
  return {
    cpu: of(
      ({ cpu }) => cpu.mean / microcores,
      ({ recommended }) => recommended.cpuRequest,
    ),
    memory: of(
      ({ memory }) => memory.mean / gibBytes,
      ({ recommended }) => recommended.memoryRequest,
    ),
  }
}
