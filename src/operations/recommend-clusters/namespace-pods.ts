import { isRunningAt } from '../../allocation/hour-columns.ts'
import type { NamespaceReading } from '../../cluster-usage/namespace-reading.ts'
import {
  addResources,
  type ClusterPods,
  noResources,
  type ResourceSum,
  type WorkloadPods,
} from '../../node-pools/cluster-pods.ts'
import { gibBytes, microcores } from '../../usage/digest/digest.ts'
import type { HourlyUse } from '../../usage/reading/hourly-use.ts'
import type { ContainerContent } from '../recommend-sizes/namespace-draft.ts'
import type { PricedContainer } from '../recommend-sizes/sized-container.ts'

/** Adds the pods of a namespace to those of its cluster. Containers come in order of key, so that those of a workload follow each other. */
export class NamespacePods implements ContainerContent {
  readonly #namespace: string
  readonly #endAt: number
  readonly #into: ClusterPods
  #counts = new Map<string, number>()
  #workload: PodsInMaking | undefined

  constructor(reading: NamespaceReading, into: ClusterPods) {
    this.#namespace = reading.namespace
    this.#endAt = reading.endAt
    this.#into = into
    into.measuredHours = Math.max(into.measuredHours, reading.measuredHours)
    into.firstHour = Math.min(into.firstHour, reading.loads.firstHour)
    into.endAt = Math.max(into.endAt, reading.endAt)
  }

  see(use: HourlyUse): void {
    const last = use.length - 1
    if (last < 0 || !isRunningAt(use.hours[last]! * 3600 + use.lasts[last]!, this.#endAt)) return
    const { node } = use.steps().at(-1)!.setting
    const type = this.#into.typeOf(node)
    if (node !== undefined) this.#into.nodes.add(node)
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1)
    addResources(this.#into.used.getOrInsertComputed(type, noResources), meanUse(use))
  }

  add(container: PricedContainer): void {
    const counts = this.#counts
    this.#counts = new Map()
    const isStatic = container.workload.startsWith(staticPrefix)
    if (isStatic && container.name === 'kube-apiserver')
      this.#into.controlPlane.add(container.workload.slice(staticPrefix.length))
    const key = isStatic ? container.key : container.workload
    if (this.#workload?.key !== key) {
      this.finish()
      const name = `${this.#namespace}/${isStatic ? `Node/${container.name}` : container.workload}`
      this.#workload = new PodsInMaking(key, name)
    }
    this.#workload!.add(container, counts)
    if (container.runsAlong)
      for (const [type, count] of counts)
        addResources(
          this.#into.requested.getOrInsertComputed(type, noResources),
          requestsNow(container),
          count,
        )
  }

  /** After the last container. */
  finish(): void {
    const pods = this.#workload?.finish()
    if (pods === undefined) return
    const { key } = this.#workload!
    if (key.startsWith(staticPrefix)) this.#into.addStatic(pods, key.split('/')[1]!)
    else this.#into.addWorkload(pods)
    this.#workload = undefined
  }
}

/** Static pods have their node as owner. */
const staticPrefix = 'Node/'

class PodsInMaking {
  readonly key: string
  readonly #name: string
  readonly #running = { recommended: noResources(), now: noResources() }
  readonly #starting = { recommended: noResources(), now: noResources() }
  readonly #counts = new Map<string, number>()
  #highest = 0
  #confidence = 1

  constructor(key: string, name: string) {
    this.key = key
    this.#name = name
  }

  add(container: PricedContainer, counts: ReadonlyMap<string, number>): void {
    const sizes = { recommended: recommendedSize(container), now: requestsNow(container) }
    const { runsAlong, replicas, confidence } = container
    for (const name of ['recommended', 'now'] as const) {
      const [starting, size] = [this.#starting[name], sizes[name]]
      if (!runsAlong) {
        starting.cores = Math.max(starting.cores, size.cores)
        starting.gib = Math.max(starting.gib, size.gib)
      } else if (replicas.atEnd > 0) addResources(this.#running[name], size)
    }
    if (!runsAlong || replicas.atEnd === 0) return
    // While a roll-out adds a container, some pods have it and some have not; all of them count with it.
    for (const [type, count] of counts) this.#counts.set(type, Math.max(count, this.#counts.get(type) ?? 0))
    this.#highest = Math.max(this.#highest, replicas.highest)
    this.#confidence = Math.min(this.#confidence, confidence)
  }

  /** The scheduler counts the largest init container where it asks for more than all others together. */
  finish(): WorkloadPods {
    const size = (name: 'recommended' | 'now'): ResourceSum => ({
      cores: Math.max(this.#running[name].cores, this.#starting[name].cores),
      gib: Math.max(this.#running[name].gib, this.#starting[name].gib),
    })
    return {
      name: this.#name,
      isDaemon: this.key.startsWith('DaemonSet/'),
      recommended: size('recommended'),
      now: size('now'),
      counts: this.#counts,
      highest: this.#highest,
      confidence: this.#confidence,
    }
  }
}

const requestsNow = ({ now }: PricedContainer): ResourceSum => ({
  cores: now.cpuRequest ?? 0,
  gib: now.memoryRequest ?? 0,
})

/** What has neither a request nor a recommendation counts with what it used. */
const recommendedSize = ({ recommended, advised, cpu, memory }: PricedContainer): ResourceSum => ({
  cores: recommended.cpuRequest ?? advised.cpu?.target ?? orZero(cpu.mean / microcores),
  gib: recommended.memoryRequest ?? advised.memory?.target ?? orZero(memory.max / gibBytes),
})

const orZero = (value: number): number => (Number.isFinite(value) ? value : 0)

function meanUse(use: HourlyUse): ResourceSum {
  let [seconds, cores, gib] = [0, 0, 0]
  for (let index = 0; index < use.length; index++) {
    seconds += use.seconds[index]!
    cores += use.seconds[index]! * use.cores[index]!
    gib += use.seconds[index]! * use.gib[index]!
  }
  return seconds === 0 ? noResources() : { cores: cores / seconds, gib: gib / seconds }
}
