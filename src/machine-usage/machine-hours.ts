/** When a machine was watched and how many cores it used then, gathered from its processes; hours side by side. */
export class MachineHours {
  #first = 0
  #seconds = new Float64Array()
  #coreSeconds = new Float64Array()
  /** 1 if the hour has any data, even without elapsed time. */
  #reported = new Uint8Array()
  /** Once all is added. */
  #since: Float64Array | undefined

  add(hour: number, seconds: number, cores: number): void {
    this.#since = undefined
    const index = this.#placeOf(hour)
    this.#reported[index] = 1
    if (seconds > this.#seconds[index]!) this.#seconds[index] = seconds
    this.#coreSeconds[index]! += cores * seconds
  }

  /** As long as the process that was seen longest: some live as long as the machine does. */
  secondsIn(hour: number): number {
    return this.#seconds[hour - this.#first] ?? 0
  }

  /** Hours it was watched in since one in which it was, parts as parts. */
  watchedSince(first: number): number {
    this.#since ??= this.#watchedSince()
    return this.#since[first - this.#first] ?? 0
  }

  get watchedHours(): number {
    return this.watchedSince(this.#first)
  }

  /** The latest in which any time passed between two samples; else the latest at all. */
  get latest(): number {
    const timed = this.#seconds.findLastIndex((seconds) => seconds > 0)
    const index = timed >= 0 ? timed : this.#reported.lastIndexOf(1)
    return index >= 0 ? this.#first + index : Number.NEGATIVE_INFINITY
  }

  /** The hourly mean of cores at or below which the share of all hours lies. */
  coresAt(share: number): number {
    const means: number[] = []
    for (const [index, seconds] of this.#seconds.entries())
      if (seconds > 0) means.push(this.#coreSeconds[index]! / seconds)
    means.sort((a, b) => a - b)
    return means[Math.ceil(share * means.length) - 1] ?? 0
  }

  #watchedSince(): Float64Array {
    const since = new Float64Array(this.#seconds.length)
    let seconds = 0
    for (let index = since.length - 1; index >= 0; index--) {
      seconds += this.#seconds[index]!
      since[index] = seconds / 3600
    }
    return since
  }

  #placeOf(hour: number): number {
    const length = this.#reported.length
    if (length === 0) this.#first = hour
    const index = hour - this.#first
    if (index >= 0 && index < length) return index
    const before = Math.max(0, -index)
    const capacity = index < 0 ? length + before : Math.max(leastCapacity, index + 1, length * 2)
    const [seconds, coreSeconds] = [new Float64Array(capacity), new Float64Array(capacity)]
    const reported = new Uint8Array(capacity)
    seconds.set(this.#seconds, before)
    coreSeconds.set(this.#coreSeconds, before)
    reported.set(this.#reported, before)
    this.#seconds = seconds
    this.#coreSeconds = coreSeconds
    this.#reported = reported
    this.#first -= before
    return hour - this.#first
  }
}

const leastCapacity = 512
