import { dollars } from '../../domain/money.ts'
import { plural } from '../../domain/text.ts'
import type { RecommendationPage, RecommendationView } from '../../recommendations/list/schema.ts'
import { totalsLines } from '../../recommendations/list/totals-lines.ts'
import { formatPercent } from './figures.ts'
import { renderTable } from './table.ts'

export function renderRecommendations(page: RecommendationPage): string {
  const { recommendations, totals, realised, left_out } = page
  const saved =
    realised.since === null
      ? []
      : [
          `Saved by applied recommendations: ${dollars(realised.per_month)} a month, ${dollars(realised.total)} since ${realised.since.slice(0, 10)}.`,
        ]
  if (recommendations.length === 0)
    return ['No recommendation matches. --state all also lists those that were decided on.', ...saved].join(
      '\n',
    )
  const header = ['ID', 'SAVES A MONTH', 'RISK', 'EFFORT', 'CONFIDENCE', 'STATE', 'WHERE', 'RECOMMENDATION']
  const rows = recommendations.map((row) => [
    row.id,
    `${row.is_estimate ? '~' : ''}${dollars(row.worth_per_month)}`,
    row.risk,
    row.effort,
    formatPercent(100 * row.confidence),
    row.outdated_since === null ? row.state : `${row.state}, outdated`,
    placeOf(row),
    row.title,
  ])
  const more = totals.count - recommendations.length
  return [
    renderTable([header, ...rows], [1, 4]),
    '',
    ...totalsLines(totals),
    ...(more > 0 ? [`${more} not shown; --limit shows up to 1,000.`] : []),
    ...(left_out.count === 0
      ? []
      : [
          `${plural(left_out.count, 'recommendation')} with smaller savings left out (${dollars(left_out.worth_per_month)} a month).`,
        ]),
    ...saved,
  ].join('\n')
}

const placeOf = ({ cluster, namespace, machine }: RecommendationView): string =>
  machine ?? (namespace === null ? cluster! : `${cluster}/${namespace}`)
