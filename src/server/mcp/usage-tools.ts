import { text } from 'node:stream/consumers'
import Type from 'typebox'
import type { CostRowView } from '../allocation/view-cost-row.ts'
import { dollars } from '../domain/money.ts'
import { dayMs } from '../domain/time.ts'
import { CostsQuery, CostView } from '../http/schemas/costs.ts'
import { NamespacesQuery, NamespaceView } from '../http/schemas/namespaces.ts'
import type { NamespaceRecommendation } from '../namespace-sizes/answer/view-namespace.ts'
import { profiles } from '../namespace-sizes/parse-preference.ts'
import { parseSizesRequest } from '../operations/recommend-sizes/query.ts'
import { sizesAnswer } from '../operations/recommend-sizes/sizes-answer.ts'
import { costsAnswer } from '../operations/report-costs/costs-answer.ts'
import {
  defaultCostDays,
  groupKinds,
  nextCostsPage,
  parseCostsRequest,
  stepNames,
} from '../operations/report-costs/query.ts'
import { type Tool, tool } from './tool.ts'

const days = 14
const fewContainers = 20
const fewRows = 50
const maxMs = 120_000

const { start_date, end_date, cluster, namespace, profile, cursor } = NamespacesQuery(profiles).properties
const costFilters = CostsQuery(groupKinds, stepNames, defaultCostDays).properties
const NextPage = Type.Optional(
  Type.Object(
    { cursor: Type.String(), start_date: Type.String(), end_date: Type.String() },
    { description: 'There are more results: call again with these values' },
  ),
)

/** Tools that read the usage history of an organisation. */
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
      start_date: Type.Optional(start_date),
      end_date: Type.Optional(end_date),
      profile,
      container_limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 200, description: `Default: ${fewContainers}` }),
      ),
      cursor,
    }),
    output: Type.Object({ namespaces: Type.Array(NamespaceView), next: NextPage }),
    answer: ({ usage, now }, organisation, asked) =>
      usage(async (deps) => {
        const end = asked.end_date ?? new Date(now()).toISOString()
        const start = asked.start_date ?? new Date(Date.parse(end) - days * dayMs).toISOString()
        const query = parseSizesRequest({
          container_limit: fewContainers,
          ...asked,
          start_date: start,
          end_date: end,
        })
        const signal = AbortSignal.timeout(maxMs)
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
      'Return the cost of containers over time, by cluster, namespace, workload, node or label, in steps of an hour, a day or a week.',
    scope: 'gateway:read',
    input: Type.Object({
      ...costFilters,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1000, description: `Rows; default: ${fewRows}` }),
      ),
    }),
    output: Type.Object({ rows: Type.Array(CostView), next: NextPage }),
    answer: ({ usage, now }, organisation, asked) =>
      usage(async (deps) => {
        const query = parseCostsRequest({ limit: fewRows, ...asked }, now(), deps.labels)
        const signal = AbortSignal.timeout(maxMs)
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

/** Writes the sum of each group, in the order of the rows. */
export function costLines(rows: readonly CostRowView[]): string[] {
  const groups = Map.groupBy(rows, ({ cluster, namespace, workload, node, label, value }) =>
    [cluster, namespace, workload ?? node, label, value].filter((part) => part != null).join('/'),
  )
  return [...groups].map(([group, ofGroup]) => {
    const usd = ofGroup.reduce((sum, { cost_usd }) => sum + cost_usd, 0)
    const idleUsd = ofGroup.reduce((sum, { idle_cost_usd = 0 }) => sum + idle_cost_usd, 0)
    const idle = idleUsd > 0 ? ` and ${dollars(idleUsd)} idle` : ''
    return `${group || 'unknown'}: ${dollars(usd)}${idle} from ${ofGroup[0]!.start} to ${ofGroup.at(-1)!.end}`
  })
}
