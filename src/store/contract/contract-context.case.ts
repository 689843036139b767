import type { Store } from '../port.ts'

/** A database that does not exist yet, and direct access to it that bypasses the store. */
export interface FreshDatabase {
  open(): Promise<Store>
  /** The dialect's name of the type for bytes. */
  readonly bytesType: string
  /** Runs statements that both dialects understand. */
  execute(sql: string): Promise<void>
  setVersion(version: number): Promise<void>
  /** Creates the tables as they were in an earlier version. */
  migrateTo(version: number): Promise<void>
}

export interface ContractContext {
  /** Creates a database. Stores that are opened on it are closed after the test. */
  fresh(): Promise<FreshDatabase>
  freshStore(): Promise<Store>
  /** Opens two stores, as of two nodes, on one new database. */
  twoNodes(): Promise<[Store, Store]>
}
