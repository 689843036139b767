import { PodSums } from './pod-sums.ts'
import type { ContainerSizes, PlacedUse, PodUsage } from './pod-usage.ts'

/** A container of a workload: the same one of all its pods, judged together, since one size is set for all. */
export interface Container {
  /** Kind/workload/container */
  readonly key: string
  /** Kind/workload */
  readonly workload: string
  readonly name: string
  readonly init: boolean
  /** As the pod that was seen last has them. */
  readonly now: ContainerSizes
  readonly sums: PodSums
  /** Where its pods ran. */
  readonly uses: Uses
}

/** Held, or, of a workload of more pods than are, to be read again; those that are read hold until the next is. */
export type Uses = readonly PlacedUse[] | (() => AsyncIterable<PlacedUse>)

/** In order of key. */
export function containersOf(pods: readonly PodUsage[]): Container[] {
  const groups = Map.groupBy(pods, ({ workload, subject }) => `${workload}/${subject.container}`)
  return [...groups]
    .map(([key, members]) => containerOf(key, members))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** Requires at least one pod. */
export function containerOf(key: string, pods: readonly PodUsage[]): Container {
  const making = new ContainerInMaking(key)
  for (const pod of pods) making.add(pod)
  return making.finish(pods)
}

/** A container whose pods are added one at a time. */
export class ContainerInMaking {
  readonly #key: string
  readonly #sums = new PodSums()
  #latest: Pick<PodUsage, 'workload' | 'subject' | 'last' | 'lives'> | undefined
  #init = true

  constructor(key: string) {
    this.#key = key
  }

  get isEmpty(): boolean {
    return this.#latest === undefined
  }

  add(pod: PodUsage): void {
    this.#sums.add(pod)
    if (this.#latest === undefined || lastSeen(pod) > lastSeen(this.#latest)) this.#latest = pod
    if (!pod.init) this.#init = false
  }

  finish(uses: Uses): Container {
    const { workload, subject, last } = this.#latest!
    const { container: name } = subject
    return { key: this.#key, workload, name, init: this.#init, now: last, sums: this.#sums, uses }
  }
}

export const lastSeen = ({ lives }: Pick<PodUsage, 'lives'>): number => lives.at(-1)!.to
