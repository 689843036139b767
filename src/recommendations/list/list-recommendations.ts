import { roundSum } from '../../domain/money.ts'
import { type AdviceLists, byWorth } from './advice-lists.ts'
import { hourText } from './collect-advice.ts'
import type { AdviceDeps } from './deps.ts'
import type { ListedAdvice } from './list-codec.ts'
import { type AdviceCursor, type AdviceQuery, adviceCursor } from './query.ts'
import { readRecords } from './remember-advice.ts'
import { adviceFacets, adviceTotals, realisedTotals } from './rows/advice-figures.ts'
import { selectAdvice } from './rows/select-advice.ts'
import { showAdvice, viewAdvice } from './rows/shown-advice.ts'
import type { AdvicePage } from './schema.ts'

export interface ListAdviceDeps extends AdviceDeps {
  readonly advice: AdviceLists
}

export async function listRecommendations(
  { advice, store, now }: ListAdviceDeps,
  organisation: string,
  { filter, limit, after }: AdviceQuery,
  signal: AbortSignal,
): Promise<AdvicePage> {
  const list = await advice.listOf(organisation, signal)
  const at = now()
  const records = await readRecords(store, organisation, { decided: true })
  const shown = showAdvice(list.rows, records, at)
  const selected = selectAdvice(shown, filter)
  const passing = selected.passing.toSorted(byWorth)
  const rest = after === undefined ? passing : restAfter(passing, after)
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  const whole = list.find(new Set(page.map((row) => row.advice.id)))
  return {
    recommendations: page.map((row) =>
      viewAdvice(row.decidedOn ?? whole.get(row.advice.id)!, row.state, row.record, at, row.isAdvised),
    ),
    totals: adviceTotals(passing),
    facets: adviceFacets(selected),
    realised: realisedTotals(records.values(), filter, at),
    left_out: { count: list.dropped.count, worth_per_month: roundSum(list.dropped.worth) },
    computed_at: new Date(list.madeAt).toISOString(),
    start_date: hourText(list.hours.from),
    end_date: hourText(list.hours.to),
    next_cursor: rest.length > limit ? adviceCursor({ worth: last!.worth, id: last!.advice.id }) : null,
  }
}

/** The worth of all recommendations changes when the list is computed again, so their place counts if it is known. */
function restAfter<Row extends ListedAdvice>(passing: readonly Row[], after: AdviceCursor): readonly Row[] {
  const last = passing.findIndex(({ advice }) => advice.id === after.id)
  if (last >= 0) return passing.slice(last + 1)
  return passing.filter((row) => isAfter(row.worth, row.advice.id, after))
}

const isAfter = (worth: number, id: string, mark: AdviceCursor): boolean =>
  worth < mark.worth || (worth === mark.worth && id > mark.id)
