import { text } from 'node:stream/consumers'
import Type from 'typebox'
import { costsAnswer } from '../../costs/report/costs-answer.ts'
import {
  defaultCostDays,
  groupKinds,
  nextCostsPage,
  parseCostsRequest,
  stepNames,
} from '../../costs/report/query.ts'
import { CostRowView, CostsQuery } from '../../costs/report/schema.ts'
import { dollars } from '../../domain/money.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import { integer, optional } from '../../domain/schema.ts'
import { dayMs, parsePeriod } from '../../domain/time.ts'
import { profiles } from '../../recommendations/containers/parse-preference.ts'
import { parseSizesRequest } from '../../recommendations/containers/query.ts'
import { NamespacesQuery } from '../../recommendations/containers/query-schema.ts'
import { NamespaceRecommendation } from '../../recommendations/containers/schema.ts'
import { sizesAnswer } from '../../recommendations/containers/sizes-answer.ts'
import { type Tool, tool } from './tool.ts'

const days = 14
const fewContainers = 20
const fewRows = 50

const { start_date, end_date, cluster, namespace, profile, cursor } = NamespacesQuery(profiles).properties
const costFilters = CostsQuery(groupKinds, stepNames, defaultCostDays).properties
const NextPage = optional(
  Type.Object(
    { cursor: Type.String(), start_date: Type.String(), end_date: Type.String() },
    { description: 'There are more results: call again with these values' },
  ),
)

export const usageTools: readonly Tool[] = [
  tool({
    name: 'namespace_sizes',
    title: 'Sizes of containers',
    description:
      'Return current and recommended CPU and memory requests and limits of containers, by namespace, with spend, savings and reasons. ' +
      `Without dates, the last ${days} days are used.`,
    scope: 'gateway:read',
    input: Type.Object({
      cluster,
      namespace,
      start_date: optional(start_date),
      end_date: optional(end_date),
      profile,
      container_limit: optional(integer(`Default: ${fewContainers}`, { minimum: 1, maximum: 200 })),
      cursor,
    }),
    output: Type.Object({ namespaces: Type.Array(NamespaceRecommendation), next: NextPage }),
    answer: ({ usage, now }, organisation, asked, signal) =>
      usage(async (deps) => {
        const errors: FieldError[] = []
        const period = parsePeriod(asked, { endMs: now(), lengthMs: days * dayMs }, errors)
        if (errors.length > 0) throw new Problem('invalid', 'The arguments are invalid.', { errors })
        const start = asked.start_date ?? new Date(period.startMs).toISOString()
        const end = asked.end_date ?? new Date(period.endMs).toISOString()
        const query = parseSizesRequest({
          container_limit: fewContainers,
          ...asked,
          start_date: start,
          end_date: end,
        })
        const { pieces, next } = await sizesAnswer(deps, organisation, query, 'json', signal)
        const namespaces: NamespaceRecommendation[] = JSON.parse(await text(pieces))
        const lines = namespaces.flatMap(linesOfNamespace)
        const page = { cursor: next, start_date: start, end_date: end }
        return {
          structured: { namespaces, ...(next === undefined ? {} : { next: page }) },
          text: linesOf(lines, next) || 'No container reported usage in this period.',
        }
      }),
  }),
  tool({
    name: 'costs',
    title: 'Costs of containers',
    description:
      'Return the cost of containers over time, by up to three of cluster, namespace, kind, workload, pod, container, node and label, in steps of an hour, a day, a week or a month.',
    scope: 'gateway:read',
    input: Type.Object({
      ...costFilters,
      limit: optional(integer(`Rows; default: ${fewRows}`, { minimum: 1, maximum: 1000 })),
    }),
    output: Type.Object({ rows: Type.Array(CostRowView), next: NextPage }),
    answer: ({ usage, now }, organisation, asked, signal) =>
      usage(async (deps) => {
        const sharing = await deps.sharingOf?.(organisation)
        const query = parseCostsRequest({ limit: fewRows, ...asked }, now(), deps.labels, sharing)
        const { pieces, next } = await costsAnswer(deps, organisation, query, 'json', signal)
        const rows: CostRowView[] = JSON.parse(await text(pieces))
        return {
          structured: { rows, ...(next === undefined ? {} : { next: nextCostsPage(query, next) }) },
          text: linesOf(costLines(rows), next) || 'Nothing ran in this period.',
        }
      }),
  }),
]

/** Sums of a page would be mistaken for those of all pages. */
const linesOf = (lines: readonly string[], next: string | undefined): string =>
  [
    ...lines,
    ...(next === undefined ? [] : ['This is one page: call again with the arguments in next.']),
  ].join('\n')

function linesOfNamespace(namespace: NamespaceRecommendation): string[] {
  const { Cluster, Namespace, MonthlyCurrentSpend, MonthlySavings, ContainerRecommendations } = namespace
  const heading = `${Cluster}/${Namespace}: ${dollars(MonthlyCurrentSpend)} a month, could save ${dollars(MonthlySavings)}`
  const containers = Object.entries(ContainerRecommendations).map(([key, { CPU, Memory }]) => {
    const change = ({ Current, Recommended }: typeof CPU.Requests, unit: string) =>
      `${Current ?? 'none'} -> ${Recommended ?? 'not known'} ${unit}`
    return `  ${key}: CPU ${change(CPU.Requests, 'cores')}, memory ${change(Memory.Requests, 'GiB')}`
  })
  return [heading, ...containers]
}

export function costLines(rows: readonly CostRowView[]): string[] {
  const groups = Map.groupBy(rows, (row) =>
    [...groupKinds.map((kind) => row[kind]), row.label, row.value].filter((part) => part != null).join('/'),
  )
  return [...groups].map(([group, ofGroup]) => {
    const usdOf = (type: CostRowView['cost_type']) =>
      ofGroup.reduce((sum, { cost_type, cost_usd }) => sum + (cost_type === type ? cost_usd : 0), 0)
    const [usd, idleUsd] = [usdOf('usage'), usdOf('idle')]
    const costs = [
      ...(usd > 0 || idleUsd === 0 ? [dollars(usd)] : []),
      ...(idleUsd > 0 ? [`${dollars(idleUsd)} idle`] : []),
    ]
    return `${group || 'unknown'}: ${costs.join(' and ')} from ${ofGroup[0]!.start} to ${ofGroup.at(-1)!.end}`
  })
}
