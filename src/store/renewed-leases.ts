import type { Leases } from './port.ts'

const renewalsPerLease = 4

/** Leases that this process renews until it releases them. If the process dies, they expire soon. */
export class RenewedLeases {
  readonly #store: { readonly leases: Leases }
  readonly #prefix: string
  readonly #leaseMs: number
  readonly #holder: string = crypto.randomUUID()
  readonly #renewals = new Map<string, Renewal>()

  constructor(store: { readonly leases: Leases }, prefix: string, leaseMs: number) {
    this.#store = store
    this.#prefix = prefix
    this.#leaseMs = leaseMs
  }

  async acquire(name: string): Promise<boolean> {
    const isOurs = await this.#acquire(name)
    if (!isOurs) this.#stopRenewing(name)
    else if (!this.#renewals.has(name)) {
      const renewal: Renewal = { timer: undefined, latest: Promise.resolve() }
      renewal.timer = setInterval(() => {
        // A failed renewal is tried again at the next interval; otherwise the lease expires.
        renewal.latest = this.#acquire(name).catch(() => {})
      }, this.#leaseMs / renewalsPerLease).unref()
      this.#renewals.set(name, renewal)
    }
    return isOurs
  }

  /** Does nothing if the lease was not acquired. */
  async release(name: string): Promise<void> {
    const renewal = this.#renewals.get(name)
    if (renewal === undefined) return
    this.#stopRenewing(name)
    // A renewal that ends after the release would take the lease again.
    await renewal.latest
    await this.#store.leases.release(this.#prefix + name, this.#holder)
  }

  #acquire(name: string): Promise<boolean> {
    return this.#store.leases.acquire(this.#prefix + name, this.#holder, this.#leaseMs)
  }

  #stopRenewing(name: string): void {
    clearInterval(this.#renewals.get(name)?.timer)
    this.#renewals.delete(name)
  }
}

interface Renewal {
  timer: NodeJS.Timeout | undefined
  latest: Promise<unknown>
}
