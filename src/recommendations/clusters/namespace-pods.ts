import { isRunningAt } from '../../costs/allocation/hour-columns.ts'
import type { NamespaceUsage } from '../../costs/clusters/namespace-usage.ts'
import { hourSeconds } from '../../domain/time.ts'
import { gibBytes, microcores } from '../../usage/digest/digest.ts'
import type { InitRequests } from '../../usage/digest/entities.ts'
import type { HourlyUse } from '../../usage/reading/hourly-use.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import type { ContainerContent, PricedContainer } from '../containers/namespace-draft.ts'
import { addResources, type ClusterPods, noResources, type ResourceSum } from './packing/cluster-pods.ts'
import { isDaemon, WorkloadPodsBuilder } from './packing/workload-pods.ts'

/**
 * Adds the pods of a namespace to those of its cluster. Containers come in order of key, so that those of a workload
 * follow each other.
 */
export class NamespacePods implements ContainerContent {
  readonly #namespace: string
  readonly #endAt: number
  readonly #into: ClusterPods
  #counts = new Map<string, number>()
  /** Nodes on which pods of the next container ran, in the whole window. */
  #ranOn = new Set<string>()
  #workload: WorkloadPodsBuilder | undefined
  /** GPUs that the next container requests, and the number of its pods by zone. */
  #gpus = 0
  #zones = new Map<string, number>()
  readonly #hours: HourRange
  /** Hours that pods of the next container ran, by hour of the window and by type of node. */
  #byHour: Float32Array
  #hoursOn = new Map<string, number>()

  readonly #initRequestsOf: (workload: string) => InitRequests | undefined

  constructor(
    reading: NamespaceUsage,
    hours: HourRange,
    into: ClusterPods,
    initRequestsOf: (workload: string) => InitRequests | undefined,
  ) {
    this.#initRequestsOf = initRequestsOf
    this.#hours = hours
    this.#byHour = new Float32Array(hours.to - hours.from)
    this.#namespace = reading.namespace
    this.#endAt = reading.endAt
    this.#into = into
    into.measuredHours = Math.max(into.measuredHours, reading.measuredHours)
    into.firstHour = Math.min(into.firstHour, reading.loads.firstHour)
    into.endAt = Math.max(into.endAt, reading.endAt)
    into.loads = reading.loads.loads
  }

  see(use: HourlyUse): void {
    const last = use.length - 1
    if (last < 0) return
    let hours = 0
    for (let index = 0; index < use.length; index++) {
      const ran = use.seconds[index]! / hourSeconds
      this.#byHour[use.hours[index]! - this.#hours.from]! += ran
      hours += ran
    }
    const { node, gpus = 0 } = use.settingRanges().at(-1)!.setting
    if (node !== undefined) this.#ranOn.add(node)
    const type = this.#into.typeOf(node)
    this.#hoursOn.set(type, hours + (this.#hoursOn.get(type) ?? 0))
    if (!isRunningAt(use.hours[last]! * hourSeconds + use.lasts[last]!, this.#endAt)) return
    this.#gpus = Math.max(this.#gpus, Math.ceil(gpus))
    const zone = node === undefined ? undefined : this.#into.zoneOf(node)
    if (zone !== undefined) this.#zones.set(zone, (this.#zones.get(zone) ?? 0) + 1)
    if (node !== undefined) this.#into.nodes.add(node)
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1)
    addResources(this.#into.used.getOrInsertComputed(type, noResources), use.mean())
  }

  add(container: PricedContainer): void {
    const [counts, byHour, ranOn] = [this.#counts, this.#byHour, this.#hoursOn]
    this.#counts = new Map()
    this.#hoursOn = new Map()
    this.#byHour = new Float32Array(byHour.length)
    const isStatic = container.workload.startsWith(staticPrefix)
    if (isStatic || isDaemon(container.workload))
      for (const node of this.#ranOn) this.#into.daemonNodes.add(node)
    this.#ranOn = new Set()
    if (isStatic && container.name === 'kube-apiserver')
      this.#into.controlPlane.add(container.workload.slice(staticPrefix.length))
    const key = isStatic ? container.key : container.workload
    if (this.#workload?.key !== key) {
      this.finish()
      const name = `${this.#namespace}/${isStatic ? `Node/${container.name}` : container.workload}`
      this.#workload = new WorkloadPodsBuilder(key, name)
    }
    const sizes = { recommended: recommendedSize(container), current: currentSize(container) }
    this.#workload!.add({ ...container, sizes, gpus: this.#gpus, zones: this.#zones, ranOn }, counts, byHour)
    this.#gpus = 0
    this.#zones = new Map()
    if (container.isLongRunning)
      for (const [type, count] of counts)
        addResources(this.#into.requested.getOrInsertComputed(type, noResources), sizes.current, count)
  }

  /** Must be called after the last container. */
  finish(): void {
    if (this.#workload === undefined) return
    const { key } = this.#workload
    const pods = this.#workload.finish(this.#initRequestsOf(key))
    if (key.startsWith(staticPrefix)) this.#into.addStatic(pods, key.split('/')[1]!)
    else this.#into.addWorkload(pods)
    this.#workload = undefined
  }
}

/** Static pods have their node as owner. */
const staticPrefix = 'Node/'

const currentSize = ({ current }: PricedContainer): ResourceSum => ({
  cores: current.cpuRequest ?? 0,
  gib: current.memoryRequest ?? 0,
})

/** A container with neither a request nor a recommendation counts with its usage. */
const recommendedSize = ({ recommended, advised, cpu, memory }: PricedContainer): ResourceSum => ({
  cores: recommended.cpuRequest ?? advised.cpu?.target ?? orZero(cpu.mean / microcores),
  gib: recommended.memoryRequest ?? advised.memory?.target ?? orZero(memory.max / gibBytes),
})

const orZero = (value: number): number => (Number.isFinite(value) ? value : 0)
