import { StoreUnavailable } from '../../store/port.ts'
import type { RecommendationStore } from '../../store/port-recommendations.ts'
import { maxListed } from './collect-recommendations.ts'
import { follow } from './rows/follow.ts'
import { type RecommendationRecord, recordFrom, storedFrom } from './rows/followed-recommendation.ts'
import type { RecommendationRow } from './rows/recommendation-row.ts'
import type { SubjectWatch } from './rows/subject-watch.ts'

type RecommendationsDeps = { readonly recommendations: RecommendationStore }
type Records = ReadonlyMap<string, RecommendationRecord>

const batchLength = 500

export async function readRecords(
  store: RecommendationsDeps,
  organisation: string,
  only: { readonly decided?: true } = {},
): Promise<Map<string, RecommendationRecord>> {
  const records = new Map<string, RecommendationRecord>()
  let after = ''
  for (;;) {
    const page = await store.recommendations.page(organisation, { ...only, limit: batchLength, after })
    for (const stored of page) records.set(stored.id, recordFrom(stored))
    if (page.length < batchLength) return records
    after = page.at(-1)!.id
  }
}

/**
 * Updates the record of every recommendation, old and new. If the database cannot be written now, the recommendations
 * are listed anyway.
 */
export async function rememberRecommendations(
  store: RecommendationsDeps,
  organisation: string,
  rows: readonly RecommendationRow[],
  records: Records,
  watch: SubjectWatch,
  now: number,
): Promise<void> {
  const advised = new Map(rows.map(({ recommendation }) => [recommendation.id, recommendation]))
  let batch: RecommendationRecord[] = []
  const write = async () => {
    if (batch.length > 0) await store.recommendations.write(organisation, batch.map(storedFrom), maxListed)
    batch = []
  }
  try {
    for (const id of new Set([...records.keys(), ...advised.keys()])) {
      const record = records.get(id)
      const size = record && watch.sizeOf(record)
      const next = follow(record, { size, advised: advised.get(id) }, now)
      if (next === undefined) continue
      batch.push(next)
      if (batch.length === batchLength) await write()
    }
    await write()
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
  }
}
