import { addResources, noResources, type ResourceSum, type WorkloadPods } from './cluster-pods.ts'

/** A container in the pods of a workload. */
export interface PodContainer {
  /** Whether it runs as long as the pod does, as all containers except init containers that end. */
  readonly isLongRunning: boolean
  readonly replicas: { readonly atEnd: number; readonly highest: number }
  readonly confidence: number
  readonly sizes: Readonly<Record<'recommended' | 'current', ResourceSum>>
}

/** Collects the pods of a workload; its containers are added one after the other. */
export class WorkloadPodsBuilder {
  readonly key: string
  readonly #name: string
  readonly #running = { recommended: noResources(), current: noResources() }
  readonly #starting = { recommended: noResources(), current: noResources() }
  readonly #counts = new Map<string, number>()
  #highest = 0
  #confidence = 1

  constructor(key: string, name: string) {
    this.key = key
    this.#name = name
  }

  /** `counts` is the number of pods that have the container, by type of node. */
  add(
    { isLongRunning, replicas, confidence, sizes }: PodContainer,
    counts: ReadonlyMap<string, number>,
  ): void {
    for (const name of ['recommended', 'current'] as const) {
      const [starting, size] = [this.#starting[name], sizes[name]]
      if (!isLongRunning) {
        starting.cores = Math.max(starting.cores, size.cores)
        starting.gib = Math.max(starting.gib, size.gib)
      } else if (replicas.atEnd > 0) addResources(this.#running[name], size)
    }
    if (!isLongRunning || replicas.atEnd === 0) return
    // During a roll-out that adds a container, only some pods have it; all of them are counted with it.
    for (const [type, count] of counts) this.#counts.set(type, Math.max(count, this.#counts.get(type) ?? 0))
    this.#highest = Math.max(this.#highest, replicas.highest)
    this.#confidence = Math.min(this.#confidence, confidence)
  }

  /** The scheduler uses the largest init container if it requests more than all other containers together. */
  finish(): WorkloadPods {
    const size = (name: 'recommended' | 'current'): ResourceSum => ({
      cores: Math.max(this.#running[name].cores, this.#starting[name].cores),
      gib: Math.max(this.#running[name].gib, this.#starting[name].gib),
    })
    return {
      name: this.#name,
      isDaemon: isDaemon(this.key),
      recommended: size('recommended'),
      current: size('current'),
      counts: this.#counts,
      highest: this.#highest,
      confidence: this.#confidence,
    }
  }
}

/** The workload is "Kind/name". */
export const isDaemon = (workload: string): boolean => workload.startsWith('DaemonSet/')
