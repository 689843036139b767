import { hourSeconds } from '../digest/digest.ts'
/** Facts about a pod's container; undefined if unknown. */
export interface ContainerSetting {
  readonly node: string | undefined
  readonly cpuRequestCores: number | undefined
  readonly memoryRequestGib: number | undefined
}

export interface SettingStep {
  readonly from: number
  readonly setting: ContainerSetting
}

/** Hours as indices into the columns; the second is not included. */
export interface SettingRange extends SettingStep {
  readonly to: number
}

/** A container's hours in columns: 16 bytes an hour, since a large namespace has millions of them. */
export class HourlyUse {
  /** Columns may be longer. */
  readonly length: number
  /** Hours since 1970. */
  readonly hours: Int32Array
  /** How much of each hour it ran. */
  readonly seconds: Uint16Array
  /** At which second of each hour it was last seen. */
  readonly lasts: Uint16Array
  /** Means while it ran. */
  readonly cores: Float32Array
  readonly gib: Float32Array
  readonly #stretches: readonly SettingRange[]

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
    this.#stretches = steps.map(({ from, setting }, index) => ({
      from,
      to: steps[index + 1]?.from ?? length,
      setting,
    }))
  }

  /** In which nothing but usage changed. */
  steps(): readonly SettingRange[] {
    return this.#stretches
  }

  /** Hours it ran, parts of hours as parts. */
  hoursRun(from = 0, to = this.length): number {
    let sum = 0
    for (let index = from; index < to; index++) sum += this.seconds[index]!
    return sum / hourSeconds
  }
}

export type HourlyUseColumns = Pick<HourlyUse, 'length' | 'hours' | 'seconds' | 'lasts' | 'cores' | 'gib'>
