export class Readiness {
  #phase: 'starting' | 'ready' | 'draining' = 'starting'
  readonly #checks = new Map<string, () => string | undefined>()
  #inFlight = 0
  #idle: (() => void) | undefined

  get phase(): 'starting' | 'ready' | 'draining' {
    return this.#phase
  }

  /** A check returns undefined if all is well, otherwise a short description of what is wrong. */
  addCheck(name: string, check: () => string | undefined): void {
    this.#checks.set(name, check)
  }

  /** Why this node cannot take requests, by name of the check; empty if it is ready. */
  troubles(): Record<string, string> {
    const troubles: Record<string, string> = {}
    if (this.#phase !== 'ready') troubles.service = this.#phase
    for (const [name, check] of this.#checks) {
      const trouble = check()
      if (trouble !== undefined) troubles[name] = trouble
    }
    return troubles
  }

  started(): void {
    if (this.#phase === 'starting') this.#phase = 'ready'
  }

  begin(): void {
    this.#inFlight++
  }

  end(): void {
    this.#inFlight--
    if (this.#inFlight === 0) this.#idle?.()
  }

  /** Stops accepting requests. Resolves to true when all requests in progress are done, or to false when the time is up. */
  async drain(graceMs: number): Promise<boolean> {
    this.#phase = 'draining'
    if (this.#inFlight === 0) return true
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), graceMs)
    })
    const done = new Promise<boolean>((resolve) => {
      this.#idle = () => resolve(true)
    })
    const finished = await Promise.race([done, late])
    clearTimeout(timer)
    return finished
  }
}
