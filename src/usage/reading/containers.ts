import type { Lifetime } from '../day/day-facts.ts'
import { type MemoryMarks, widerMarks } from '../digest/memory-marks.ts'
import type { Distribution } from '../distribution/distribution.ts'
import { sumDistributions } from '../distribution/sum.ts'
import type { ContainerSizes, ContainerUse, PodSpan, PodUsage } from './pod-usage.ts'

/** A container of a workload: the same container of all its pods together, because one size is set for all of them. */
export interface Container {
  readonly key: string
  readonly workload: string
  readonly name: string
  readonly init: boolean
  /** Image of the pod that was seen last; '' if not known. */
  readonly image: string
  readonly current: ContainerSizes
  readonly sums: PodSums
  /** Whether kube-state-metrics reports the node, the owner, a request or a limit of any of its pods. */
  readonly isDescribed: boolean
  readonly uses: Uses
}

/** A list or, if there are too many pods for memory, a function that reads them again; a use is valid until the next. */
export type Uses = readonly ContainerUse[] | (() => AsyncIterable<ContainerUse>)

export function containersOf(pods: readonly PodUsage[]): Container[] {
  const groups = Map.groupBy(pods, ({ workload, subject }) => `${workload}/${subject.container}`)
  return [...groups]
    .map(([key, members]) => containerOf(key, members))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

export function containerOf(key: string, pods: readonly PodUsage[]): Container {
  const builder = new ContainerBuilder(key)
  for (const pod of pods) builder.add(pod)
  return builder.finish(pods)
}

export class ContainerBuilder {
  readonly #key: string
  readonly #sums = new PodSums()
  #latest: Pick<PodUsage, 'workload' | 'subject' | 'image' | 'current' | 'lives'> | undefined
  #init = true
  #isDescribed = false

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
    this.#isDescribed ||= isDescribed(pod)
  }

  finish(uses: Uses): Container {
    const { workload, subject, image, current } = this.#latest!
    const { container: name } = subject
    return {
      key: this.#key,
      workload,
      name,
      init: this.#init,
      image,
      current,
      sums: this.#sums,
      isDescribed: this.#isDescribed,
      uses,
    }
  }
}

const isDescribed = ({ workload, current, use }: PodUsage): boolean =>
  !workload.startsWith('Pod/') ||
  Object.values(current).some((size) => size !== undefined) ||
  use.settingRanges().some(({ setting }) => setting.node !== undefined)

export const lastSeen = ({ lives }: Pick<PodUsage, 'lives'>): number => lives.at(-1)!.to

/** Merged in batches, so that a workload with a hundred thousand pods need not be kept in memory. */
export class PodSums {
  count = 0
  /** Hours that all pods ran together, including fractions of hours. */
  podHours = 0
  /** Number of hours in which pods were seen, added up over all pods. */
  seenHours = 0
  /** Times of the first and the last sample, in seconds since 1970. */
  firstAt = Number.POSITIVE_INFINITY
  lastAt = 0
  readonly lives: Lifetime[] = []
  /** Time at which each pod was last seen, in seconds since 1970. */
  readonly lastSeenAts: number[] = []
  readonly #waiting: PodUsage[] = []
  #folded: Pick<PodUsage, 'spans' | 'cpu' | 'memory'> | undefined
  /** Usage of the pods that ran long and until the end, when the last of them was seen, and the busiest of them. */
  readonly #longRunning: Distribution[] = []
  #longRunningCount = 0
  #longRunningUntil = 0
  #busiest: PodUsage | undefined
  /** Peak and marks over all pods, because they share one size. */
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
    if (pod.use.length >= minHours) this.#addLongRunning(pod)
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

  /** One that uses far more CPU than its siblings, as a leader does. Pods that have ended are not siblings. */
  get busiest(): PodUsage | undefined {
    const most = this.#busiest
    if (most === undefined || this.#longRunningCount < 2) return undefined
    return most.cpu.mean > busierBy * sumDistributions(this.#longRunning).mean ? most : undefined
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

  #addLongRunning(pod: PodUsage): void {
    const until = lastSeen(pod)
    if (until < this.#longRunningUntil - togetherSeconds) return
    if (until > this.#longRunningUntil + togetherSeconds) {
      this.#longRunning.length = 0
      this.#longRunningCount = 0
      this.#busiest = undefined
    }
    this.#longRunningUntil = Math.max(this.#longRunningUntil, until)
    this.#longRunningCount++
    if (this.#busiest === undefined || pod.cpu.mean > this.#busiest.cpu.mean) this.#busiest = pod
    this.#longRunning.push(pod.cpu)
    if (this.#longRunning.length >= foldAt)
      this.#longRunning.push(sumDistributions(this.#longRunning.splice(0)))
  }

  #fold(): Pick<PodUsage, 'spans' | 'cpu' | 'memory'> {
    const parts = [...(this.#folded === undefined ? [] : [this.#folded]), ...this.#waiting]
    if (this.#waiting.length > 0)
      this.#folded = {
        spans: pooledSpans(parts),
        cpu: sumDistributions(parts.map(({ cpu }) => cpu)),
        memory: sumDistributions(parts.map(({ memory }) => memory)),
      }
    this.#waiting.length = 0
    return this.#folded!
  }
}

const busierBy = 1.5
/** Pods whose last samples are this close ran together. */
const togetherSeconds = 3600
const minHours = 6
const foldAt = 64

/** Usage of all pods in each span; each second of each pod counts once. */
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

function merged(spans: readonly PodSpan[]): PodSpan {
  const add = (read: (span: PodSpan) => number) => spans.reduce((sum, span) => sum + read(span), 0)
  const [periods, throttledPeriods] = [add((span) => span.periods), add((span) => span.throttledPeriods)]
  return {
    startHour: spans[0]!.startHour,
    hours: Math.max(...spans.map(({ hours }) => hours)),
    cpu: sumDistributions(spans.map(({ cpu }) => cpu)),
    memory: sumDistributions(spans.map(({ memory }) => memory)),
    oomKills: add(({ oomKills }) => oomKills),
    periods,
    throttledPeriods,
    restarts: add(({ restarts }) => restarts),
    throttledMs: add(({ throttledMs }) => throttledMs),
    throttledShare: periods > 0 ? throttledPeriods / periods : 0,
    cpuWithoutStarts: spans.some(({ cpuWithoutStarts }) => cpuWithoutStarts !== undefined)
      ? sumDistributions(spans.map(({ cpu, cpuWithoutStarts }) => cpuWithoutStarts ?? cpu))
      : undefined,
  }
}
