import { dollars } from '../../domain/money.ts'
import { cpuQuantity, memoryQuantity } from '../../domain/quantity.ts'
import { plural } from '../../domain/text.ts'
import type {
  ExplainedRecommendation,
  RecommendationPage,
  RecommendationView,
} from '../../recommendations/list/schema.ts'
import { totalsLines } from '../../recommendations/list/totals-lines.ts'
import { renderClusters } from './clusters.ts'
import { difference, formatPercent, printable } from './figures.ts'
import { renderEstimates } from './namespaces.ts'
import { renderTable } from './table.ts'
import { renderOptions } from './vms.ts'

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
    stateOf(row),
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

const stateOf = ({ state, outdated_since }: RecommendationView): string =>
  outdated_since === null ? state : `${state}, outdated`

export function renderRecommendation({
  recommendation,
  container,
  machine,
  nodes,
}: ExplainedRecommendation): string {
  const { title, risk, effort, confidence, replicas, reasons, state_reason: why } = recommendation
  const facts = [
    `${stateOf(recommendation)}${why === null ? '' : ` (${printable(why)})`}`,
    `${risk} risk`,
    `${effort} effort`,
    `confidence ${formatPercent(100 * confidence)}`,
    ...(replicas === null ? [] : [plural(replicas, 'replica')]),
  ]
  return [
    printable(title),
    `${printable(placeOf(recommendation))}: ${facts.join(', ')}`,
    '',
    sizeTable(recommendation),
    '',
    ...reasons.filter((one) => !nodes?.notes.includes(one)).map((one) => `- ${printable(one)}`),
    ...(container?.Explanation === undefined ? [] : ['', ...renderEstimates(container.Explanation)]),
    ...(machine === null ? [] : renderOptions([machine])),
    ...(nodes === null ? [] : ['', renderClusters([nodes])]),
  ].join('\n')
}

function sizeTable({
  kind,
  current,
  recommended,
  cost_per_month: cost,
  worth_per_month: worth,
  is_estimate,
}: RecommendationView): string {
  const sizes = [
    ['CPU request', 'cpu_cores', cpuQuantity],
    ['CPU limit', 'cpu_limit_cores', cpuQuantity],
    ['Memory request', 'memory_gib', memoryQuantity],
    ['Memory limit', 'memory_limit_gib', memoryQuantity],
  ] as const
  const cell = (value: number | null | undefined, text: (amount: number) => string) =>
    value == null ? 'none' : text(value)
  const rows =
    kind === 'container'
      ? sizes.map(([label, member, text]) => [
          label,
          cell(current[member], text),
          cell(recommended?.[member], text),
        ])
      : kind === 'cluster'
        ? []
        : [
            [
              'Type',
              current.instance_type ?? '-',
              recommended === null ? 'remove' : (recommended.instance_type ?? '-'),
            ],
          ]
  const costs =
    cost === null
      ? ['-', difference(-worth)]
      : [
          dollars(cost),
          `${dollars(cost - worth)} (${difference(-worth)}${is_estimate ? ', partly an estimate' : ''})`,
        ]
  return renderTable([['', 'NOW', 'RECOMMENDED'], ...rows, ['Cost per month', ...costs]])
}
