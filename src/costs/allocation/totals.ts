import { round } from '../../domain/money.ts'
import { gibBytes, microcores } from '../../usage/digest/digest.ts'
import type { ContainerSizes } from '../../usage/reading/pod-usage.ts'
import { type Spend, usdOf } from './spend.ts'

interface CountedContainer {
  /** Kind/name. */
  readonly workload: string
  /** False for init containers that end before the others start. */
  readonly isLongRunning: boolean
  readonly current: ContainerSizes
  readonly recommended: ContainerSizes
  readonly replicas: {
    readonly atEnd: number
    readonly highest: number
    /** Maximum replicas of the autoscaler; undefined without one. */
    readonly most: number | undefined
  }
  readonly cpu: { readonly mean: number }
  readonly memory: { readonly mean: number }
  readonly podHours: number
  /** Without kube-state-metrics, requests and limits are unknown, and the container is in no total. */
  readonly hasUnknownRequests: boolean
}

type SizeTotals = { readonly [Name in keyof ContainerSizes]: number }

export interface Utilisation {
  readonly cpu: number
  readonly memory: number
}

/** Totals of the containers of a namespace, added in key order, so that the containers of a workload are adjacent. */
export class NamespaceTotals {
  readonly #current = noSizes()
  readonly #recommended = noSizes()
  readonly #limitQuota = quotaSums()
  readonly #requestQuota = quotaSums()
  readonly #utilisation = { cpu: new UtilisationSum(), memory: new UtilisationSum() }
  readonly #currentUtilisation = { cpu: new UtilisationSum(), memory: new UtilisationSum() }
  #spendUsd = 0
  #estimatedUsd = 0
  #unknown = 0

  addPriced(container: CountedContainer & { readonly currentSpend: Spend }): void {
    this.add(container)
    this.#spendUsd += usdOf(container.currentSpend)
    this.#estimatedUsd += container.currentSpend.estimatedUsd ?? 0
  }

  add(container: CountedContainer): void {
    const { current, recommended, replicas, podHours, cpu, memory } = container
    if (container.hasUnknownRequests) {
      this.#unknown++
      return
    }
    for (const name of sizeNames) {
      this.#current[name] += (current[name] ?? 0) * replicas.atEnd
      this.#recommended[name] += (recommended[name] ?? 0) * replicas.atEnd
    }
    this.#limitQuota.cpu.add(container, recommended.cpuLimit ?? recommended.cpuRequest ?? 0)
    this.#limitQuota.memory.add(container, recommended.memoryLimit ?? recommended.memoryRequest ?? 0)
    this.#requestQuota.cpu.add(container, recommended.cpuRequest ?? 0)
    this.#requestQuota.memory.add(container, recommended.memoryRequest ?? 0)
    this.#utilisation.cpu.add(cpu.mean / microcores, recommended.cpuRequest, podHours)
    this.#utilisation.memory.add(memory.mean / gibBytes, recommended.memoryRequest, podHours)
    this.#currentUtilisation.cpu.add(cpu.mean / microcores, current.cpuRequest, podHours)
    this.#currentUtilisation.memory.add(memory.mean / gibBytes, current.memoryRequest, podHours)
  }

  get spendUsd(): number {
    return this.#spendUsd
  }

  get estimatedUsd(): number {
    return this.#estimatedUsd
  }

  /** Sums of value x replicas; a value that is not set counts as 0. */
  get sizes(): { readonly current: SizeTotals; readonly recommended: SizeTotals } {
    return { current: { ...this.#current }, recommended: { ...this.#recommended } }
  }

  get unknown(): number {
    return this.#unknown
  }

  /**
   * Recommended limits at the highest replica count, plus a quarter: 2 replicas of 1 core and 1 of 0.5 -> 3.125. A
   * container without a limit counts with its request. For a quota on requests, the requests.
   */
  quotaFor({ ofRequests }: Pick<HardQuota, 'ofRequests'>): { cpu: number; memory: number } {
    const sumOf = (resource: 'cpu' | 'memory') =>
      (ofRequests[resource] ? this.#requestQuota : this.#limitQuota)[resource].total * rolloutMargin
    return { cpu: sumOf('cpu'), memory: sumOf('memory') }
  }

  /** 100 x mean usage / recommended request, weighted by running time; 0 if nothing is requested. */
  get utilisation(): Utilisation {
    return { cpu: this.#utilisation.cpu.percent, memory: this.#utilisation.memory.percent }
  }

  get currentUtilisation(): Utilisation {
    return { cpu: this.#currentUtilisation.cpu.percent, memory: this.#currentUtilisation.memory.percent }
  }
}

/** Lets a rollout start new pods before it stops the old ones. */
const rolloutMargin = 1.25

type ReplicatedContainer = Pick<CountedContainer, 'workload' | 'isLongRunning' | 'replicas'>

/**
 * Adds up the sizes of all replicas. Init containers that end run before the other containers of their pod, so the pod
 * needs the greater of the two.
 */
export class ReplicasSum {
  readonly #countOf: (container: ReplicatedContainer) => number
  #workload: string | undefined
  #finished = 0
  /** Sizes of the current workload: the sum of its long-running containers, and the largest init container. */
  #longRunning = 0
  #largestInit = Number.NEGATIVE_INFINITY

  constructor(countOf: (container: ReplicatedContainer) => number) {
    this.#countOf = countOf
  }

  add(container: ReplicatedContainer, size: number): void {
    if (container.workload !== this.#workload) {
      this.#finished += this.#workloadSize
      this.#workload = container.workload
      this.#longRunning = 0
      this.#largestInit = Number.NEGATIVE_INFINITY
    }
    const all = size * this.#countOf(container)
    if (container.isLongRunning) this.#longRunning += all
    else this.#largestInit = Math.max(this.#largestInit, all)
  }

  get total(): number {
    return this.#finished + this.#workloadSize
  }

  get #workloadSize(): number {
    return Math.max(this.#longRunning, this.#largestInit)
  }
}

/** The highest replica count that was seen, or the maximum of the autoscaler if that is greater. */
export const maxReplicas = ({ replicas }: Pick<CountedContainer, 'replicas'>): number =>
  Math.max(replicas.highest, replicas.most ?? 0)

class UtilisationSum {
  #used = 0
  #asked = 0

  add(mean: number, request: number | undefined, podHours: number): void {
    if (request === undefined || request <= 0 || Number.isNaN(mean)) return
    this.#used += mean * podHours
    this.#asked += request * podHours
  }

  get percent(): number {
    return this.#asked > 0 ? round((100 * this.#used) / this.#asked, 3) : 0
  }
}

const sizeNames = ['cpuRequest', 'cpuLimit', 'memoryRequest', 'memoryLimit'] as const
const noSizes = () => ({ cpuRequest: 0, cpuLimit: 0, memoryRequest: 0, memoryLimit: 0 })

const quotaSums = () => ({ cpu: new ReplicasSum(maxReplicas), memory: new ReplicasSum(maxReplicas) })

/** Cores and GiB; 0 if there is no quota. */
export interface HardQuota {
  readonly cpu: number
  readonly memory: number
  /** Whether it limits the sum of requests instead of limits. */
  readonly ofRequests: { readonly cpu: boolean; readonly memory: boolean }
}

export const noQuota: HardQuota = { cpu: 0, memory: 0, ofRequests: { cpu: false, memory: false } }
