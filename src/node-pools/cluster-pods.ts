import type { PodGroup, PodRoom } from './pods.ts'

/** Cores and GiB. */
export interface ResourceSum {
  cores: number
  gib: number
}

/** Pods of a workload that run at the end of the window. */
export interface WorkloadPods {
  /** namespace/Kind/name */
  readonly name: string
  /** They are of a daemon set, and so on every node or on some. */
  readonly isDaemon: boolean
  /** A pod with the recommended sizes, and as it asks for now. */
  readonly recommended: ResourceSum
  readonly now: ResourceSum
  /** How many there are, by type of node. */
  readonly counts: ReadonlyMap<string, number>
  /** The most that ran at a time. */
  readonly highest: number
  readonly confidence: number
}

/** A node by its name, with the hours since 1970 in which it was first and last seen. */
interface SeenNode {
  readonly name: string
  readonly firstHour: number
  readonly lastHour: number
}

/** What runs in a cluster at the end of the window. */
export class ClusterPods {
  readonly cluster: string
  /** Type of a node by its name; '' where it is not known. */
  readonly typeOf: (node: string | undefined) => string
  /** Requests and mean use of what runs, by type of node. */
  readonly requested = new Map<string, ResourceSum>()
  readonly used = new Map<string, ResourceSum>()
  /** Nodes that pods run on. */
  readonly nodes = new Set<string>()
  /** Nodes that run the API server of the cluster. */
  readonly controlPlane = new Set<string>()
  measuredHours = 0
  /** Hours since 1970. */
  firstHour = Number.POSITIVE_INFINITY
  /** Seconds since 1970 of the last sample. */
  endAt = 0
  running = 0
  highest = 0
  #confidence = 0
  readonly #workloads: WorkloadPods[] = []
  readonly #static: (WorkloadPods & { readonly node: string })[] = []

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

  /** Static pods belong to the node that they are on. */
  addStatic(pods: WorkloadPods, node: string): void {
    if (countOf(pods) > 0) this.#static.push({ ...pods, node })
  }

  /** Whether a node is there at the end: it was seen in the last hours, or pods run on it. */
  hasAtEnd({ name, firstHour, lastHour }: SeenNode): boolean {
    const endHour = Math.floor(this.endAt / 3600)
    return this.nodes.has(name) || (firstHour <= endHour && lastHour >= endHour - 1)
  }

  /** Whether a node came or went between the first hour and the last. */
  sawComeOrGo({ name, firstHour, lastHour }: SeenNode): boolean {
    const endHour = Math.floor(this.endAt / 3600)
    const isGone = !this.nodes.has(name) && lastHour >= this.firstHour && lastHour < endHour - 1
    return isGone || (firstHour > this.firstHour + 1 && firstHour <= endHour)
  }

  /** Pods on some nodes of these types, as they are or with the recommended sizes, and what runs on every one of them. */
  on(types: ReadonlySet<string>, nodes: number, sizes: 'recommended' | 'now'): PodsOnNodes {
    const groups: PodGroup[] = []
    const everywhere = { cores: 0, gib: 0, pods: 0 }
    const onEach = ({ cores, gib }: ResourceSum): void => {
      everywhere.cores += cores
      everywhere.gib += gib
      everywhere.pods++
    }
    for (const workload of this.#workloads) {
      const count = countOf(workload, types)
      if (count === 0) continue
      // What is on few nodes only, as with a selector, does not come with each further one.
      if (workload.isDaemon && 2 * count >= nodes) onEach(workload[sizes])
      else groups.push({ name: workload.name, ...workload[sizes], count })
    }
    for (const [name, { count, size }] of this.#staticPods(types, sizes))
      if (2 * count >= nodes) onEach(size)
      else groups.push({ name, ...size, count })
    return { groups, everywhere }
  }

  /** By name, the largest of each; those of the control plane stay with it. */
  #staticPods(types: ReadonlySet<string>, sizes: 'recommended' | 'now') {
    const found = new Map<string, { count: number; readonly size: ResourceSum }>()
    for (const pods of this.#static) {
      const count = this.controlPlane.has(pods.node) ? 0 : countOf(pods, types)
      if (count === 0) continue
      const known = found.getOrInsertComputed(pods.name, () => ({ count: 0, size: noResources() }))
      known.count += count
      known.size.cores = Math.max(known.size.cores, pods[sizes].cores)
      known.size.gib = Math.max(known.size.gib, pods[sizes].gib)
    }
    return found
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
