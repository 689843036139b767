import type { PodGroup, PodRoom } from '../../node-pools/pods.ts'

/** Cores and GiB. */
export interface ResourceSum {
  cores: number
  gib: number
}

/** Pods of a workload that run at the end of the window. */
export interface WorkloadPods {
  /** namespace/Kind/name */
  readonly name: string
  /** They are there because a node is. */
  readonly isPerNode: boolean
  /** A pod with the recommended sizes, and as it asks for now. */
  readonly recommended: ResourceSum
  readonly now: ResourceSum
  /** How many there are, by type of node. */
  readonly counts: ReadonlyMap<string, number>
  /** The most that ran at a time. */
  readonly highest: number
  readonly confidence: number
}

/** What runs in a cluster at the end of the window. */
export class ClusterPods {
  readonly cluster: string
  /** Type of a node by its name; undefined: the node of a pod was not reported. */
  readonly typeOf: (node: string | undefined) => string
  /** Requests and mean use of what runs, by type of node. */
  readonly requested = new Map<string, ResourceSum>()
  readonly used = new Map<string, ResourceSum>()
  /** Nodes that pods run on. */
  readonly nodes = new Set<string>()
  measuredHours = 0
  /** Hours since 1970. */
  firstHour = Number.POSITIVE_INFINITY
  /** Seconds since 1970 of the last sample. */
  endAt = 0
  running = 0
  highest = 0
  #confidence = 0
  readonly #workloads: WorkloadPods[] = []
  readonly #static = new Map<string, WorkloadPods>()

  constructor(cluster: string, typeOf: ClusterPods['typeOf']) {
    this.cluster = cluster
    this.typeOf = typeOf
  }

  /** Every pod counts the same. */
  get confidence(): number {
    return this.running === 0 ? 0 : this.#confidence / this.running
  }

  addWorkload(pods: WorkloadPods): void {
    const count = countOf(pods)
    if (count === 0) return
    this.running += count
    this.highest += Math.max(count, pods.highest)
    this.#confidence += pods.confidence * count
    this.#workloads.push(pods)
  }

  /** Static pods belong to their node each; the same one of all nodes is one workload here. */
  addStatic(pods: WorkloadPods): void {
    const known = this.#static.get(pods.name)
    const larger = (a: ResourceSum, b: ResourceSum = a): ResourceSum => ({
      cores: Math.max(a.cores, b.cores),
      gib: Math.max(a.gib, b.gib),
    })
    const counts = new Map(known?.counts)
    for (const [type, count] of pods.counts) counts.set(type, count + (counts.get(type) ?? 0))
    this.#static.set(pods.name, {
      ...pods,
      recommended: larger(pods.recommended, known?.recommended),
      now: larger(pods.now, known?.now),
      counts,
    })
  }

  /** Pods on some nodes of these types, as they are or with the recommended sizes, and what runs on every one of them. */
  on(types: ReadonlySet<string>, nodes: number, sizes: 'recommended' | 'now'): PodsOnNodes {
    const groups: PodGroup[] = []
    const everywhere = { cores: 0, gib: 0, pods: 0 }
    for (const workload of [...this.#workloads, ...this.#static.values()]) {
      const count = countOf(workload, types)
      if (count === 0) continue
      const { cores, gib } = workload[sizes]
      // What is on few nodes only, as a control plane is, does not come with each further one.
      if (workload.isPerNode && 2 * count >= nodes) {
        everywhere.cores += cores
        everywhere.gib += gib
        everywhere.pods++
      } else groups.push({ name: workload.name, cores, gib, count })
    }
    return { groups, everywhere }
  }
}

export interface PodsOnNodes {
  readonly groups: readonly PodGroup[]
  readonly everywhere: PodRoom
}

function countOf({ counts }: WorkloadPods, among?: ReadonlySet<string>): number {
  let sum = 0
  for (const [type, count] of counts) if (among === undefined || among.has(type)) sum += count
  return sum
}

export function addResources(into: ResourceSum, { cores, gib }: ResourceSum, times = 1): void {
  into.cores += times * cores
  into.gib += times * gib
}

export const noResources = (): ResourceSum => ({ cores: 0, gib: 0 })
