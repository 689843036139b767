import type { ClusterCost } from '../usage/cluster-costs.ts'
import { monthlyFactors } from '../usage/measured-hours.ts'

export interface SpendFigures {
  /** US dollars per month, including idle cost. */
  readonly perMonth: number
  readonly idlePerMonth: number
  /** Volumes and other charges with a price of their own. */
  readonly otherPerMonth: number
  readonly estimatedPerMonth: number
  /** Share of the cost without requested GPUs and volumes that pays for what is used, from 0 to 1; undefined without spend. */
  readonly efficiency: number | undefined
  /** Usage as a share of requests. */
  readonly cpu: number | undefined
  readonly memory: number | undefined
}

/** Adds up rows, scaled to a month by the measured hours of each cluster. */
export function figuresOf(rows: readonly ClusterCost[]): SpendFigures {
  const factor = monthlyFactors(rows)
  const sum = (of: (row: ClusterCost) => number | undefined) =>
    rows.reduce((total, row) => total + (of(row) ?? 0) * factor(row.cluster), 0)
  const [cpuCost, memoryCost, gpuCost, otherCost, idle] = [
    sum((row) => row.cpu_cost_usd),
    sum((row) => row.memory_cost_usd),
    sum((row) => row.gpu_cost_usd),
    sum((row) => row.other_cost_usd),
    sum((row) => row.idle_cost_usd),
  ]
  const total = sum((row) => row.cost_usd) + idle
  const cpu = shareOf(
    sum((row) => row.used_core_hours),
    sum((row) => row.requested_core_hours),
  )
  const memory = shareOf(
    sum((row) => row.used_gib_hours),
    sum((row) => row.requested_gib_hours),
  )
  const used = Math.min(1, cpu ?? 0) * cpuCost + Math.min(1, memory ?? 0) * memoryCost
  return {
    perMonth: total,
    idlePerMonth: idle,
    otherPerMonth: otherCost,
    estimatedPerMonth: sum((row) => row.estimated_cost_usd) + sum((row) => row.estimated_idle_cost_usd),
    // How much of a requested GPU or of a volume is used is not in these rows.
    efficiency: shareOf(used, total - gpuCost - otherCost),
    cpu,
    memory,
  }
}

/** What machines with an agent cost per month. */
export interface MachineSpend {
  readonly perMonth: number
  readonly reporting: number
  /** The part of it at base rates. */
  readonly estimatedPerMonth: number
  readonly silent: number
  /** Not part of the sum. */
  readonly silentPerMonth: number
}

interface PricedMachine {
  readonly name: string
  readonly costPerMonth: number | null
  readonly priceSource?: string | null
}

/** Silent machines may be gone, so they are not part of the spend. */
export function machineSpendOf(
  machines: readonly PricedMachine[],
  isSilent: (name: string) => boolean,
): MachineSpend {
  const [silent, reporting] = [true, false].map((is) => machines.filter(({ name }) => isSilent(name) === is))
  const perMonth = (of: readonly PricedMachine[]) =>
    of.reduce((sum, { costPerMonth }) => sum + (costPerMonth ?? 0), 0)
  return {
    perMonth: perMonth(reporting!),
    reporting: reporting!.length,
    estimatedPerMonth: perMonth(reporting!.filter(({ priceSource }) => priceSource === 'base')),
    silent: silent!.length,
    silentPerMonth: perMonth(silent!),
  }
}

export interface NamedSpend {
  readonly cluster: string
  readonly namespace: string | undefined
  readonly perMonth: number
}

/**
 * Adds up spend by cluster, or by cluster and namespace, greatest first. Idle cost of nodes belongs to their cluster.
 */
export function spendBy(
  rows: readonly ClusterCost[],
  factor: (cluster: string) => number = monthlyFactors(rows),
): NamedSpend[] {
  const groups = new Map<string, { cluster: string; namespace: string | undefined; usd: number }>()
  for (const { cluster = '', namespace, cost_usd, idle_cost_usd = 0 } of rows) {
    const key = `${cluster}\n${namespace ?? ''}`
    const group = groups.get(key) ?? { cluster, namespace, usd: 0 }
    group.usd += cost_usd + idle_cost_usd
    groups.set(key, group)
  }
  return [...groups.values()]
    .map(({ usd, ...of }) => ({ ...of, perMonth: usd * factor(of.cluster) }))
    .sort((a, b) => b.perMonth - a.perMonth)
}

export interface DaySpend {
  readonly day: string
  readonly used: number
  readonly idle: number
  /** Number of hours of the day that were measured. */
  readonly hours: number
}

/** Returns whole days in order. The current day is left out, since it is not over. */
export function spendByDay(rows: readonly ClusterCost[], now: number): DaySpend[] {
  const days = new Map<string, DaySpend>()
  for (const { start, cost_usd, idle_cost_usd = 0, measured_hours = 24 } of rows) {
    const day = start.slice(0, 10)
    const known = days.get(day) ?? { day, used: 0, idle: 0, hours: 0 }
    days.set(day, {
      day,
      used: known.used + cost_usd,
      idle: known.idle + idle_cost_usd,
      hours: Math.max(known.hours, measured_hours),
    })
  }
  const today = new Date(now).toISOString().slice(0, 10)
  const past = [...days.values()].filter(({ day }) => day < today).sort((a, b) => (a.day < b.day ? -1 : 1))
  // The period begins at any hour, so its first day may be a part of one.
  return past.length > 1 && past[0]!.hours < 24 ? past.slice(1) : past
}

const shareOf = (part: number, whole: number): number | undefined => (whole > 0 ? part / whole : undefined)
