import type { UsageType } from '../domain/offer.ts'

/** The catalogue that all nodes serve, and how prices moved. A publication moves the topic 'catalogue'. */
export interface PriceStore {
  /** The catalogue in force; undefined while none was published. */
  latest(): Promise<PublishedCatalogue | undefined>
  latestId(): Promise<string | undefined>
  /**
   * Puts a catalogue in force, with what it changed, all or nothing. False, and nothing is written, if another than
   * the one it was built on (null: none) is in force by now. Only the newest two are kept.
   */
  publish(
    catalogue: PublishedCatalogue,
    builtOn: string | null,
    changes: readonly PriceChanges[],
  ): Promise<boolean>
  /** What moved from one time until before another, oldest first. */
  history(query: PriceHistoryQuery): Promise<PriceChanges[]>
  /** Forgets what moved before a time; how many records there were. */
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
  /** In the form of operations/refresh-changes.ts. */
  readonly packed: Uint8Array
}

interface PriceHistoryQuery {
  readonly provider: string
  readonly instanceType: string
  readonly from: number
  readonly until: number
}
