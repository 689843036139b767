/** Identical pods, such as those of a workload. */
export interface PodGroup {
  readonly name: string
  /** The size of each pod. */
  readonly cores: number
  readonly gib: number
  readonly count: number
}

/** Cores, GiB and number of pods. */
export interface PodResources {
  readonly cores: number
  readonly gib: number
  readonly pods: number
}

/** Rounding error to allow for in sums of floating-point numbers. */
export const tolerance = 1e-9

/** Returns how many pods of a group fit into a capacity. */
export function podsWithin(capacity: PodResources, { cores, gib }: Pick<PodGroup, 'cores' | 'gib'>): number {
  const byCores = cores > 0 ? (capacity.cores + tolerance) / cores : Number.POSITIVE_INFINITY
  const byGib = gib > 0 ? (capacity.gib + tolerance) / gib : Number.POSITIVE_INFINITY
  return Math.max(0, Math.floor(Math.min(byCores, byGib, capacity.pods)))
}

/** Adds up all pods. */
export function sumOfPods(groups: readonly PodGroup[]): PodResources {
  const sum = { cores: 0, gib: 0, pods: 0 }
  for (const { cores, gib, count } of groups) {
    sum.cores += cores * count
    sum.gib += gib * count
    sum.pods += count
  }
  return sum
}

/** Sorts by the larger of a pod's two shares of this capacity, largest first, then by name. */
export function largestFirst(groups: readonly PodGroup[], of: PodResources): PodGroup[] {
  const share = ({ cores, gib }: PodGroup): number =>
    Math.max(cores > 0 ? cores / of.cores : 0, gib > 0 ? gib / of.gib : 0)
  return groups.toSorted((a, b) => share(b) - share(a) || (a.name < b.name ? -1 : 1))
}
