import type { Store } from '../port.ts'

/** A database that does not exist yet, and how to get at it behind the store's back. */
export interface FreshDatabase {
  open(): Promise<Store>
  /** Runs statements that both dialects understand. */
  execute(sql: string): Promise<void>
  setVersion(version: number): Promise<void>
}

export interface ContractContext {
  /** A new database, and stores on it that are closed after the test. */
  fresh(): Promise<FreshDatabase>
}
