import type { Lifetime } from '../day/day-facts.ts'
import { type MemoryMarks, widerMarks } from '../digest/memory-marks.ts'
import type { Distribution } from '../distribution/distribution.ts'
import { DistributionSum } from '../distribution/sum.ts'
import type { ContainerSizes, PlacedUse, PodSpan, PodUsage } from './pod-usage.ts'

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

/**
 * What the pods of a container come to. They are added one at a time and folded together some at a time, so that those of a
 * workload of a hundred thousand pods need not be held.
 */
export class PodSums {
  count = 0
  /** Hours of all pods together, parts of hours as parts. */
  podHours = 0
  /** Hours of all pods in which they were seen at all. */
  seenHours = 0
  /** Seconds since 1970, of the first sample and of the last. */
  firstAt = Number.POSITIVE_INFINITY
  lastAt = 0
  readonly lives: Lifetime[] = []
  /** When each pod was last seen. */
  readonly lastSeenAts: number[] = []
  readonly #waiting: PodUsage[] = []
  #folded: Pick<PodUsage, 'spans' | 'cpu' | 'memory'> | undefined
  readonly #grown: Distribution[] = []
  #grownCount = 0
  #busiest: PodUsage | undefined
  /** Peak and marks of all pods, since they share one size. */
  memoryPeakBytes = 0
  marks: MemoryMarks | undefined

  add(pod: PodUsage): void {
    this.count++
    this.podHours += pod.use.hoursRun()
    this.seenHours += pod.use.length
    for (const life of pod.lives) {
      this.firstAt = Math.min(this.firstAt, life.from)
      this.lastAt = Math.max(this.lastAt, life.to)
      this.lives.push(life)
    }
    this.memoryPeakBytes = Math.max(this.memoryPeakBytes, pod.memoryPeakBytes)
    if (pod.marks !== undefined) this.marks = widerMarks(this.marks, pod.marks)
    this.lastSeenAts.push(pod.lives.at(-1)!.to)
    if (pod.use.length >= leastHours) this.#addGrown(pod)
    this.#waiting.push(pod)
    if (this.#waiting.length >= foldAt) this.#fold()
  }

  get spans(): readonly PodSpan[] {
    return this.#fold().spans
  }

  get cpu(): Distribution {
    return this.#fold().cpu
  }

  get memory(): Distribution {
    return this.#fold().memory
  }

  /** The pod that works far harder than its siblings, as a leader does: its usage must not drown in theirs. */
  get busiest(): PodUsage | undefined {
    const most = this.#busiest
    if (most === undefined || this.#grownCount < 2) return undefined
    return most.cpu.mean > busierBy * total(this.#grown).mean ? most : undefined
  }

  get counters() {
    const all = { oomKills: 0, restarts: 0, periods: 0, throttledPeriods: 0, throttledMs: 0 }
    for (const span of this.spans) {
      all.oomKills += span.oomKills
      all.restarts += span.restarts
      all.throttledMs += span.throttledMs
      all.periods += span.periods
      all.throttledPeriods += span.throttledPeriods
    }
    return all
  }

  #addGrown(pod: PodUsage): void {
    this.#grownCount++
    if (this.#busiest === undefined || pod.cpu.mean > this.#busiest.cpu.mean) this.#busiest = pod
    this.#grown.push(pod.cpu)
    if (this.#grown.length >= foldAt) this.#grown.push(total(this.#grown.splice(0)))
  }

  #fold(): Pick<PodUsage, 'spans' | 'cpu' | 'memory'> {
    const parts = [...(this.#folded === undefined ? [] : [this.#folded]), ...this.#waiting]
    if (this.#waiting.length > 0)
      this.#folded = {
        spans: pooledSpans(parts),
        cpu: total(parts.map(({ cpu }) => cpu)),
        memory: total(parts.map(({ memory }) => memory)),
      }
    this.#waiting.length = 0
    return this.#folded!
  }
}

const busierBy = 1.5
const leastHours = 6
const foldAt = 64

/** What all pods used in each span, each second of each of them counting once. */
export function pooledSpans(pods: readonly Pick<PodUsage, 'spans'>[]): readonly PodSpan[] {
  if (pods.length === 1) return pods[0]!.spans
  const together = Map.groupBy(
    pods.flatMap(({ spans }) => spans),
    ({ startHour }) => startHour,
  )
  return [...together.values()]
    .map((spans) => (spans.length === 1 ? spans[0]! : merged(spans)))
    .sort((a, b) => a.startHour - b.startHour)
}

export function total(distributions: readonly Distribution[]): Distribution {
  if (distributions.length === 1) return distributions[0]!
  const sum = new DistributionSum()
  for (const distribution of distributions) sum.add(distribution)
  return sum.total()
}

function merged(spans: readonly PodSpan[]): PodSpan {
  const add = (read: (span: PodSpan) => number) => spans.reduce((sum, span) => sum + read(span), 0)
  const [periods, throttledPeriods] = [add((span) => span.periods), add((span) => span.throttledPeriods)]
  return {
    startHour: spans[0]!.startHour,
    hours: Math.max(...spans.map(({ hours }) => hours)),
    cpu: total(spans.map(({ cpu }) => cpu)),
    memory: total(spans.map(({ memory }) => memory)),
    oomKills: add(({ oomKills }) => oomKills),
    periods,
    throttledPeriods,
    restarts: add(({ restarts }) => restarts),
    throttledMs: add(({ throttledMs }) => throttledMs),
    throttledShare: periods > 0 ? throttledPeriods / periods : 0,
    calmCpu: spans.some(({ calmCpu }) => calmCpu !== undefined)
      ? total(spans.map(({ cpu, calmCpu }) => calmCpu ?? cpu))
      : undefined,
  }
}
