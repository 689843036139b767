import type { StoredRecommendation } from './port-recommendations.ts'
import { checkText, checkTime } from './storable.ts'

/** A row of the table recommendations, as both databases give it. */
export interface RecommendationRow {
  readonly id: string
  readonly version: number
  readonly decided: number
  readonly advised_at: number
  readonly json: string
}

export const recommendationColumns = 'id, version, decided, advised_at, json'

export const recommendationFromRow = (row: RecommendationRow): StoredRecommendation => ({
  id: row.id,
  version: Number(row.version),
  decided: Number(row.decided) === 1,
  advisedAt: Number(row.advised_at),
  json: row.json,
})

/** Undecided ones before decided ones, and of both those advised longest ago first. */
export const removalOrder = 'decided, advised_at, id'

export function checkRecommendation({ id, version, advisedAt, json }: StoredRecommendation): void {
  checkText(id)
  checkText(json)
  checkTime(version)
  checkTime(advisedAt)
}
