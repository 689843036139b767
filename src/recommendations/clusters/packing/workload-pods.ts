import type { InitRequests } from '../../../usage/digest/entities.ts'
import { addResources, noResources, type ResourceSum, type WorkloadPods } from './cluster-pods.ts'

/** A container in the pods of a workload. */
export interface PodContainer {
  readonly name: string
  readonly init: boolean
  /** Whether it runs as long as the pod does, as all containers except init containers that end. */
  readonly isLongRunning: boolean
  readonly replicas: { readonly atEnd: number }
  readonly isGone: boolean
  readonly confidence: number
  readonly sizes: Readonly<Record<'recommended' | 'current', ResourceSum>>
  readonly gpus?: number
  /** Number of pods by zone. */
  readonly zones?: ReadonlyMap<string, number>
  /** Hours that its pods ran, by type of node. */
  readonly ranOn?: ReadonlyMap<string, number>
}

/** Collects the pods of a workload; its containers are added one after the other. */
export class WorkloadPodsBuilder {
  readonly key: string
  readonly #name: string
  readonly #running = { recommended: noResources(), current: noResources() }
  readonly #starting = { recommended: noResources(), current: noResources() }
  /** Sidecars, which start before the other init containers and keep running. */
  readonly #sidecars = { recommended: noResources(), current: noResources() }
  readonly #initNames = new Set<string>()
  /** Containers that do not run at the end, but may at another hour. */
  readonly #paused = { recommended: noResources(), current: noResources() }
  /** Containers that were removed; they count only if the whole workload was. */
  readonly #gone = { recommended: noResources(), current: noResources() }
  #byHour: Float32Array | undefined
  #goneByHour: Float32Array | undefined
  readonly #counts = new Map<string, number>()
  #confidence = 1
  #gpus = 0
  #zones: ReadonlyMap<string, number> = new Map()
  #ranOn: ReadonlyMap<string, number> | undefined

  constructor(key: string, name: string) {
    this.key = key
    this.#name = name
  }

  /** `counts` is the number of pods that have the container, by type of node. */
  add(
    {
      name: containerName,
      init,
      isLongRunning,
      replicas,
      isGone,
      confidence,
      sizes,
      gpus = 0,
      zones = new Map(),
      ranOn,
    }: PodContainer,
    counts: ReadonlyMap<string, number>,
    byHour?: Float32Array,
  ): void {
    if (init) this.#initNames.add(containerName)
    if (!isLongRunning) this.#addStarting(sizes)
    else if (replicas.atEnd > 0)
      for (const name of ['recommended', 'current'] as const) {
        addResources(this.#running[name], sizes[name])
        if (init) addResources(this.#sidecars[name], sizes[name])
      }
    if (isLongRunning && byHour !== undefined) {
      this.#ranOn ??= ranOn
      const ended = isGone ? this.#gone : this.#paused
      if (replicas.atEnd === 0)
        for (const name of ['recommended', 'current'] as const) addResources(ended[name], sizes[name])
      if (isGone) this.#goneByHour = mostByHour(this.#goneByHour, byHour)
      else this.#byHour = mostByHour(this.#byHour, byHour)
    }
    if (!isLongRunning || replicas.atEnd === 0) return
    // During a roll-out that adds a container, only some pods have it; all of them are counted with it.
    for (const [type, count] of counts) this.#counts.set(type, Math.max(count, this.#counts.get(type) ?? 0))
    this.#confidence = Math.min(this.#confidence, confidence)
    this.#gpus += gpus
    if (this.#zones.size === 0) this.#zones = zones
  }

  #addStarting(sizes: PodContainer['sizes']): void {
    for (const name of ['recommended', 'current'] as const) {
      const [starting, size] = [this.#starting[name], sizes[name]]
      starting.cores = Math.max(starting.cores, size.cores)
      starting.gib = Math.max(starting.gib, size.gib)
    }
  }

  /**
   * The scheduler needs the larger of what runs together and of an init container with the sidecars that start before it.
   * Their order is not known, so all sidecars count. An init container that was never sampled keeps its request.
   */
  finish(initRequests: InitRequests = new Map()): WorkloadPods {
    for (const [name, size] of initRequests)
      if (!this.#initNames.has(name)) this.#addStarting({ recommended: size, current: size })
    const isGone = this.#counts.size === 0 && this.#byHour === undefined && this.#goneByHour !== undefined
    const paused = isGone ? this.#gone : this.#paused
    const size = (name: 'recommended' | 'current'): ResourceSum => {
      const running = this.#counts.size > 0 ? this.#running[name] : paused[name]
      const [starting, sidecars] = [this.#starting[name], this.#sidecars[name]]
      return {
        cores: Math.max(running.cores, starting.cores + sidecars.cores),
        gib: Math.max(running.gib, starting.gib + sidecars.gib),
      }
    }
    return {
      name: this.#name,
      isDaemon: isDaemon(this.key),
      recommended: size('recommended'),
      current: size('current'),
      counts: this.#counts,
      confidence: this.#confidence,
      byHour: this.#byHour ?? this.#goneByHour,
      ...(isGone ? { isGone } : {}),
      ...(this.#ranOn === undefined ? {} : { ranOn: this.#ranOn }),
      ...(this.#gpus > 0 ? { rules: { gpus: this.#gpus } } : {}),
      // Volumes usually are in one zone.
      ...(this.key.startsWith('StatefulSet/') ? { zones: this.#zones } : {}),
    }
  }
}

const mostByHour = (some: Float32Array | undefined, others: Float32Array): Float32Array =>
  some?.map((pods, hour) => Math.max(pods, others[hour]!)) ?? others

/** The workload is "Kind/name". */
export const isDaemon = (workload: string): boolean => workload.startsWith('DaemonSet/')
