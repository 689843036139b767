import { type Clock, hourMs } from '../domain/time.ts'
import type { Store } from '../store/port.ts'
import type { RecentRequests } from './recent-requests.ts'

export interface IngestDeps {
  readonly store: Pick<Store, 'usage' | 'leases'>
  /** The name of this node in leases. */
  readonly holder: string
  readonly now: Clock
  /** Kubernetes labels to keep for grouping costs; none if absent. */
  readonly keptLabels?: readonly string[]
  /** Days for which usage is kept; forever if absent. */
  readonly retention?: RetentionDays
  /** Whether pushes are divided among shards, for several nodes; false if absent. */
  readonly isSharded?: boolean
  /** If absent, requests are read from the journal only. */
  readonly recent?: RecentRequests
  log(level: 'info' | 'warn' | 'error', message: string, more?: Record<string, unknown>): void
}

export const pushSource = 'push'

/** Digests are committed at least this often, so that usage of other nodes can be read after this time at the latest. */
export const maxCheckpointPauseMs = 60_000

/** Pushed samples that are older when they arrive, or further ahead of our clock, are rejected. */
export const sampleAgeLimits = { maxAgeMs: 48 * hourMs, maxAheadMs: 10 * 60_000 }

export interface RetentionDays {
  readonly retentionDays: number
  /** Organisations with another number of days. */
  readonly retentionOf: Readonly<Record<string, number>>
}

export const retentionDaysOf = (
  { retentionDays, retentionOf }: RetentionDays,
  organisation: string,
): number => (Object.hasOwn(retentionOf, organisation) ? retentionOf[organisation]! : retentionDays)
