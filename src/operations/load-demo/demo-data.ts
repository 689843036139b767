import { Problem } from '../../domain/problem.ts'
import { dayMs, hourMs } from '../../domain/time.ts'
import type { Store } from '../../store/port.ts'
import { partitionLease } from '../../usage/shard.ts'
import { type IssuedKey, issueKey, type KeyDeps } from '../keys/issue-key.ts'
import { revokeKey } from '../keys/rotate-key.ts'
import { demoOrganisation, demoPartition, removeDemo } from './load-demo.ts'

export interface DemoDeps {
  readonly store: Pick<Store, 'usage' | 'settings' | 'leases' | 'keys'>
  readonly keys: KeyDeps
  /** Name of this node as a holder of leases. */
  readonly holder: string
  /**
   * Loads the hours that are missing up to now. Returns the time up to which data is loaded, in milliseconds since
   * 1970.
   */
  load(): Promise<number>
  /** Reports that a load that somebody requested has failed. */
  onFailure(error: unknown): void
}

export interface DemoState {
  readonly isLoading: boolean
  /** Milliseconds since 1970; undefined if the data is not loaded. */
  readonly loadedUntil: number | undefined
}

const setting = 'demo-until'
const loading = 'loading'
/** The holder of this lease may write the partition, so that retention does not prune it meanwhile. */
const lease = partitionLease(demoPartition)
const leaseMs = 600_000
const keyMs = dayMs

/**
 * A realistic organisation for trying out the console. It is loaded on request, kept up to date, and removed as a
 * whole.
 */
export class DemoData {
  readonly #deps: DemoDeps
  #loading: Promise<void> | undefined
  /** A lease excludes other nodes, but not other work of this one. */
  #isBusy = false

  constructor(deps: DemoDeps) {
    this.#deps = deps
  }

  async state(): Promise<DemoState> {
    const kept = await this.#deps.store.settings.read(demoOrganisation, setting)
    const isLoading = kept === loading
    return { isLoading, loadedUntil: kept === undefined || isLoading ? undefined : Number(kept) }
  }

  /** Starts loading if there is no data, and issues a key that can read it for a day. */
  async open(): Promise<IssuedKey> {
    const { store, keys, onFailure } = this.#deps
    if (this.#loading === undefined && (await this.state()).loadedUntil === undefined) {
      await store.settings.write(demoOrganisation, setting, loading)
      this.#loadOnce().catch(onFailure)
    }
    return issueKey(keys, {
      organisation: demoOrganisation,
      name: 'demo data',
      scopes: ['pricing:read', 'gateway:read', 'gateway:write'],
      expiresAt: keys.now() + keyMs,
    })
  }

  /** Adds the hours that have passed if the data is loaded. */
  async keepUpToDate(): Promise<void> {
    const { loadedUntil } = await this.state()
    if (loadedUntil !== undefined && this.#deps.keys.now() - loadedUntil >= hourMs) await this.#loadOnce()
  }

  /** Removes the data and revokes its keys. */
  async remove(): Promise<void> {
    const { store, keys } = this.#deps
    await this.#exclusively(async () => {
      for (const key of await store.keys.all())
        if (key.organisation === demoOrganisation && key.revokedAt === null) await revokeKey(keys, key.id)
      await removeDemo(store, keys.now())
      await store.settings.write(demoOrganisation, setting, undefined)
    })
  }

  #loadOnce(): Promise<void> {
    this.#loading ??= this.#exclusively(() => this.#load()).finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #load(): Promise<void> {
    const { store, load } = this.#deps
    const before = (await this.state()).loadedUntil
    const keep = (until: number | undefined) =>
      store.settings.write(demoOrganisation, setting, until === undefined ? undefined : String(until))
    try {
      await keep(await load())
    } catch (error) {
      await keep(before)
      throw error
    }
  }

  async #exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isBusy) throw beingChanged()
    this.#isBusy = true
    const { leases } = this.#deps.store
    try {
      if (!(await leases.acquire(lease, this.#deps.holder, leaseMs))) throw beingChanged()
      try {
        return await work()
      } finally {
        await leases.release(lease, this.#deps.holder)
      }
    } finally {
      this.#isBusy = false
    }
  }
}

const beingChanged = (): Problem =>
  new Problem('conflict', 'The demo data is being loaded or removed; try again in a moment.')
