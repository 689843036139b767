/** When a machine was watched and how many cores it used then, gathered from its processes. */
export class MachineHours {
  readonly #hours = new Map<number, { seconds: number; coreSeconds: number }>()

  /** Once all is added. */
  #since: Map<number, number> | undefined

  add(hour: number, seconds: number, cores: number): void {
    this.#since = undefined
    const known = this.#hours.get(hour)
    if (known === undefined) this.#hours.set(hour, { seconds, coreSeconds: cores * seconds })
    else {
      known.seconds = Math.max(known.seconds, seconds)
      known.coreSeconds += cores * seconds
    }
  }

  /** As long as the process that was seen longest: some live as long as the machine does. */
  secondsIn(hour: number): number {
    return this.#hours.get(hour)?.seconds ?? 0
  }

  /** Hours it was watched in since one, parts as parts. */
  watchedSince(first: number): number {
    this.#since ??= this.#watchedSince()
    return this.#since.get(first) ?? 0
  }

  get watchedHours(): number {
    return Math.max(0, ...this.#hours.keys().map((hour) => this.watchedSince(hour)))
  }

  /** The latest in which any time passed between two samples; else the latest at all. */
  get latest(): number {
    let [timed, any] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const [hour, { seconds }] of this.#hours) {
      any = Math.max(any, hour)
      if (seconds > 0) timed = Math.max(timed, hour)
    }
    return timed > Number.NEGATIVE_INFINITY ? timed : any
  }

  #watchedSince(): Map<number, number> {
    let seconds = 0
    const since = new Map<number, number>()
    for (const [hour, watched] of [...this.#hours].sort(([a], [b]) => b - a)) {
      seconds += watched.seconds
      since.set(hour, seconds / 3600)
    }
    return since
  }

  /** The hourly mean of cores at or below which the share of all hours lies. */
  coresAt(share: number): number {
    const means = [...this.#hours.values()]
      .flatMap(({ seconds, coreSeconds }) => (seconds > 0 ? [coreSeconds / seconds] : []))
      .sort((a, b) => a - b)
    return means[Math.ceil(share * means.length) - 1] ?? 0
  }
}
