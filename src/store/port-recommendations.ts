/** Recommendations to an organisation and their outcome. The document is opaque to the store. */
export interface RecommendationStore {
  /** Returns a page, ordered by id. */
  page(organisation: string, query: RecommendationsPageQuery): Promise<StoredRecommendation[]>
  /** Returns those of the ids that exist, ordered by id; at most a thousand ids. */
  find(organisation: string, ids: readonly string[]): Promise<StoredRecommendation[]>
  /**
   * Writes all rows in one transaction. A row is written only if its version is the stored one (0: none is stored), and
   * its version is incremented. Returns the ids of rows that were not written because another writer came first. If the
   * organisation then has more than `most` rows, undecided ones are removed first, starting with those that were
   * advised longest ago.
   */
  write(organisation: string, rows: readonly StoredRecommendation[], most: number): Promise<string[]>
  /** The list of all recommendations that was made last; undefined if there is none. */
  list(organisation: string): Promise<StoredList | undefined>
  /** Replaces the list, unless the stored one was made later. */
  writeList(organisation: string, list: StoredList): Promise<void>
}

export interface StoredList {
  /** Milliseconds since 1970. */
  readonly madeAt: number
  /** Identifies what it was made from. */
  readonly basis: string
  readonly bytes: Uint8Array
}

interface RecommendationsPageQuery {
  readonly limit: number
  /** The last id of the previous page. */
  readonly after?: string
  /** Limits the page to recommendations that somebody decided on, or that were applied. */
  readonly decided?: true
}

export interface StoredRecommendation {
  readonly id: string
  readonly version: number
  readonly decided: boolean
  /** Approximate time of the last recommendation, in milliseconds since 1970. */
  readonly advisedAt: number
  readonly json: string
}
