import type { NodeLoads } from '../../../costs/allocation/nodes.ts'
import { hourSeconds } from '../../../domain/time.ts'
import { type PodGroup, type PodResources, tolerance } from './pods.ts'

/** Cores and GiB. */
export interface ResourceSum {
  cores: number
  gib: number
}

/** Pods of a workload that run at the end of the window. */
export interface WorkloadPods {
  /** "namespace/Kind/name". */
  readonly name: string
  /** Whether the pods belong to a daemon set, which runs them on every node or on some. */
  readonly isDaemon: boolean
  /** The size of a pod with the recommended requests, and with the current ones. */
  readonly recommended: ResourceSum
  readonly current: ResourceSum
  /** Number of pods, by type of node. */
  readonly counts: ReadonlyMap<string, number>
  readonly confidence: number
  /** Mean number of pods in each hour of the window; undefined if that is not known. */
  readonly byHour: Float32Array | undefined
  /** Whether it was removed, so that its pods count only over time. */
  readonly isGone?: boolean
  /** Hours that its pods ran in the window, by type of node. */
  readonly ranOn?: ReadonlyMap<string, number>
  /** Whether a disruption budget lets none of them end. */
  readonly isProtected?: boolean
  /** Number of pods by the zone in which they must stay; absent or empty if they can be in any. */
  readonly zones?: ReadonlyMap<string, number>
  /** What is known about where its pods can run. */
  readonly rules?: Partial<Omit<PodGroup, 'name' | 'cores' | 'gib' | 'count'>>
}

/** A node with the hours since 1970 in which it was first and last seen. */
interface SeenNode {
  readonly name: string
  readonly firstHour: number
  readonly lastHour: number
}

/** What runs in a cluster at the end of the window. */
export class ClusterPods {
  readonly cluster: string
  /** Returns the type of a node by its name; '' if it is unknown. */
  readonly typeOf: (node: string | undefined) => string
  readonly zoneOf: (node: string) => string | undefined
  /** Requests and mean usage of the running pods, by type of node. */
  readonly requested = new Map<string, ResourceSum>()
  readonly used = new Map<string, ResourceSum>()
  /** Nodes on which pods run. */
  readonly nodes = new Set<string>()
  /** Nodes on which a daemon or a static pod ran at any time. These end with their node. */
  readonly daemonNodes = new Set<string>()
  /** Nodes that run the API server of the cluster. */
  readonly controlPlane = new Set<string>()
  measuredHours = 0
  /** Whether it is known on which nodes pods can run, so that no note need say so. */
  areRulesKnown = false
  /** Hours since 1970. */
  firstHour = Number.POSITIVE_INFINITY
  /** Seconds since 1970 of the last sample. */
  endAt = 0
  running = 0
  /** When nodes were there, in columns by hour. */
  loads: NodeLoads | undefined
  #confidence = 0
  readonly #workloads: WorkloadPods[] = []
  readonly #static: (WorkloadPods & { readonly node: string })[] = []

  constructor(
    cluster: string,
    typeOf: ClusterPods['typeOf'],
    zoneOf: ClusterPods['zoneOf'] = () => undefined,
  ) {
    this.cluster = cluster
    this.typeOf = typeOf
    this.zoneOf = zoneOf
  }

  /** Mean over all pods. */
  get confidence(): number {
    return this.running === 0 ? 0 : this.#confidence / this.running
  }

  addWorkload(pods: WorkloadPods): void {
    const count = countOf(pods)
    if (count > 0 || pods.byHour !== undefined) this.#workloads.push(pods)
    if (count === 0) return
    this.running += count
    this.#confidence += pods.confidence * count
  }

  /** Static pods belong to the node on which they run. */
  addStatic(pods: WorkloadPods, node: string): void {
    if (countOf(pods) > 0) this.#static.push({ ...pods, node })
  }

  /** Workloads whose pods cannot be moved without a word to their owners. */
  hardToMove(): { readonly protectedPods: readonly string[]; readonly singlePods: readonly string[] } {
    const moving = Map.groupBy(
      this.#workloads.filter((workload) => !workload.isDaemon && countOf(workload) > 0),
      ({ name }) => name,
    )
    const [protectedPods, singlePods]: [string[], string[]] = [[], []]
    for (const [name, parts] of moving)
      if (parts.some(({ isProtected }) => isProtected)) protectedPods.push(name)
      else if (parts.reduce((sum, part) => sum + countOf(part), 0) === 1) singlePods.push(name)
    return { protectedPods, singlePods }
  }

  /** Whether a node exists at the end: pods run on it, or it was seen in the last hours and never ran a daemon. */
  hasAtEnd({ name, firstHour, lastHour }: SeenNode): boolean {
    const endHour = Math.floor(this.endAt / hourSeconds)
    if (this.nodes.has(name) || this.daemonNodes.has(name)) return this.nodes.has(name)
    return firstHour <= endHour && lastHour >= endHour - 1
  }

  /** Whether a node was added or removed between the first hour and the last. */
  wasAddedOrRemoved(node: SeenNode): boolean {
    const { firstHour, lastHour } = node
    const endHour = Math.floor(this.endAt / hourSeconds)
    const isGone = firstHour <= endHour && lastHour >= this.firstHour && !this.hasAtEnd(node)
    return isGone || (firstHour > this.firstHour + 1 && firstHour <= endHour)
  }

  /**
   * The hour of the window in which the recommended requests of all pods but daemons have the greatest share of those at the end,
   * of cores or of memory, from 0; undefined if that is not above the end.
   */
  busiestHour(): number | undefined {
    const hours = this.#workloads.find(({ byHour }) => byHour !== undefined)?.byHour?.length ?? 0
    const [cores, gib] = [new Float64Array(hours), new Float64Array(hours)]
    const atEnd = noResources()
    for (const workload of this.#workloads) {
      if (workload.isDaemon || workload.isGone) continue
      const { recommended, byHour } = workload
      addResources(atEnd, recommended, countOf(workload))
      for (let hour = 0; hour < hours; hour++) {
        const pods = podsIn(byHour, [hour])
        cores[hour]! += pods * recommended.cores
        gib[hour]! += pods * recommended.gib
      }
    }
    let [busiest, most] = [-1, 1]
    for (let hour = 0; hour < hours; hour++) {
      const share = Math.max(cores[hour]! / (atEnd.cores || 1), gib[hour]! / (atEnd.gib || 1))
      if (share > most + tolerance) [busiest, most] = [hour, share]
    }
    return busiest < 0 ? undefined : busiest
  }

  /**
   * Returns the pods on nodes of these types at the end, or their mean number in hours of the window, with their current or
   * recommended sizes, and what runs on every node.
   */
  podsOnTypes(
    types: ReadonlySet<string>,
    { nodes, minNodes, allHours }: NodeCounts,
    sizes: 'recommended' | 'current',
    hours?: readonly number[],
  ): PodsOnNodes {
    const groups: PodGroup[] = []
    const everywhere = { cores: 0, gib: 0, pods: 0 }
    const onEach = ({ cores, gib }: ResourceSum): void => {
      everywhere.cores += cores
      everywhere.gib += gib
      everywhere.pods++
    }
    const counted = this.#workloads.flatMap((workload) => {
      if (workload.isGone && allHours === undefined) return []
      const countedHours = workload.isDaemon ? allHours : hours
      const count =
        countedHours === undefined
          ? countOf(workload, types)
          : countIn(workload, types, countedHours, allHours !== undefined)
      return count === 0 ? [] : [{ workload, count }]
    })
    const ofName = new Map<string, number>()
    for (const { workload, count } of counted)
      ofName.set(workload.name, count + (ofName.get(workload.name) ?? 0))
    for (const { workload, count } of counted) {
      // A daemon that runs on few nodes, for example because of a selector, does not run on each additional node.
      if (workload.isDaemon && 2 * count >= nodes) onEach(workload[sizes])
      else {
        const group = {
          name: workload.name,
          ...workload[sizes],
          ...spreadOf(workload.name, ofName.get(workload.name)!, minNodes),
          count,
          ...workload.rules,
        }
        groups.push(...inZones(group, workload.zones))
      }
    }
    const staticOn = [...this.nodes].filter((node) => types.has(this.typeOf(node))).length
    for (const [name, { count, size }] of this.#staticPods(types, sizes))
      if (2 * count >= (allHours === undefined ? nodes : staticOn)) onEach(size)
      else groups.push({ name, ...size, count, surges: false })
    return { groups, everywhere }
  }

  /** Returns the largest size of static pods by name. Those of the control plane stay with it. */
  #staticPods(types: ReadonlySet<string>, sizes: 'recommended' | 'current') {
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

/** Bound pods stay in the zones in which they are; in an hour with more pods these are in the same proportion. */
function inZones(group: PodGroup, zones: ReadonlyMap<string, number> = new Map()): PodGroup[] {
  const all = [...zones.values()].reduce((sum, count) => sum + count, 0)
  if (all === 0) return [group]
  let [seen, given] = [0, 0]
  return [...zones].sort().flatMap(([zone, pods]) => {
    seen += pods
    const count = Math.round((group.count * seen) / all) - given
    given += count
    return count === 0 ? [] : [{ ...group, zone, count, toleratesSpot: false }]
  })
}

interface NodeCounts {
  readonly nodes: number
  readonly minNodes: number
  /**
   * All measured hours if an autoscaler adds and removes nodes: pods are then on the types on which they ran in these, and
   * `nodes` is the mean.
   */
  readonly allHours?: readonly number[] | undefined
}

/** In another hour, pods are on the same types as at the end; those that do not run at the end can be on any. */
function countIn(
  { counts, ranOn = counts, byHour }: WorkloadPods,
  types: ReadonlySet<string>,
  hours: readonly number[],
  isOverTime: boolean,
): number {
  const on = { counts: isOverTime ? ranOn : counts }
  const [all, onTypes] = [countOf(on), countOf(on, types)]
  const pods = podsIn(byHour, hours)
  if (all === 0) return types.has('') ? pods : 0
  return Math.ceil((pods * onTypes) / all - tolerance)
}

/** A pod that replaces another runs for a part of the hour; a few minutes more are a roll-out. */
const podsIn = (byHour: Float32Array | undefined, hours: readonly number[]): number =>
  Math.ceil(hours.reduce((sum, hour) => sum + (byHour?.[hour] ?? 0), 0) / hours.length - 0.1)

/** No node has more than a third of the pods of a workload, or than an equal part if there are fewer nodes. */
export function spreadOf(name: string, count: number, nodes: number) {
  const perNode = Math.max(1, Math.ceil(count / Math.max(1, Math.min(spreadNodes, nodes))))
  const surges = surging.test(name)
  return { count, perNode, surges, toleratesSpot: surges && count > 1 }
}

const spreadNodes = 3
/** Names are "namespace/Kind/name". Others stop a pod before they start its successor. */
const surging = /\/(Deployment|ReplicaSet|Rollout)\//

export interface PodsOnNodes {
  readonly groups: readonly PodGroup[]
  readonly everywhere: PodResources
}

function countOf({ counts }: Pick<WorkloadPods, 'counts'>, among?: ReadonlySet<string>): number {
  let sum = 0
  for (const [type, count] of counts) if (among === undefined || among.has(type)) sum += count
  return sum
}

export function addResources(into: ResourceSum, { cores, gib }: ResourceSum, times = 1): void {
  into.cores += times * cores
  into.gib += times * gib
}

export const noResources = (): ResourceSum => ({ cores: 0, gib: 0 })
