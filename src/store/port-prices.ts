import type { UsageType } from '../domain/offer.ts'

/** The catalogue that all nodes serve, and price changes. Publishing increments the version of the topic 'catalogue'. */
export interface PriceStore {
  /** The current catalogue; undefined while none was published. */
  latest(): Promise<PublishedCatalogue | undefined>
  latestId(): Promise<string | undefined>
  /**
   * Publishes a catalogue with its changes, atomically. Returns false and writes nothing if another than
   * the one it was built on (null: none) is current by now. Only the newest two are kept.
   */
  publish(
    catalogue: PublishedCatalogue,
    builtOn: string | null,
    changes: readonly PriceChanges[],
  ): Promise<boolean>
  /** The changes from one time until before another, oldest first. */
  history(query: PriceHistoryQuery): Promise<PriceChanges[]>
  /** Deletes changes before a time; returns the number of records. */
  prune(usageType: UsageType, before: number): Promise<number>
}

export interface PublishedCatalogue {
  /** The snapshot's own id. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly publishedAt: number
  readonly bytes: Uint8Array
}

/** What one refresh changed of one type's prices of one usage type, in all its places. */
export interface PriceChanges {
  readonly provider: string
  readonly instanceType: string
  readonly usageType: UsageType
  /** Milliseconds since 1970. */
  readonly at: number
  /** In the form of refresh/price-changes.ts. */
  readonly packed: Uint8Array
}

interface PriceHistoryQuery {
  readonly provider: string
  readonly instanceType: string
  readonly from: number
  readonly until: number
}
