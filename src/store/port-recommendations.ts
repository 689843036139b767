/** What was recommended to an organisation, and what became of it. The document is opaque to the store. */
export interface RecommendationStore {
  /** A page in order of id. */
  page(organisation: string, query: RecommendationsPageQuery): Promise<StoredRecommendation[]>
  /** Those of these ids that exist, in order of id; a thousand ids at most. */
  find(organisation: string, ids: readonly string[]): Promise<StoredRecommendation[]>
  /**
   * All in one transaction. A row is written if its version is the one that is stored (0: none is stored), and its version
   * grows by one. Returns the ids of rows that were not written, because another writer came first. If the organisation then
   * has more than `most` rows, undecided ones are removed first, and of those the ones that were advised longest ago.
   */
  write(organisation: string, rows: readonly StoredRecommendation[], most: number): Promise<string[]>
}

export interface RecommendationsPageQuery {
  readonly limit: number
  /** The id that the page before ended with. */
  readonly after?: string
  /** Only those that somebody decided on, or that were applied. */
  readonly decided?: true
}

export interface StoredRecommendation {
  readonly id: string
  readonly version: number
  readonly decided: boolean
  /** Milliseconds since 1970: when it was last recommended, about. */
  readonly advisedAt: number
  readonly json: string
}
