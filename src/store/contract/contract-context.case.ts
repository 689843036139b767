import type { Store } from '../port.ts'

/** A database that does not exist yet, and how to get at it behind the store's back. */
export interface FreshDatabase {
  open(): Promise<Store>
  /** What the dialect calls bytes. */
  readonly bytesType: string
  /** Runs statements that both dialects understand. */
  execute(sql: string): Promise<void>
  setVersion(version: number): Promise<void>
  /** Makes the tables as they were in an earlier version. */
  migrateTo(version: number): Promise<void>
}

export interface ContractContext {
  /** A new database, and stores on it that are closed after the test. */
  fresh(): Promise<FreshDatabase>
  freshStore(): Promise<Store>
  /** Stores of two nodes on one new database. */
  twoNodes(): Promise<[Store, Store]>
}
