/** What held of a pod's container; undefined where nobody said. */
export interface Setting {
  readonly node: string | undefined
  readonly cpuRequestCores: number | undefined
  readonly memoryRequestGib: number | undefined
}

/** A container's hours in columns: 14 bytes an hour, since a large namespace has millions of them. */
export class HourlyUse {
  length = 0
  /** Hours since 1970. */
  hours = new Int32Array(firstCapacity)
  /** How much of each hour it ran. */
  seconds = new Uint16Array(firstCapacity)
  /** Means while it ran. */
  cores = new Float32Array(firstCapacity)
  gib = new Float32Array(firstCapacity)
  readonly #steps: { readonly from: number; setting: Setting }[] = []

  add(hour: number, seconds: number, cores: number, gib: number, setting: Setting): void {
    if (this.length === this.hours.length) this.#grow()
    const last = this.#steps.at(-1)?.setting
    if (last === undefined || !sameSetting(last, setting)) this.#steps.push({ from: this.length, setting })
    this.hours[this.length] = hour
    this.seconds[this.length] = Math.min(Math.round(seconds), hourSeconds)
    this.cores[this.length] = cores
    this.gib[this.length] = gib
    this.length++
  }

  /** A pod stays on its node and keeps its requests: what was told late held before. */
  fillUnknown(): void {
    let known: Setting = { node: undefined, cpuRequestCores: undefined, memoryRequestGib: undefined }
    for (const step of this.#steps.toReversed()) {
      known = {
        node: step.setting.node ?? known.node,
        cpuRequestCores: step.setting.cpuRequestCores ?? known.cpuRequestCores,
        memoryRequestGib: step.setting.memoryRequestGib ?? known.memoryRequestGib,
      }
      step.setting = known
    }
  }

  /** Stretches in which nothing but usage changed, as indices into the columns; the second is not included. */
  *steps(): IterableIterator<{ readonly from: number; readonly to: number; readonly setting: Setting }> {
    for (const [index, { from, setting }] of this.#steps.entries())
      yield { from, to: this.#steps[index + 1]?.from ?? this.length, setting }
  }

  /** Hours it ran, parts of hours as parts. */
  hoursRun(from = 0, to = this.length): number {
    let sum = 0
    for (let index = from; index < to; index++) sum += this.seconds[index]!
    return sum / hourSeconds
  }

  #grow(): void {
    const capacity = this.hours.length * 2
    const [hours, seconds] = [new Int32Array(capacity), new Uint16Array(capacity)]
    const [cores, gib] = [new Float32Array(capacity), new Float32Array(capacity)]
    hours.set(this.hours)
    seconds.set(this.seconds)
    cores.set(this.cores)
    gib.set(this.gib)
    this.hours = hours
    this.seconds = seconds
    this.cores = cores
    this.gib = gib
  }
}

export const hourSeconds = 3600
const firstCapacity = 192

const sameSetting = (a: Setting, b: Setting): boolean =>
  a.node === b.node && a.cpuRequestCores === b.cpuRequestCores && a.memoryRequestGib === b.memoryRequestGib
