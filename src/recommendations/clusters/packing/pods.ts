/** Identical pods, such as those of a workload. */
export interface PodGroup {
  readonly name: string
  /** The size of each pod. */
  readonly cores: number
  readonly gib: number
  readonly gpus?: number
  readonly count: number
  /** Most pods of the group that one node may have. */
  readonly perNode?: number
  /** Whether a roll-out starts one more pod before it ends another. */
  readonly surges?: boolean
  /** The only zone in which the pods can run. */
  readonly zone?: string
  /** Most pods that a node may have more than the one that has fewest. */
  readonly hostSkew?: number
  /** Names of groups that share no node with this one. */
  readonly apart?: ReadonlySet<string>
  /** Whether zones may differ by one pod only. */
  readonly isSpreadOverZones?: boolean
  /** Whether the pods may end at any time, as on spot nodes. */
  readonly toleratesSpot?: boolean
  readonly hasArm64?: boolean
}

/** Cores, GiB, GPUs and number of pods. */
export interface PodResources {
  readonly cores: number
  readonly gib: number
  readonly gpus?: number
  readonly pods: number
}

/** Rounding error to allow for in sums of floating-point numbers. */
export const tolerance = 1e-9

/** Returns how many pods of a group fit into a capacity. */
export function podsWithin(
  capacity: PodResources,
  { cores, gib, gpus = 0 }: Pick<PodGroup, 'cores' | 'gib' | 'gpus'>,
): number {
  const byCores = cores > 0 ? (capacity.cores + tolerance) / cores : Number.POSITIVE_INFINITY
  const byGib = gib > 0 ? (capacity.gib + tolerance) / gib : Number.POSITIVE_INFINITY
  const fit = Math.max(0, Math.floor(Math.min(byCores, byGib, capacity.pods)))
  return gpus > 0 ? Math.min(fit, Math.floor((capacity.gpus ?? 0) / gpus)) : fit
}

/** Adds up all pods. */
export function sumOfPods(groups: readonly PodGroup[]): Required<PodResources> {
  const sum = { cores: 0, gib: 0, gpus: 0, pods: 0 }
  for (const { cores, gib, gpus = 0, count } of groups) {
    sum.cores += cores * count
    sum.gib += gib * count
    sum.gpus += gpus * count
    sum.pods += count
  }
  return sum
}

export type ResourceVector = readonly [cores: number, gib: number, pods: number, gpus: number]

/** The resources as a vector of a linear program. */
export const vectorOf = ({ cores, gib, pods, gpus = 0 }: PodResources): ResourceVector => [
  cores,
  gib,
  pods,
  gpus,
]

/** Sorts by the larger of a pod's two shares of this capacity, largest first, then by name. */
export function largestFirst(groups: readonly PodGroup[], of: PodResources): PodGroup[] {
  const share = ({ cores, gib }: PodGroup): number =>
    Math.max(cores > 0 ? cores / of.cores : 0, gib > 0 ? gib / of.gib : 0)
  return groups.toSorted((a, b) => share(b) - share(a) || (a.name < b.name ? -1 : 1))
}
