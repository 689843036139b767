import { round } from '../../domain/money.ts'
import { type ContainerSubject, type NamespaceRef, subjectKey, subjectOfKey } from '../../domain/subject.ts'
import { hourSeconds } from '../../domain/time.ts'
import type { Yielder } from '../../runtime/yielder.ts'
import type { StoredSubject, UsageStore } from '../../usage/port.ts'
import {
  type Container,
  ContainerBuilder,
  containerOf,
  containersOf,
  lastSeen,
} from '../../usage/reading/containers.ts'
import { hourlyHours, type PodReader, type StoredUsage } from '../../usage/reading/pod-reader.ts'
import type { ContainerUse, HourRange, PodUsage } from '../../usage/reading/pod-usage.ts'
import { isRunningAt } from '../allocation/hour-columns.ts'
import type { ClusterLoads } from './node-load-cache.ts'
import { sortNames } from './sort-names.ts'

export interface NamespaceSource {
  readonly store: { readonly usage: Pick<UsageStore, 'digests'> }
  readonly organisation: string
  readonly hours: HourRange
  readonly reader: PodReader
  readonly yielder: Yielder
  /** Largest number of pods in memory at a time: about 20 MB if they ran for a month. */
  readonly maxPods: number
}

/**
 * What ran in a namespace. The pods of a small namespace stay in memory. For a large one, only the keys of its pods stay in
 * memory, by the container that they belong to, and its containers are read again a batch at a time.
 */
export class NamespaceUsage implements NamespaceRef {
  readonly cluster: string
  readonly namespace: string
  readonly loads: ClusterLoads
  /** The hour after the latest in which anything ran. The loads of nodes may be minutes old; this is up to date. */
  latestHour: number
  /** Time of the last sample, in seconds since 1970. */
  endAt: number
  readonly #source: NamespaceSource
  readonly #spansUntilHour: number
  pods = 0
  #pods: PodUsage[] = []
  /** Keys of pods by key of the container; undefined while all pods are in memory. */
  #podsOf: Map<string, string[]> | undefined

  constructor({ cluster, namespace }: NamespaceRef, loads: ClusterLoads, source: NamespaceSource) {
    this.cluster = cluster
    this.namespace = namespace
    this.loads = loads
    this.#source = source
    this.#spansUntilHour = spansUntilHour(loads, source.hours)
    this.latestHour = this.#spansUntilHour
    this.endAt = loads.endAt
  }

  get measuredHours(): number {
    const { from, to } = measuredRange(this.loads, this.#source.hours)
    return round(to - from, 2)
  }

  get isEmpty(): boolean {
    return this.#pods.length === 0 && this.#podsOf === undefined
  }

  add(stored: StoredSubject, subject: ContainerSubject): void {
    const { reader, hours } = this.#source
    if (this.#podsOf !== undefined) {
      const owner = reader.readOwner(subject, stored, hours)
      if (owner === undefined) return
      this.#recordLastSeen(owner.lastHour, owner.lastSeenAt)
      this.pods++
      this.#addPodKey(`${owner.workload}/${subject.container}`, stored.key)
      return
    }
    const pod = reader.readPod(subject, stored, hours, this.#spansUntilHour)
    if (pod === undefined) return
    this.#recordLastSeen(pod.use.hours.at(-1)!, lastSeen(pod))
    this.pods++
    this.#pods.push(pod)
    if (this.#pods.length > this.#source.maxPods) this.#keepOnlyKeys()
  }

  async *batches(): AsyncGenerator<readonly Container[]> {
    if (this.#podsOf === undefined) {
      yield containersOf(this.#pods)
      return
    }
    const { yielder, maxPods } = this.#source
    let batch: string[] = []
    let pods = 0
    for (const key of await sortNames([...this.#podsOf.keys()], yielder)) {
      const { length } = this.#podsOf.get(key)!
      if (pods > 0 && pods + length > Math.min(maxPods, batchPods)) {
        yield await this.#read(batch)
        batch = []
        pods = 0
      }
      batch.push(key)
      pods += length
    }
    if (batch.length > 0) yield await this.#read(batch)
  }

  async #read(keys: readonly string[]): Promise<Container[]> {
    const containerOfPod = new Map<string, string>()
    for (const key of keys) for (const pod of this.#podsOf!.get(key)!) containerOfPod.set(pod, key)
    const pods = [...containerOfPod.keys()]
    if (pods.length > this.#source.maxPods) return this.#readLarge(keys[0]!, pods)
    const members = new Map<string, PodUsage[]>(keys.map((key) => [key, []]))
    for await (const stored of this.#rowsOf(pods)) {
      const pod = this.#readPod(stored.key, stored)
      if (pod !== undefined) members.get(containerOfPod.get(stored.key)!)!.push(pod)
    }
    return [...members].flatMap(([key, pods]) => (pods.length === 0 ? [] : [containerOf(key, pods)]))
  }

  async #readLarge(key: string, pods: readonly string[]): Promise<Container[]> {
    const builder = new ContainerBuilder(key)
    for await (const stored of this.#rowsOf(pods)) {
      const pod = this.#readPod(stored.key, stored)
      if (pod !== undefined) builder.add(pod)
    }
    return builder.isEmpty ? [] : [builder.finish(() => this.#usesOf(pods))]
  }

  #readPod(key: string, stored: StoredUsage): PodUsage | undefined {
    const { reader, hours } = this.#source
    return reader.readPod(subjectOfKey(key) as ContainerSubject, stored, hours, this.#spansUntilHour)
  }

  async *#usesOf(pods: readonly string[]): AsyncGenerator<ContainerUse> {
    for await (const stored of this.#rowsOf(pods)) {
      const use = this.#source.reader.readHourlyUse(stored, this.#source.hours)
      if (use !== undefined) yield { subject: { cluster: this.cluster }, use }
    }
  }

  async *#rowsOf(pods: readonly string[]): AsyncGenerator<StoredSubject> {
    const { store, organisation, hours, yielder } = this.#source
    const query = {
      kind: 'container',
      fromHour: hours.from,
      toHour: hours.to,
      summariesBefore: this.#spansUntilHour - hourlyHours,
    } as const
    for (let from = 0; from < pods.length; from += batchPods) {
      const keys = pods.slice(from, from + batchPods)
      for await (const stored of store.usage.digests(organisation, { ...query, keys })) {
        yield stored
        if (yielder.isDue) await yielder.pause()
      }
    }
  }

  #recordLastSeen(lastHour: number, lastSeenAt: number): void {
    this.latestHour = Math.max(this.latestHour, lastHour + 1)
    this.endAt = Math.max(this.endAt, lastSeenAt)
  }

  #keepOnlyKeys(): void {
    this.#podsOf = new Map()
    for (const { workload, subject } of this.#pods)
      this.#addPodKey(`${workload}/${subject.container}`, subjectKey(subject))
    this.#pods = []
  }

  #addPodKey(container: string, pod: string): void {
    const pods = this.#podsOf!.get(container)
    if (pods === undefined) this.#podsOf!.set(container, [pod])
    else pods.push(pod)
  }
}

/** The hour since 1970 at which the spans of a cluster's containers end, unless later samples have arrived. */
export const spansUntilHour = ({ endAt }: Pick<ClusterLoads, 'endAt'>, { to }: HourRange): number =>
  Math.min(to, Math.floor(endAt / hourSeconds) + 1)

/**
 * The time from the first sample of a cluster to the last, in hours since 1970, as idle costs count it. It begins with
 * two decimals, so that the rounded hours of its parts add up.
 */
export function measuredRange({ measuredFrom, endAt }: ClusterLoads, { to }: HourRange): HourRange {
  const from = Math.floor(measuredFrom * 100) / 100
  const hourEnd = Math.floor(endAt / hourSeconds) + 1
  const until = Math.min(to, isRunningAt(endAt, hourEnd * hourSeconds) ? hourEnd : endAt / hourSeconds)
  return { from, to: Math.max(until, from + 0.01) }
}

const batchPods = 64
