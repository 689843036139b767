/** What held of a pod's container; undefined where nobody said. */
export interface Setting {
  readonly node: string | undefined
  readonly cpuRequestCores: number | undefined
  readonly memoryRequestGib: number | undefined
}

export interface HourOfUse extends Setting {
  /** Hours since 1970. */
  readonly hour: number
  /** How much of the hour it ran, 0 to 1. */
  readonly share: number
  /** Means while it ran. */
  readonly cores: number
  readonly gib: number
}

/** A container's hours in columns: 14 bytes an hour, since a large namespace has millions of them. */
export class HourlyUse {
  length = 0
  #hours = new Int32Array(32)
  #seconds = new Uint16Array(32)
  #cores = new Float32Array(32)
  #gib = new Float32Array(32)
  readonly #settings: { readonly from: number; readonly setting: Setting }[] = []

  add(hour: number, seconds: number, cores: number, gib: number, setting: Setting): void {
    if (this.length === this.#hours.length) this.#grow()
    const last = this.#settings.at(-1)?.setting
    if (last === undefined || !sameSetting(last, setting))
      this.#settings.push({ from: this.length, setting: { ...setting } })
    this.#hours[this.length] = hour
    this.#seconds[this.length] = Math.min(Math.round(seconds), hourSeconds)
    this.#cores[this.length] = cores
    this.#gib[this.length] = gib
    this.length++
  }

  /** A pod stays on its node and keeps its requests: what was told late held before. */
  fillUnknown(): void {
    let known: Setting = { node: undefined, cpuRequestCores: undefined, memoryRequestGib: undefined }
    for (let step = this.#settings.length - 1; step >= 0; step--) {
      const { from, setting } = this.#settings[step]!
      known = {
        node: setting.node ?? known.node,
        cpuRequestCores: setting.cpuRequestCores ?? known.cpuRequestCores,
        memoryRequestGib: setting.memoryRequestGib ?? known.memoryRequestGib,
      }
      this.#settings[step] = { from, setting: known }
    }
  }

  /** Hours it ran, parts of hours as parts. */
  totalShare(): number {
    let seconds = 0
    for (let index = 0; index < this.length; index++) seconds += this.#seconds[index]!
    return seconds / hourSeconds
  }

  *[Symbol.iterator](): IterableIterator<HourOfUse> {
    for (let index = 0, step = -1; index < this.length; index++) {
      if (this.#settings[step + 1]?.from === index) step++
      const { node, cpuRequestCores, memoryRequestGib } = this.#settings[step]!.setting
      yield {
        hour: this.#hours[index]!,
        share: this.#seconds[index]! / hourSeconds,
        cores: this.#cores[index]!,
        gib: this.#gib[index]!,
        node,
        cpuRequestCores,
        memoryRequestGib,
      }
    }
  }

  #grow(): void {
    const capacity = this.#hours.length * 2
    const hours = new Int32Array(capacity)
    const seconds = new Uint16Array(capacity)
    const cores = new Float32Array(capacity)
    const gib = new Float32Array(capacity)
    hours.set(this.#hours)
    seconds.set(this.#seconds)
    cores.set(this.#cores)
    gib.set(this.#gib)
    this.#hours = hours
    this.#seconds = seconds
    this.#cores = cores
    this.#gib = gib
  }
}

const hourSeconds = 3600

const sameSetting = (a: Setting, b: Setting): boolean =>
  a.node === b.node && a.cpuRequestCores === b.cpuRequestCores && a.memoryRequestGib === b.memoryRequestGib
