import { roundSum } from '../../domain/money.ts'
import { hourText } from './collect-recommendations.ts'
import type { RecommendationDeps } from './deps.ts'
import type { ListedRecommendation } from './list-codec.ts'
import { type RecommendationCursor, type RecommendationQuery, recommendationCursor } from './query.ts'
import { byWorth, type RecommendationLists } from './recommendation-lists.ts'
import { readRecords } from './remember-recommendations.ts'
import { realisedTotals, recommendationFacets, recommendationTotals } from './rows/figures.ts'
import { selectRecommendations } from './rows/select-recommendations.ts'
import { showRecommendations, viewRecommendation } from './rows/shown-recommendation.ts'
import type { RecommendationPage } from './schema.ts'

export type RecommendationListDeps = RecommendationDeps & { readonly lists: RecommendationLists }

export async function listRecommendations(
  { lists, store, now }: RecommendationListDeps,
  organisation: string,
  { filter, limit, after }: RecommendationQuery,
  signal: AbortSignal,
): Promise<RecommendationPage> {
  const list = await lists.listOf(organisation, signal)
  const at = now()
  const records = await readRecords(store, organisation, { decided: true })
  const shown = showRecommendations(list.rows, records, at)
  const selected = selectRecommendations(shown, filter)
  const passing = selected.passing.toSorted(byWorth)
  const rest = after === undefined ? passing : restAfter(passing, after)
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  const whole = list.find(new Set(page.map((row) => row.recommendation.id)))
  return {
    recommendations: page.map((row) =>
      viewRecommendation(
        row.decidedOn ?? whole.get(row.recommendation.id)!,
        row.state,
        row.record,
        at,
        row.isRecommended,
      ),
    ),
    totals: recommendationTotals(passing, shown),
    facets: recommendationFacets(selected),
    realised: realisedTotals(records.values(), filter, at),
    left_out: { count: list.dropped.count, worth_per_month: roundSum(list.dropped.worth) },
    computed_at: new Date(list.madeAt).toISOString(),
    start_date: hourText(list.hours.from),
    end_date: hourText(list.hours.to),
    next_cursor:
      rest.length > limit ? recommendationCursor({ worth: last!.worth, id: last!.recommendation.id }) : null,
  }
}

/** The worth of all recommendations changes when the list is computed again, so their place counts if it is known. */
function restAfter<Row extends ListedRecommendation>(passing: readonly Row[], after: RecommendationCursor) {
  const last = passing.findIndex(({ recommendation }) => recommendation.id === after.id)
  if (last >= 0) return passing.slice(last + 1)
  return passing.filter((row) => isAfter(row.worth, row.recommendation.id, after))
}

const isAfter = (worth: number, id: string, mark: RecommendationCursor): boolean =>
  worth < mark.worth || (worth === mark.worth && id > mark.id)
