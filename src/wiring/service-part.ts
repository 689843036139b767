import type { Settings } from '../config.ts'
import type { Clock } from '../domain/time.ts'
import type { HttpMetrics } from '../http/metrics.ts'
import type { Routes } from '../http/server.ts'
import type { StoreAddress } from '../store/open.ts'
import type { Store } from '../store/port.ts'

/** One part of the service: what it answers and what it does besides. */
export interface ServicePart {
  readonly routes: readonly Routes[]
  /** Once the store is open and before work is taken. What it rejects with ends the service. */
  start?(): Promise<void>
  /** The version of a topic of the store changed. */
  onChange?(topic: string): Promise<void>
  readonly jobs?: readonly Job[]
  /** After the last request was answered, while the store is still open. */
  stop?(): Promise<void>
}

/** Work done over and over; a failure is logged and it is tried again at the next turn. */
export interface Job {
  readonly name: string
  readonly everyMs: number
  /** For the first time so long after the start; everyMs if absent. */
  readonly firstAfterMs?: number
  run(): Promise<void>
}

/** What parts share. */
export interface ServiceContext {
  readonly settings: Settings
  /** For credentials of price lists alone. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly now: Clock
  readonly metrics: HttpMetrics
  /** Its parts throw StoreUnavailable until it is open. */
  readonly store: Store
  log(level: 'info' | 'warn' | 'error', message: string, more?: Record<string, unknown>): void
}

/** Where the settings place the database. */
export const storeAddress = (settings: Settings): StoreAddress => ({
  dataFolder: settings.data,
  databaseUrl: settings.databaseUrl,
  readDatabaseUrl: settings.databaseUrl === '' ? '' : settings.readDatabaseUrl,
  poolSize: settings.databaseConnections,
})
