import type { ClusterCost } from '../app/cluster-costs.ts'

const hourMs = 3_600_000
export const hoursPerMonth = 730

export interface SpendFigures {
  /** US dollars per month, what runs and what is idle. */
  readonly perMonth: number
  readonly idlePerMonth: number
  readonly estimatedPerMonth: number
  /** The share of the money that buys what is used, from 0 to 1; undefined without spend. */
  readonly efficiency: number | undefined
  /** Use as a share of requests. */
  readonly cpu: number | undefined
  readonly memory: number | undefined
}

interface Span {
  readonly start: string
  readonly end: string
}

/** Sums of rows scaled to a month, by the hours between the first and the last of them. */
export function figuresOf(rows: readonly ClusterCost[]): SpendFigures {
  const sum = (of: (row: ClusterCost) => number | undefined) =>
    rows.reduce((total, row) => total + (of(row) ?? 0), 0)
  const perMonth = monthlyFactor(rows)
  const [cpuCost, memoryCost, idle] = [
    sum((row) => row.cpu_cost_usd),
    sum((row) => row.memory_cost_usd),
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
    perMonth: total * perMonth,
    idlePerMonth: idle * perMonth,
    estimatedPerMonth:
      (sum((row) => row.estimated_cost_usd) + sum((row) => row.estimated_idle_cost_usd)) * perMonth,
    efficiency: total > 0 ? used / total : undefined,
    cpu,
    memory,
  }
}

/** What a sum of the rows is multiplied by to be of a month. */
export function monthlyFactor(rows: readonly Span[]): number {
  const hours = hoursOf(rows)
  return hours === 0 ? 0 : hoursPerMonth / hours
}

/** Hours from the first row to the end of the last. */
export function hoursOf(rows: readonly Span[]): number {
  if (rows.length === 0) return 0
  const starts = rows.map(({ start }) => Date.parse(start))
  const ends = rows.map(({ end }) => Date.parse(end))
  return (Math.max(...ends) - Math.min(...starts)) / hourMs
}

export interface NamedSpend {
  readonly cluster: string
  readonly namespace: string | undefined
  readonly perMonth: number
}

/** By cluster, or by cluster and namespace, the most first; idle nodes belong to their cluster. */
export function spendBy(rows: readonly ClusterCost[], factor = monthlyFactor(rows)): NamedSpend[] {
  const groups = new Map<string, { cluster: string; namespace: string | undefined; usd: number }>()
  for (const { cluster = '', namespace, cost_usd, idle_cost_usd = 0 } of rows) {
    const key = `${cluster}\n${namespace ?? ''}`
    const group = groups.get(key) ?? { cluster, namespace, usd: 0 }
    group.usd += cost_usd + idle_cost_usd
    groups.set(key, group)
  }
  return [...groups.values()]
    .map(({ usd, ...of }) => ({ ...of, perMonth: usd * factor }))
    .sort((a, b) => b.perMonth - a.perMonth)
}

export interface DaySpend {
  readonly day: string
  readonly used: number
  readonly idle: number
}

/** Whole days in order; the day that runs is left out, since it is not over. */
export function spendByDay(rows: readonly ClusterCost[], now: number): DaySpend[] {
  const days = new Map<string, DaySpend>()
  for (const { start, cost_usd, idle_cost_usd = 0 } of rows) {
    const day = start.slice(0, 10)
    const known = days.get(day) ?? { day, used: 0, idle: 0 }
    days.set(day, { day, used: known.used + cost_usd, idle: known.idle + idle_cost_usd })
  }
  const today = new Date(now).toISOString().slice(0, 10)
  return [...days.values()].filter(({ day }) => day < today).sort((a, b) => (a.day < b.day ? -1 : 1))
}

const shareOf = (part: number, whole: number): number | undefined => (whole > 0 ? part / whole : undefined)
