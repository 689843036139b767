import type { ContainerSubject } from '../../domain/subject.ts'
import { hourSeconds } from '../../domain/time.ts'
import { type FactChange, isOwnerKept, isStart, Lifetimes, secondsRun } from '../day/day-facts.ts'
import type { DaySummaryReader } from '../day/day-summary-reader.ts'
import type { DigestCursor } from '../digest/cursor.ts'
import { counterNames, gibBytes, microcores, numberNames, textNames } from '../digest/digest.ts'
import { MarksOverHours, type MemoryMarks } from '../digest/memory-marks.ts'
import type { CountAndSum, DistributionSink } from './distribution-sink.ts'
import { type ContainerSetting, type HourlyUse, type HourlyUseBuilder, noSetting } from './hourly-use.ts'
import { type PodUsage, StoredPodUsage } from './pod-usage.ts'

export type ObservedUse = Pick<PodUsage, 'use' | 'lives'>

export interface PodOwner {
  /** Kind/name of the workload that the pod belongs to; Pod/name if there is none. */
  readonly workload: string
  /** Hours since 1970. */
  readonly lastHour: number
  /** Seconds since 1970. */
  readonly lastSeenAt: number
}

/** Collects a container's hours one after the other, at the position of a cursor. */
export class PodBuilder {
  readonly #cursor: DigestCursor
  readonly #sink: DistributionSink | undefined
  readonly #hours: HourlyUseBuilder
  readonly #lives = new Lifetimes()
  readonly #numbers: (number | undefined)[] = numberNames.map(() => undefined)
  readonly #texts: (string | undefined)[] = textNames.map(() => undefined)
  #setting: ContainerSetting = noSetting
  /** Versions of the facts that were taken last, from digests and from day summaries. */
  #registersVersion = -1
  #factsRead = -1
  #memoryPeakBytes = 0
  #marks: MarksOverHours | undefined
  #init = false

  /** Overwrites the hours of the container before. */
  constructor(cursor: DigestCursor, sink: DistributionSink | undefined, hours: HourlyUseBuilder) {
    this.#cursor = cursor
    this.#sink = sink
    this.#hours = hours
    hours.clear()
  }

  takeHour(cpu: CountAndSum, memory: CountAndSum): void {
    const cursor = this.#cursor
    const { hour } = cursor
    if (cursor.hasRegisters) this.takeRegisters()
    this.#sink?.open(hour)
    if (cursor.isCounted) this.#takeCounters()
    if (cursor.memoryPeakBytes > this.#memoryPeakBytes) this.#memoryPeakBytes = cursor.memoryPeakBytes
    if (cursor.init) this.#init = true
    const [seconds, samples] = [cpu.count, memory.count]
    if (seconds === 0 && samples === 0) return
    if (cursor.hasMarks) this.#takeMarks(cursor.marks, 1)
    const ran = seconds > 0 ? seconds : secondsRun(samples, cursor)
    this.#hours.add(hour, ran, cursor.last, cpu, memory, this.#setting)
    const start = hour * hourSeconds
    this.#lives.add(start + cursor.first, start + cursor.last)
  }

  takeDay(summary: DaySummaryReader): void {
    const { day, hours, lives, livesLength, facts, factsRead } = summary
    const kills = summary.oomKills + (this.#texts[reasonIndex] === 'OOMKilled' ? summary.openKills : 0)
    let index = 0
    // A single change at the start of the day that was already applied changes nothing.
    if (factsRead !== this.#factsRead || facts.length !== 1 || facts[0]!.index > 0)
      for (const change of facts) {
        this.#hours.addDay(summary, index, change.index, this.#setting)
        index = change.index
        this.#takeFacts(change)
      }
    if (facts.length > 0) this.#factsRead = factsRead
    this.#hours.addDay(summary, index, hours, this.#setting)
    this.#sink?.takeDay(summary, kills)
    if (summary.memoryPeakBytes > this.#memoryPeakBytes) this.#memoryPeakBytes = summary.memoryPeakBytes
    if (summary.init) this.#init = true
    if (summary.hasMarks) this.#takeMarks(summary.marks, hours)
    const start = day * 24 * hourSeconds
    for (let at = 0; at < livesLength; at += 2) this.#lives.add(start + lives[at]!, start + lives[at + 1]!)
  }

  /** Takes the requests, node and owner known at the cursor, including facts from before the first hour. */
  takeRegisters(): void {
    const { numbers, texts, registersVersion } = this.#cursor
    if (registersVersion === this.#registersVersion) return
    this.#registersVersion = registersVersion
    this.#factsRead = -1
    for (let index = 0; index < numbers.length; index++)
      this.#numbers[index] = numbers[index]?.last ?? this.#numbers[index]
    for (let index = 0; index < texts.length; index++) this.#takeText(index, texts[index]?.text)
    this.#updateSetting()
  }

  #takeFacts({ numbers, texts }: FactChange): void {
    this.#registersVersion = -1
    for (let index = 0; index < numbers.length; index++)
      this.#numbers[index] = numbers[index] ?? this.#numbers[index]
    for (let index = 0; index < texts.length; index++) this.#takeText(index, texts[index])
    this.#updateSetting()
  }

  #takeText(index: number, text: string | undefined): void {
    if (text === undefined || (index === workloadIndex && isOwnerKept(this.#texts[index], text))) return
    this.#texts[index] = text
  }

  #updateSetting(): void {
    this.#setting = {
      node: this.#texts[nodeIndex],
      cpuRequestCores: over(this.#numbers[cpuRequestIndex], microcores),
      memoryRequestGib: over(this.#numbers[memoryRequestIndex], gibBytes),
      gpus: this.#numbers[gpuRequestIndex],
    }
  }

  /** Returns everything except distributions; undefined if the container never ran. */
  finishUse(): ObservedUse | undefined {
    return this.#hours.length === 0 ? undefined : { use: this.#hours.finish(), lives: this.#lives.all }
  }

  /** Returns only the hours, which are valid until the next reading begins. */
  borrowUse(): HourlyUse | undefined {
    return this.#hours.length === 0 ? undefined : this.#hours.borrow()
  }

  finishOwner(subject: ContainerSubject): PodOwner | undefined {
    if (this.#hours.length === 0) return undefined
    return {
      workload: this.#workloadOf(subject),
      lastHour: this.#hours.hours[this.#hours.length - 1]!,
      lastSeenAt: this.#lives.all.at(-1)!.to,
    }
  }

  finish(subject: ContainerSubject, sums: Pick<PodUsage, 'spans' | 'cpu' | 'memory'>): PodUsage | undefined {
    const used = this.finishUse()
    if (used === undefined) return undefined
    const pod = new StoredPodUsage(subject, this.#workloadOf(subject), sums, used)
    const [cpuRequest, cpuLimit, memoryRequest, memoryLimit] = this.#numbers
    pod.current = {
      cpuRequest: over(cpuRequest, microcores),
      cpuLimit: over(cpuLimit, microcores),
      memoryRequest: over(memoryRequest, gibBytes),
      memoryLimit: over(memoryLimit, gibBytes),
    }
    pod.init = this.#init
    pod.image = this.#texts[imageIndex] ?? ''
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
    this.#sink?.count({
      oomKills: kills,
      restarts,
      periods: counters[periodsIndex]!,
      throttledPeriods: counters[throttledIndex]!,
      throttledMs: counters[throttledMsIndex]!,
    })
  }

  #takeMarks(marks: Readonly<MemoryMarks>, hours: number): void {
    this.#marks ??= new MarksOverHours()
    for (let hour = 0; hour < hours; hour++) this.#marks.add(marks)
  }
}

/** Whether the container started in the current hour, or so shortly before it that its start is still visible. */
export const startsAtCursor = (cursor: DigestCursor): boolean =>
  (cursor.isCounted && cursor.counters[restartsIndex]! > 0) || isStart(cursor.startedAt, cursor.hour)

const over = (value: number | undefined, unit: number): number | undefined => value && value / unit

const [oomIndex, restartsIndex] = [counterNames.indexOf('oomEvents'), counterNames.indexOf('restarts')]
const [periodsIndex, throttledIndex] = [
  counterNames.indexOf('periods'),
  counterNames.indexOf('throttledPeriods'),
]
const throttledMsIndex = counterNames.indexOf('throttledMs')
const cpuRequestIndex = numberNames.indexOf('cpuRequestMicrocores')
const memoryRequestIndex = numberNames.indexOf('memoryRequestBytes')
const gpuRequestIndex = numberNames.indexOf('gpuRequest')
const nodeIndex = textNames.indexOf('node')
const workloadIndex = textNames.indexOf('workload')
const reasonIndex = textNames.indexOf('terminatedReason')
const imageIndex = textNames.indexOf('image')
