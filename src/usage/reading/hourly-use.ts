import { hourSeconds } from '../../domain/time.ts'
import type { DaySummaryReader } from '../day/day-summary-reader.ts'
import { gibBytes, microcores } from '../digest/digest.ts'
import type { CountAndSum } from './distribution-sink.ts'

/** Facts about a pod's container; undefined if unknown. */
export interface ContainerSetting {
  readonly node: string | undefined
  readonly cpuRequestCores: number | undefined
  readonly memoryRequestGib: number | undefined
  readonly gpus: number | undefined
}

export const noSetting: ContainerSetting = {
  node: undefined,
  cpuRequestCores: undefined,
  memoryRequestGib: undefined,
  gpus: undefined,
}

interface SettingStep {
  readonly from: number
  readonly setting: ContainerSetting
}

/** A range of hours as indices into the columns; `to` is not included. */
export type SettingRange = SettingStep & { readonly to: number }

/** A container's hours in columns of 16 bytes an hour, because a large namespace has millions of them. */
export class HourlyUse {
  /** Number of hours; the columns may be longer. */
  readonly length: number
  /** Hours since 1970. */
  readonly hours: Int32Array
  /** Seconds of each hour in which it ran. */
  readonly seconds: Uint16Array
  /** Second of each hour at which it was last seen. */
  readonly lasts: Uint16Array
  readonly cores: Float32Array
  readonly gib: Float32Array
  readonly #ranges: readonly SettingRange[]

  constructor(
    { length, hours, seconds, lasts, cores, gib }: HourlyUseColumns,
    steps: readonly SettingStep[],
  ) {
    this.length = length
    this.hours = hours
    this.seconds = seconds
    this.lasts = lasts
    this.cores = cores
    this.gib = gib
    this.#ranges = steps.map(({ from, setting }, index) => ({
      from,
      to: steps[index + 1]?.from ?? length,
      setting,
    }))
  }

  /** The ranges in which nothing but usage changed. */
  settingRanges(): readonly SettingRange[] {
    return this.#ranges
  }

  hoursRun(from = 0, to = this.length): number {
    let sum = 0
    for (let index = from; index < to; index++) sum += this.seconds[index]!
    return sum / hourSeconds
  }

  /** Means over the time that it ran; 0 if it did not run. */
  mean(): { cores: number; gib: number } {
    let [seconds, cores, gib] = [0, 0, 0]
    for (let index = 0; index < this.length; index++) {
      seconds += this.seconds[index]!
      cores += this.seconds[index]! * this.cores[index]!
      gib += this.seconds[index]! * this.gib[index]!
    }
    return seconds === 0 ? { cores: 0, gib: 0 } : { cores: cores / seconds, gib: gib / seconds }
  }
}

type HourlyUseColumns = Pick<HourlyUse, 'length' | 'hours' | 'seconds' | 'lasts' | 'cores' | 'gib'>

/** Collects the hours of one container after the other in the same columns. */
export class HourlyUseBuilder implements HourlyUseColumns {
  length = 0
  hours = new Int32Array(firstCapacity)
  seconds = new Uint16Array(firstCapacity)
  lasts = new Uint16Array(firstCapacity)
  cores = new Float32Array(firstCapacity)
  gib = new Float32Array(firstCapacity)
  #steps: { readonly from: number; setting: ContainerSetting }[] = []
  #setting: ContainerSetting | undefined

  clear(): void {
    this.length = 0
    this.#steps = []
    this.#setting = undefined
  }

  /** CPU is in microcores weighted by seconds, memory in bytes weighted by samples. */
  add(
    hour: number,
    seconds: number,
    last: number,
    cpu: CountAndSum,
    memory: CountAndSum,
    setting: ContainerSetting,
  ): void {
    const at = this.length
    if (at === this.hours.length) this.#grow()
    if (setting !== this.#setting) this.#begin(setting)
    this.hours[at] = hour
    this.seconds[at] = Math.min(Math.round(seconds), hourSeconds)
    this.lasts[at] = last
    this.cores[at] = cpu.count > 0 ? cpu.sum / cpu.count / microcores : 0
    this.gib[at] = memory.count > 0 ? memory.sum / memory.count / gibBytes : 0
    this.length = at + 1
  }

  /** Adds the hours of a day from index `from` up to, but not including, index `to`. */
  addDay(summary: DaySummaryReader, from: number, to: number, setting: ContainerSetting): void {
    if (from >= to) return
    while (this.length + to - from > this.hours.length) this.#grow()
    if (setting !== this.#setting) this.#begin(setting)
    const { hoursOfDay, seconds, lasts, cores, gib } = summary
    const firstHour = summary.day * 24
    let at = this.length
    for (let index = from; index < to; index++, at++) {
      this.hours[at] = firstHour + hoursOfDay[index]!
      this.seconds[at] = seconds[index]!
      this.lasts[at] = lasts[index]!
      this.cores[at] = cores[index]!
      this.gib[at] = gib[index]!
    }
    this.length = at
  }

  #begin(setting: ContainerSetting): void {
    this.#setting = setting
    const last = this.#steps.at(-1)?.setting
    if (last === undefined || !sameSetting(last, setting)) this.#steps.push({ from: this.length, setting })
  }

  /** Returns the hours in columns of their own, without spare capacity. */
  finish(): HourlyUse {
    return new HourlyUse(copyOf(this), this.#settled())
  }

  /** Like finish(), but the result is valid only until the next container is collected. */
  borrow(): HourlyUse {
    return new HourlyUse(this, this.#settled())
  }

  /** A pod stays on its node, so late facts apply to earlier hours too; not GPUs, because loads of those hours are kept. */
  #settled(): readonly SettingStep[] {
    let known = noSetting
    for (const step of this.#steps.toReversed()) {
      known = {
        node: step.setting.node ?? known.node,
        cpuRequestCores: step.setting.cpuRequestCores ?? known.cpuRequestCores,
        memoryRequestGib: step.setting.memoryRequestGib ?? known.memoryRequestGib,
        gpus: step.setting.gpus,
      }
      step.setting = known
    }
    return this.#steps
  }

  #grow(): void {
    const capacity = this.hours.length * 2
    const hours = new Int32Array(capacity)
    const [seconds, lasts] = [new Uint16Array(capacity), new Uint16Array(capacity)]
    const [cores, gib] = [new Float32Array(capacity), new Float32Array(capacity)]
    hours.set(this.hours)
    seconds.set(this.seconds)
    lasts.set(this.lasts)
    cores.set(this.cores)
    gib.set(this.gib)
    this.hours = hours
    this.seconds = seconds
    this.lasts = lasts
    this.cores = cores
    this.gib = gib
  }
}

function copyOf({ length, hours, seconds, lasts, cores, gib }: HourlyUseColumns): HourlyUseColumns {
  const buffer = new ArrayBuffer(length * 16)
  const copy = {
    length,
    hours: new Int32Array(buffer, 0, length),
    cores: new Float32Array(buffer, length * 4, length),
    gib: new Float32Array(buffer, length * 8, length),
    seconds: new Uint16Array(buffer, length * 12, length),
    lasts: new Uint16Array(buffer, length * 14, length),
  }
  copy.hours.set(hours.subarray(0, length))
  copy.cores.set(cores.subarray(0, length))
  copy.gib.set(gib.subarray(0, length))
  copy.seconds.set(seconds.subarray(0, length))
  copy.lasts.set(lasts.subarray(0, length))
  return copy
}

const firstCapacity = 768

const sameSetting = (a: ContainerSetting, b: ContainerSetting): boolean =>
  a.node === b.node &&
  a.cpuRequestCores === b.cpuRequestCores &&
  a.memoryRequestGib === b.memoryRequestGib &&
  a.gpus === b.gpus
