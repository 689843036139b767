import type { UsageType } from '../domain/offer.ts'

/** The catalogue that all nodes serve, and price changes. Publishing increments the version of the topic 'catalogue'. */
export interface PriceStore {
  /** Returns the current catalogue, or undefined if none was published yet. */
  latest(): Promise<PublishedCatalogue | undefined>
  latestId(): Promise<string | undefined>
  /**
   * Publishes a catalogue with its changes, atomically. Returns false and writes nothing if the current catalogue is no
   * longer the one it was built on (null: none). Only the newest two are kept.
   */
  publish(
    catalogue: PublishedCatalogue,
    builtOn: string | null,
    changes: readonly PriceChanges[],
  ): Promise<boolean>
  /** Returns the changes from one time (inclusive) until another (exclusive), oldest first. */
  history(query: PriceHistoryQuery): Promise<PriceChanges[]>
  prune(usageType: UsageType, before: number): Promise<number>
}

export interface PublishedCatalogue {
  /** The snapshot's own id. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly publishedAt: number
  readonly bytes: Uint8Array
}

/** The changes that one refresh made to the prices of one type and usage type, in all its regions and zones. */
export interface PriceChanges {
  readonly provider: string
  readonly instanceType: string
  readonly usageType: UsageType
  /** Milliseconds since 1970. */
  readonly at: number
  /** Encoded as in refresh/price-changes.ts. */
  readonly packed: Uint8Array
}

interface PriceHistoryQuery {
  readonly provider: string
  readonly instanceType: string
  readonly from: number
  readonly until: number
}
