import type { ContainerSubject } from '../../domain/subject.ts'
import type { ByteReader } from '../../usage/bytes.ts'
import { counterNames, hourSeconds, numberNames, textNames } from '../../usage/digest.ts'
import type { DigestCursor, DistributionTaker } from '../../usage/digest-cursor.ts'
import { DistributionSum } from '../../usage/distribution-sum.ts'
import { HourlyNotes } from './hourly-use.ts'
import { gibBytes, type Hours, microcores, type PodUsage, type SpanOfUse } from './pod-usage.ts'

/** Longer without a sample, and a container was away meanwhile. */
const silenceSeconds = 900
/** For so long after it began a container still does what it does only then. */
const startSeconds = 600

/** Takes in a container's hours where a cursor stands, one after the other; only one is made at a time. */
export class PodReading {
  readonly cpu: Taker
  readonly memory: Taker
  #cursor!: DigestCursor
  readonly #spans: SpanOfUse[] = []
  readonly #latestHour: number
  readonly #lives: { from: number; to: number }[] = []
  readonly #numbers: (number | undefined)[] = numberNames.map(() => undefined)
  readonly #texts: (string | undefined)[] = textNames.map(() => undefined)
  #span = { ...emptySpan }
  #restarts = 0
  #memoryPeakBytes = 0
  #init = false

  constructor({ from, to }: Hours, latestHour: number) {
    this.#latestHour = latestHour
    for (const one of [notes, cpuSum, startSum, memorySum, cpuTotal, memoryTotal]) one.clear()
    const isIn = (): boolean => {
      const { hour } = this.#cursor
      if (hour < from || hour >= to) return false
      this.#openSpan(hour)
      return true
    }
    this.cpu = new Taker(() => (this.#begins() ? startSum : cpuSum), isIn)
    this.memory = new Taker(() => memorySum, isIn)
  }

  follow(cursor: DigestCursor): void {
    this.#cursor = cursor
  }

  /** After the cursor has moved to an hour of the window. */
  takeHour(): void {
    const cursor = this.#cursor
    const { hour, counters, startSecond } = cursor
    this.#openSpan(hour)
    this.#takeRegisters()
    const [cpu, memory] = [this.cpu.taken(), this.memory.taken()]
    const reason = this.#texts[reasonIndex]
    const kills = Math.max(counters[oomIndex]!, reason === 'OOMKilled' ? counters[restartsIndex]! : 0)
    this.#span.endHour = hour + 1
    this.#span.oomKills += kills
    this.#span.periods += counters[periodsIndex]!
    this.#span.throttledPeriods += counters[throttledIndex]!
    this.#restarts += counters[restartsIndex]!
    this.#memoryPeakBytes = Math.max(this.#memoryPeakBytes, cursor.memoryPeakBytes)
    this.#init ||= cursor.init
    if (cpu.count === 0 && memory.count === 0) return
    const seconds = cpu.count > 0 ? cpu.count : spanOf(cursor, memory.count)
    notes.add(
      hour,
      seconds,
      cpu.count > 0 ? cpu.sum / cpu.count / microcores : 0,
      memory.count > 0 ? memory.sum / memory.count / gibBytes : 0,
      {
        node: this.#texts[nodeIndex],
        cpuRequestCores: over(this.#numbers[cpuRequestIndex], microcores),
        memoryRequestGib: over(this.#numbers[memoryRequestIndex], gibBytes),
      },
    )
    this.#live(startSecond + cursor.first, startSecond + cursor.last)
  }

  finish(subject: ContainerSubject): PodUsage | undefined {
    this.#closeSpan()
    if (notes.length === 0) return undefined
    const [cpuRequest, cpuLimit, memoryRequest, memoryLimit] = this.#numbers
    return {
      subject,
      workload: this.#texts[workloadIndex] ?? `Pod/${subject.pod}`,
      init: this.#init,
      spans: this.#spans,
      cpu: cpuTotal.total(),
      memory: memoryTotal.total(),
      use: notes.finish(),
      lives: this.#lives,
      last: {
        cpuRequest: over(cpuRequest, microcores),
        cpuLimit: over(cpuLimit, microcores),
        memoryRequest: over(memoryRequest, gibBytes),
        memoryLimit: over(memoryLimit, gibBytes),
      },
      restarts: this.#restarts,
      memoryPeakBytes: this.#memoryPeakBytes,
    }
  }

  #takeRegisters(): void {
    const { numbers, texts } = this.#cursor
    for (let index = 0; index < numbers.length; index++)
      this.#numbers[index] = numbers[index]?.last ?? this.#numbers[index]
    for (let index = 0; index < texts.length; index++) {
      const text = texts[index]?.text
      const known = this.#texts[index]
      if (text === undefined || text === known) continue
      // What owns a ReplicaSet is not always told; once it was, it holds.
      if (index === workloadIndex && known && !intermediate.test(known) && intermediate.test(text)) continue
      this.#texts[index] = text
    }
  }

  #openSpan(hour: number): void {
    if (hour < this.#span.nextSpan) return
    this.#closeSpan()
    const age = this.#latestHour - hour
    const startHour = age <= 24 ? hour : this.#latestHour - Math.ceil(age / 24) * 24
    this.#span = { ...emptySpan, startHour, endHour: hour + 1, nextSpan: startHour + (age <= 24 ? 1 : 24) }
  }

  #closeSpan(): void {
    const { startHour, endHour, oomKills, periods, throttledPeriods } = this.#span
    if (endHour === 0) return
    const calm = this.#span.begins ? { calmCpu: cpuSum.total() } : {}
    if (this.#span.begins) cpuSum.addAll(startSum)
    const [cpu, memory] = [cpuSum.total(), memorySum.total()]
    const hours = endHour - startHour
    this.#spans.push({ startHour, hours, cpu, memory, oomKills, periods, throttledPeriods, ...calm })
    startSum.clear()
    cpuTotal.addAll(cpuSum)
    memoryTotal.addAll(memorySum)
    cpuSum.clear()
    memorySum.clear()
  }

  /** The container began in the hour at hand, or so shortly before it that its start still shows. */
  #begins(): boolean {
    const { startedAt, startSecond, counters } = this.#cursor
    const begins =
      counters[restartsIndex]! > 0 ||
      (startedAt >= startSecond - startSeconds && startedAt < startSecond + hourSeconds)
    this.#span.begins ||= begins
    return begins
  }

  #live(from: number, to: number): void {
    const last = this.#lives.at(-1)
    if (last === undefined || from - last.to > silenceSeconds) this.#lives.push({ from, to })
    else last.to = Math.max(last.to, to)
  }
}

/** Adds an hour's distribution to its span, or reads past it. */
class Taker implements DistributionTaker {
  readonly #sumOf: () => DistributionSum
  readonly #isIn: () => boolean
  #taken = nothing

  constructor(sumOf: () => DistributionSum, isIn: () => boolean) {
    this.#sumOf = sumOf
    this.#isIn = isIn
  }

  addFrom(reader: ByteReader): void {
    if (!this.#isIn()) {
      past.addFrom(reader)
      return
    }
    const sum = this.#sumOf()
    sum.addFrom(reader)
    this.#taken = { count: sum.lastCount, sum: sum.lastSum }
  }

  /** Of the hour at hand, once. */
  taken(): { readonly count: number; readonly sum: number } {
    const taken = this.#taken
    this.#taken = nothing
    return taken
  }
}

/** Where only memory is told: from the first sample to the last, and once more the time between two. */
function spanOf({ first, last }: DigestCursor, samples: number): number {
  return samples < 2 ? 0 : Math.min(hourSeconds, ((last - first) * samples) / (samples - 1))
}

const over = (value: number | undefined, unit: number): number | undefined => value && value / unit

/** Shared, as a reading is finished before the next begins; what goes past is never asked for. */
const notes = new HourlyNotes()
const cpuSum = new DistributionSum()
const startSum = new DistributionSum()
const memorySum = new DistributionSum()
const cpuTotal = new DistributionSum()
const memoryTotal = new DistributionSum()
const past = new DistributionSum()

const nothing = { count: 0, sum: 0 }
const emptySpan = {
  startHour: 0,
  endHour: 0,
  nextSpan: 0,
  oomKills: 0,
  periods: 0,
  throttledPeriods: 0,
  begins: false,
}
const intermediate = /^(ReplicaSet|Job)\//

const [oomIndex, restartsIndex] = [counterNames.indexOf('oomEvents'), counterNames.indexOf('restarts')]
const [periodsIndex, throttledIndex] = [
  counterNames.indexOf('periods'),
  counterNames.indexOf('throttledPeriods'),
]
const cpuRequestIndex = numberNames.indexOf('cpuRequestMicrocores')
const memoryRequestIndex = numberNames.indexOf('memoryRequestBytes')
const nodeIndex = textNames.indexOf('node')
const workloadIndex = textNames.indexOf('workload')
const reasonIndex = textNames.indexOf('terminatedReason')
