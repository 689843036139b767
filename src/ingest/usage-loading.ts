import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '../domain/problem.ts'
import type { Clock } from '../domain/time.ts'
import type { Leases } from '../store/port.ts'
import type { UsageStore } from '../usage/port.ts'
import { maxCheckpointPauseMs, pushSource } from './ingest-deps.ts'
import { LiveNodes, nodeLeaseMs } from './live-nodes.ts'

const checkIntervalMs = 200
const maxWaitMs = 10_000
const retryAfterSeconds = 2

interface LoadingStore {
  readonly usage: Pick<UsageStore, 'journal' | 'pending'>
  readonly leases: Pick<Leases, 'held'>
}

/**
 * Knows whether all usage that was acknowledged before this process started can be read. Entries that a killed process
 * left in the journal are digested in pieces; an answer based on a part of them would be wrong, and would be cached for a
 * while. If other nodes are alive, their latest entries are always in the journal and need not be waited for.
 */
export class UsageLoading {
  readonly #store: LoadingStore
  /** Time at which this process started, in milliseconds since 1970. */
  readonly #startedAt: number
  readonly #now: Clock
  readonly #loaded = new Set<string>()

  constructor(store: LoadingStore, startedAt: number, now: Clock) {
    this.#store = store
    this.#startedAt = startedAt
    this.#now = now
  }

  /** Entries leave the journal in the transaction that makes the last of their digests readable. */
  async isLoaded(organisation: string): Promise<boolean> {
    if (this.#loaded.has(organisation)) return true
    const { usage } = this.#store
    const neededBefore = this.#startedAt - ((await this.#hasPeers()) ? maxCheckpointPauseMs : 0)
    for (const partition of await usage.pending()) {
      if (partition.organisation !== organisation || partition.source !== pushSource) continue
      const [oldest] = await usage.journal(partition, 0, 1)
      if (oldest !== undefined && oldest.receivedAt < neededBefore) return false
    }
    this.#loaded.add(organisation)
    return true
  }

  /** A killed process counts as a node until its lease expires. */
  async #hasPeers(): Promise<boolean> {
    return this.#now() - this.#startedAt > nodeLeaseMs && (await LiveNodes.count(this.#store.leases)) > 1
  }

  /** Resolves once the usage is loaded. Rejects with a problem if that takes too long. */
  async loaded(organisation: string, signal: AbortSignal): Promise<void> {
    for (let waitedMs = 0; !(await this.isLoaded(organisation)); waitedMs += checkIntervalMs) {
      if (waitedMs >= maxWaitMs)
        throw new Problem('loading', 'Usage received before the start is still being loaded.', {
          retryAfterSeconds,
        })
      await delay(checkIntervalMs, undefined, { signal }).catch(() => undefined)
      signal.throwIfAborted()
    }
  }
}
