import { Problem } from '../../domain/problem.ts'
import { dayMs } from '../../domain/time.ts'
import type { Store } from '../../store/port.ts'
import { partitionLease } from '../../usage/shard.ts'
import { type IssuedKey, issueKey, type KeyDeps } from '../access/issue-key.ts'
import { revokeKey } from '../access/rotate-key.ts'
import { demoOrganisation, demoPartition, removeDemo } from './load-demo.ts'
import { demoStepMs } from './series.ts'

interface DemoDeps {
  readonly store: Pick<Store, 'usage' | 'decisions' | 'settings' | 'leases' | 'keys'>
  readonly keys: KeyDeps
  /** Name of this node as a holder of leases. */
  readonly holder: string
  /** Loads the hours that are missing up to now. Returns the time up to which data is loaded, in milliseconds since 1970. */
  load(): Promise<number>
  /** Reports that a load that somebody requested has failed. */
  onFailure(error: unknown): void
}

interface DemoState {
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

/** A realistic organisation for trying out the console: loaded on request, kept up to date, and removed as a whole. */
export class DemoData {
  readonly #deps: DemoDeps
  /** The last request to load or to remove: they run one after another. */
  #turn: Promise<unknown> = Promise.resolve()
  #loading: Promise<void> | undefined
  /** The key that the current load was requested with. */
  #keyOfLoad: IssuedKey | undefined

  constructor(deps: DemoDeps) {
    this.#deps = deps
  }

  async state(): Promise<DemoState> {
    const kept = await this.#deps.store.settings.read(demoOrganisation, setting)
    const isLoading = kept === loading
    return { isLoading, loadedUntil: kept === undefined || isLoading ? undefined : Number(kept) }
  }

  /** Whether what this organisation reads is partial. */
  async isLoadingOf(organisation: string): Promise<boolean> {
    return organisation === demoOrganisation && (await this.state()).isLoading
  }

  /** Starts loading if there is no data, and issues a key that can read it for a day. */
  open(): Promise<IssuedKey> {
    const { keys } = this.#deps
    return this.#inTurn(async () => {
      const { loadedUntil, isLoading } = await this.state()
      const isStarted =
        loadedUntil !== undefined || this.#loading !== undefined || (await this.#startLoading())
      // Another node may be loading it too; if not, that node is removing it.
      if (!isStarted && !isLoading) throw beingChanged()
      // Whoever asks again before the data is there needs no further key.
      if (this.#loading !== undefined && this.#keyOfLoad !== undefined) return this.#keyOfLoad
      const issued = await issueKey(keys, {
        organisation: demoOrganisation,
        name: 'demo data',
        // Recommendations of the demo can be accepted and dismissed, to try it out; nothing else is in this organisation.
        scopes: ['pricing:read', 'gateway:read', 'gateway:write'],
        expiresAt: keys.now() + keyMs,
      })
      if (this.#loading !== undefined) this.#keyOfLoad = issued
      return issued
    })
  }

  /** Adds what has passed since if the data is loaded. */
  async keepUpToDate(): Promise<void> {
    await this.#inTurn(async () => {
      const { loadedUntil } = await this.state()
      const isDue = loadedUntil !== undefined && this.#deps.keys.now() - loadedUntil >= demoStepMs
      if (isDue && this.#loading === undefined) await this.#startLoading()
    })
    await this.#loading
  }

  remove(): Promise<void> {
    const { store, keys } = this.#deps
    return this.#inTurn(async () => {
      if (this.#loading !== undefined || !(await this.#acquire())) throw beingChanged()
      try {
        for (const key of await store.keys.all())
          if (key.organisation === demoOrganisation && key.revokedAt === null) await revokeKey(keys, key.id)
        await removeDemo(store, keys.now())
        await store.settings.write(demoOrganisation, setting, undefined)
      } finally {
        await this.#release()
      }
    })
  }

  /** Returns false if another node is loading or removing the data. */
  async #startLoading(): Promise<boolean> {
    const { store, onFailure } = this.#deps
    if (!(await this.#acquire())) return false
    const { loadedUntil } = await this.state()
    if (loadedUntil === undefined) await store.settings.write(demoOrganisation, setting, loading)
    this.#loading = this.#load()
      .finally(() => this.#release())
      .catch(onFailure)
      .finally(() => {
        this.#loading = undefined
        this.#keyOfLoad = undefined
      })
    return true
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

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => {})
    return turn
  }

  #acquire = (): Promise<boolean> => this.#deps.store.leases.acquire(lease, this.#deps.holder, leaseMs)

  #release = (): Promise<void> => this.#deps.store.leases.release(lease, this.#deps.holder)
}

const beingChanged = (): Problem =>
  new Problem('conflict', 'The demo data is being loaded or removed; try again in a moment.')
