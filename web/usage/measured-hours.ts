import type { ClusterCost } from './cluster-costs.ts'

type Step = Pick<ClusterCost, 'cluster' | 'start' | 'measured_hours'>

export const hoursPerMonth = 730

/** Adds up the measured hours of each cluster. Each step counts once, however many nodes have a row in it. */
export function hoursByCluster(rows: readonly Step[]): Map<string, number> {
  const hours = new Map<string, number>()
  const seen = new Set<string>()
  for (const { cluster = '', start, measured_hours = 0 } of rows) {
    const step = `${cluster}\n${start}`
    if (seen.has(step)) continue
    seen.add(step)
    hours.set(cluster, (hours.get(cluster) ?? 0) + measured_hours)
  }
  return hours
}

/** Returns the hours in which any cluster was measured. */
export function measuredHours(rows: readonly Step[]): number {
  const steps = new Map<string, number>()
  for (const { start, measured_hours = 0 } of rows)
    steps.set(start, Math.max(steps.get(start) ?? 0, measured_hours))
  return [...steps.values()].reduce((sum, hours) => sum + hours, 0)
}

/** Returns the factor that scales sums of a cluster's rows to a month, as namespace recommendations do. */
export function monthlyFactors(rows: readonly Step[]): (cluster: string | undefined) => number {
  const hours = hoursByCluster(rows)
  return (cluster = '') => {
    const measured = hours.get(cluster) ?? 0
    return measured === 0 ? 0 : hoursPerMonth / measured
  }
}
