import type { ContainerSubject } from '../../domain/subject.ts'
import type { DigestCursor } from '../digest/cursor.ts'
import { counterNames, hourSeconds, numberNames, textNames } from '../digest/digest.ts'
import { MarksOverHours } from '../digest/memory-marks.ts'
import type { CountAndSum, DistributionSink } from './distribution-sink.ts'
import type { ContainerSetting, HourlyUse } from './hourly-use.ts'
import type { HourlyUseBuilder, HourRun } from './hourly-use-builder.ts'
import { gibBytes, microcores, type PodUsage, StoredPodUsage } from './pod-usage.ts'

/** Longer without a sample, and a container was away meanwhile. */
const silenceSeconds = 900
/** For so long after it began a container still does what it does only then. */
const startSeconds = 600

export type ObservedUse = Pick<PodUsage, 'use' | 'lives'>

/** Whose pod it is, and when it was last seen. */
export interface PodOwner {
  /** Kind/name of what the pod belongs to; of a pod of its own, Pod/name. */
  readonly workload: string
  /** Hours since 1970. */
  readonly lastHour: number
  /** Seconds since 1970. */
  readonly lastSeenAt: number
}

/** Takes in a container's hours where a cursor stands, one after the other. */
export class PodBuilder {
  readonly #cursor: DigestCursor
  /** Undefined if distributions are not needed. */
  readonly #gathering: DistributionSink | undefined
  readonly #hours: HourlyUseBuilder
  readonly #lives: { from: number; to: number }[] = []
  #life: { from: number; to: number } | undefined
  readonly #numbers: (number | undefined)[] = numberNames.map(() => undefined)
  readonly #texts: (string | undefined)[] = textNames.map(() => undefined)
  #setting: ContainerSetting = noSetting
  /** Which ones were taken last. */
  #said = -1
  #memoryPeakBytes = 0
  #marks: MarksOverHours | undefined
  #init = false

  /** Its hours are written over those of the container before. */
  constructor(cursor: DigestCursor, gathering: DistributionSink | undefined, hours: HourlyUseBuilder) {
    this.#cursor = cursor
    this.#gathering = gathering
    this.#hours = hours
    hours.clear()
  }

  /** Takes the hour at the cursor. */
  takeHour(cpu: CountAndSum, memory: CountAndSum): void {
    const cursor = this.#cursor
    const { hour } = cursor
    if (cursor.saysRegisters) this.takeRegisters()
    this.#gathering?.open(hour)
    if (cursor.isCounted) this.#takeCounters()
    if (cursor.memoryPeakBytes > this.#memoryPeakBytes) this.#memoryPeakBytes = cursor.memoryPeakBytes
    if (cursor.init) this.#init = true
    if (cursor.hasMarks) this.#takeMarks(1)
    const [seconds, samples] = [cpu.count, memory.count]
    if (seconds === 0 && samples === 0) return
    const ran = seconds > 0 ? seconds : spanOf(cursor, samples)
    this.#hours.add(hour, ran, cursor.last, cpu, memory, this.#setting)
    const start = hour * hourSeconds
    this.#live(start + cursor.first, start + cursor.last)
  }

  /** Takes a run of hours up to the cursor that contain only usage. */
  takeHours(run: HourRun): void {
    const { first, last, hour } = this.#cursor
    this.#gathering?.open(hour)
    if (this.#cursor.hasMarks) this.#takeMarks(run.length)
    this.#hours.addAll(run, last, this.#setting)
    // Where one hour's samples come soon after those of the hour before, so do all.
    const isOneLife = first + hourSeconds - last <= silenceSeconds
    for (let at = isOneLife ? hour : run.first; at <= hour; at++)
      this.#live((isOneLife ? run.first : at) * hourSeconds + first, at * hourSeconds + last)
  }

  /** Requests, node and owner known at the cursor, including facts from before the first hour. */
  takeRegisters(): void {
    const { numbers, texts, said } = this.#cursor
    if (said === this.#said) return
    this.#said = said
    for (let index = 0; index < numbers.length; index++)
      this.#numbers[index] = numbers[index]?.last ?? this.#numbers[index]
    for (let index = 0; index < texts.length; index++) {
      const text = texts[index]?.text
      const known = this.#texts[index]
      if (text === undefined || text === known) continue
      // The owner of a ReplicaSet is not always reported; once known, it stays.
      if (index === workloadIndex && known && !intermediate.test(known) && intermediate.test(text)) continue
      this.#texts[index] = text
    }
    this.#setting = {
      node: this.#texts[nodeIndex],
      cpuRequestCores: over(this.#numbers[cpuRequestIndex], microcores),
      memoryRequestGib: over(this.#numbers[memoryRequestIndex], gibBytes),
    }
  }

  /** What there is without distributions; undefined where it never ran. */
  finishUse(): ObservedUse | undefined {
    return this.#hours.length === 0 ? undefined : { use: this.#hours.finish(), lives: this.#lives }
  }

  /** The hours alone, good only until the next reading begins. */
  borrowUse(): HourlyUse | undefined {
    return this.#hours.length === 0 ? undefined : this.#hours.borrow()
  }

  /** Undefined where it never ran. */
  finishOwner(subject: ContainerSubject): PodOwner | undefined {
    if (this.#hours.length === 0) return undefined
    return {
      workload: this.#workloadOf(subject),
      lastHour: this.#hours.hours[this.#hours.length - 1]!,
      lastSeenAt: this.#lives.at(-1)!.to,
    }
  }

  finish(subject: ContainerSubject, sums: Pick<PodUsage, 'spans' | 'cpu' | 'memory'>): PodUsage | undefined {
    const used = this.finishUse()
    if (used === undefined) return undefined
    const pod = new StoredPodUsage(subject, this.#workloadOf(subject), sums, used)
    const [cpuRequest, cpuLimit, memoryRequest, memoryLimit] = this.#numbers
    pod.last = {
      cpuRequest: over(cpuRequest, microcores),
      cpuLimit: over(cpuLimit, microcores),
      memoryRequest: over(memoryRequest, gibBytes),
      memoryLimit: over(memoryLimit, gibBytes),
    }
    pod.init = this.#init
    pod.memoryPeakBytes = this.#memoryPeakBytes
    pod.marks = this.#marks?.total
    return pod
  }

  #workloadOf({ pod }: ContainerSubject): string {
    return this.#texts[workloadIndex] ?? `Pod/${pod}`
  }

  #takeCounters(): void {
    const { counters } = this.#cursor
    const restarts = counters[restartsIndex]!
    const killed = restarts > 0 && this.#texts[reasonIndex] === 'OOMKilled' ? restarts : 0
    const kills = Math.max(counters[oomIndex]!, killed)
    this.#gathering?.count({
      oomKills: kills,
      restarts,
      periods: counters[periodsIndex]!,
      throttledPeriods: counters[throttledIndex]!,
      throttledMs: counters[throttledMsIndex]!,
    })
  }

  #takeMarks(hours: number): void {
    this.#marks ??= new MarksOverHours()
    for (let hour = 0; hour < hours; hour++) this.#marks.add(this.#cursor.marks)
  }

  #live(from: number, to: number): void {
    const life = this.#life
    if (life !== undefined && from - life.to <= silenceSeconds) {
      if (to > life.to) life.to = to
      return
    }
    this.#life = { from, to }
    this.#lives.push(this.#life)
  }
}

/** The container started in the current hour, or so shortly before it that its start is still visible. */
export const startsAtCursor = (cursor: DigestCursor): boolean =>
  (cursor.isCounted && cursor.counters[restartsIndex]! > 0) || startsWithin(cursor, cursor.hour)

/** It started between this hour and the current one, and no restart was counted in that hour. */
export const startsWithin = ({ startedAt, startSecond }: DigestCursor, first: number): boolean =>
  startedAt >= first * hourSeconds - startSeconds && startedAt < startSecond + hourSeconds

/** If only memory is reported: the time from the first sample to the last, plus one interval. */
function spanOf({ first, last }: DigestCursor, samples: number): number {
  return samples < 2 ? 0 : Math.min(hourSeconds, ((last - first) * samples) / (samples - 1))
}

const over = (value: number | undefined, unit: number): number | undefined => value && value / unit

const noSetting: ContainerSetting = {
  node: undefined,
  cpuRequestCores: undefined,
  memoryRequestGib: undefined,
}
const intermediate = /^(ReplicaSet|Job)\//

const [oomIndex, restartsIndex] = [counterNames.indexOf('oomEvents'), counterNames.indexOf('restarts')]
const [periodsIndex, throttledIndex] = [
  counterNames.indexOf('periods'),
  counterNames.indexOf('throttledPeriods'),
]
const throttledMsIndex = counterNames.indexOf('throttledMs')
const cpuRequestIndex = numberNames.indexOf('cpuRequestMicrocores')
const memoryRequestIndex = numberNames.indexOf('memoryRequestBytes')
const nodeIndex = textNames.indexOf('node')
const workloadIndex = textNames.indexOf('workload')
const reasonIndex = textNames.indexOf('terminatedReason')
