import type { Settings } from '../../config.ts'
import type { Clock } from '../../domain/time.ts'
import type { StoreAddress } from '../../store/open.ts'
import type { Store } from '../../store/port.ts'
import type { HttpMetrics } from '../metrics.ts'
import type { Routes } from '../server.ts'

/** One part of the service: its routes, its jobs, and what it does at start and stop. */
export interface ServicePart {
  readonly routes: readonly Routes[]
  /** Called when the store is open, before requests are accepted. If it rejects, the service ends. */
  start?(): Promise<void>
  /** Called when the version of a topic of the store has changed. */
  onChange?(topic: string): Promise<void>
  readonly jobs?: readonly Job[]
  /** Called after the last request was answered, while the store is still open. Running jobs are then waited for. */
  stop?(): Promise<void>
}

/** Work that is repeated regularly, once at a time. A failure is logged, and the job runs again at its next time. */
export interface Job {
  readonly name: string
  readonly everyMs: number
  /** Delay of the first run after the start; everyMs if absent. */
  readonly firstAfterMs?: number
  run(): Promise<void>
}

export interface ServiceContext {
  readonly settings: Settings
  /** Used only for credentials of price lists. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly now: Clock
  readonly metrics: HttpMetrics
  /** All operations throw StoreUnavailable until the store is open. */
  readonly store: Store
  log(level: 'info' | 'warn' | 'error', message: string, more?: Record<string, unknown>): void
  /** Logs an error. If it is an error of the database, the service also checks whether the database accepts writes. */
  reportError(level: 'warn' | 'error', message: string, error: unknown, more?: Record<string, unknown>): void
}

export const storeAddress = (settings: Settings): StoreAddress => ({
  dataDirectory: settings.data,
  databaseUrl: settings.databaseUrl,
  readDatabaseUrl: settings.databaseUrl === '' ? '' : settings.readDatabaseUrl,
  poolSize: settings.databaseConnections,
})
