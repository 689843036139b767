import { Problem } from '../../domain/problem.ts'
import { partitionLease } from '../../ingest/ingest-deps.ts'
import type { Store } from '../../store/port.ts'
import type { KeyDeps } from '../keys/deps.ts'
import { type IssuedKey, issueKey } from '../keys/issue-key.ts'
import { revokeKey } from '../keys/revoke-key.ts'
import { demoOrganisation, demoPartition, removeDemo } from './load-demo.ts'

export interface DemoDeps {
  readonly store: Pick<Store, 'usage' | 'settings' | 'leases' | 'keys'>
  readonly keys: KeyDeps
  /** The name of this node in leases. */
  readonly holder: string
  /** Loads what is missing up to now; when it was loaded until, in milliseconds since 1970. */
  load(): Promise<number>
}

const setting = 'demo-until'
/** Who holds it may write the partition, so that nobody tidies it up meanwhile. */
const lease = partitionLease(demoPartition)
const leaseMs = 600_000
const keyMs = 24 * 3_600_000
const hourMs = 3_600_000

/** A realistic organisation to look around in: loaded when somebody asks for it, kept up to date, removed as a whole. */
export class DemoData {
  readonly #deps: DemoDeps
  #loading: Promise<number> | undefined

  constructor(deps: DemoDeps) {
    this.#deps = deps
  }

  /** Milliseconds since 1970; undefined where it is not loaded. */
  async loadedUntil(): Promise<number | undefined> {
    const until = await this.#deps.store.settings.read(demoOrganisation, setting)
    return until === undefined ? undefined : Number(until)
  }

  /** Loads it if it is not there, and issues a key that reads it for a day. */
  async open(): Promise<IssuedKey> {
    await this.#loadOnce()
    const { keys } = this.#deps
    return issueKey(keys, {
      organisation: demoOrganisation,
      name: 'demo data',
      scopes: ['pricing:read', 'gateway:read', 'gateway:write'],
      expiresAt: keys.now() + keyMs,
    })
  }

  /** Adds the hours that have passed, where it is loaded. */
  async keepUpToDate(): Promise<void> {
    const until = await this.loadedUntil()
    if (until !== undefined && this.#deps.keys.now() - until >= hourMs) await this.#loadOnce()
  }

  /** Its keys end too. */
  async remove(): Promise<void> {
    const { store, keys } = this.#deps
    await this.#exclusively(async () => {
      for (const key of await store.keys.all())
        if (key.organisation === demoOrganisation && key.revokedAt === null) await revokeKey(keys, key.id)
      if ((await this.loadedUntil()) === undefined) return
      await removeDemo(store, keys.now())
      await store.settings.write(demoOrganisation, setting, undefined)
    })
  }

  #loadOnce(): Promise<number> {
    this.#loading ??= this.#exclusively(() => this.#load()).finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #load(): Promise<number> {
    const known = await this.loadedUntil()
    if (known !== undefined && this.#deps.keys.now() - known < hourMs) return known
    const until = await this.#deps.load()
    await this.#deps.store.settings.write(demoOrganisation, setting, String(until))
    return until
  }

  async #exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const { leases } = this.#deps.store
    if (!(await leases.acquire(lease, this.#deps.holder, leaseMs)))
      throw new Problem('conflict', 'The demo data is being loaded or removed; try again in a moment.')
    try {
      return await work()
    } finally {
      await leases.release(lease, this.#deps.holder)
    }
  }
}
