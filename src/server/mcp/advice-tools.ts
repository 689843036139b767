import Type from 'typebox'
import { dollars } from '../../domain/money.ts'
import { defaultIdleDays } from '../../domain/recommendation.ts'
import { explainRecommendation } from '../../recommendations/list/explain-recommendation.ts'
import { listRecommendations } from '../../recommendations/list/list-recommendations.ts'
import { parseAdviceRequest } from '../../recommendations/list/query.ts'
import {
  AdviceListQuery,
  AdvicePage,
  type AdviceView,
  ExplainedAdvice,
} from '../../recommendations/list/schema.ts'
import { totalsLines } from '../../recommendations/list/totals-lines.ts'
import { type Tool, tool } from './tool.ts'

const fewRecommendations = 20
const maxRecommendations = 100

const { limit, idle_days, ...filters } = AdviceListQuery.properties

export const adviceTools: readonly Tool[] = [
  tool({
    name: 'list_recommendations',
    title: 'Recommendations',
    description:
      'List possible savings on containers, machines, idle workloads and cluster nodes, largest first, with risk, effort, confidence and state. ' +
      'Totals are over all recommendations that match the filter. Includes the savings of applied recommendations.',
    scope: 'gateway:read',
    input: Type.Object({
      ...filters,
      idle_days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 14, description: `Default: ${defaultIdleDays}` }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: maxRecommendations,
          description: `Default: ${fewRecommendations}`,
        }),
      ),
    }),
    output: AdvicePage,
    answer: ({ advice }, organisation, asked, signal) =>
      advice(async (deps) => {
        const query = parseAdviceRequest({ limit: fewRecommendations, ...asked })
        const page = await listRecommendations(deps, organisation, query, signal)
        return { structured: page, text: listText(page) }
      }),
  }),
  tool({
    name: 'explain_recommendation',
    title: 'Explain a recommendation',
    description:
      'Explain why something is recommended: reasons, usage and the result of every estimator for a container, all options for a machine or a cluster. ' +
      'The id comes from list_recommendations.',
    scope: 'gateway:read',
    input: Type.Object({ id: Type.String({ maxLength: 64 }) }),
    output: ExplainedAdvice,
    answer: ({ advice }, organisation, { id }, signal) =>
      advice(async (deps) => {
        const explained = await explainRecommendation(deps, organisation, id, signal)
        return { structured: explained, text: explanationText(explained) }
      }),
  }),
]

function listText(page: AdvicePage): string {
  const { recommendations, realised } = page
  const saved =
    realised.count > 0
      ? [`Applied: ${dollars(realised.per_month)} a month, ${dollars(realised.total)} so far`]
      : []
  const lines = recommendations.map((advice) => `${advice.id} ${lineOf(advice)}`)
  return [...totalsLines(page), ...saved, ...lines].join('\n')
}

/** prod/shop: Resize app of Deployment/web: ... ($12.30 a month, risk low, effort low, confidence 74%, open) */
function lineOf(advice: AdviceView): string {
  const place = advice.machine ?? [advice.cluster, advice.namespace].filter((name) => name !== null).join('/')
  const estimate = advice.is_estimate ? ', estimated' : ''
  const outdated = advice.outdated_since === null ? '' : ', no longer recommended'
  const sure = Math.round(100 * advice.confidence)
  return `${place}: ${advice.title} (${dollars(advice.worth_per_month)} a month${estimate}, risk ${advice.risk}, effort ${advice.effort}, confidence ${sure}%, ${advice.state}${outdated})`
}

function explanationText({ recommendation, container, machine, nodes }: ExplainedAdvice): string {
  const resources = [
    ['CPU', container?.Explanation?.CPU, 'cores'],
    ['memory', container?.Explanation?.Memory, 'GiB'],
  ] as const
  const decided = resources.flatMap(([what, explanation, unit]) =>
    (explanation?.Estimates ?? [])
      .filter(({ Decided }) => Decided)
      .map(({ By, Value }) => `${what} is determined by ${By}: ${Value} ${unit}`),
  )
  const options = (machine?.rehost?.options ?? []).flatMap(({ effort, offers: [best] }) =>
    best === undefined
      ? []
      : [
          `${effort}: ${best.instance_type} in ${best.region}, saves ${dollars(best.savings.amount_per_month)} a month`,
        ],
  )
  const pools = (nodes?.options ?? []).map(
    ({ effort, pools: recommended, savings }) =>
      `${effort}: ${recommended.map(({ count, instance_type }) => `${count} x ${instance_type}`).join(', ')}, saves ${dollars(savings.amount_per_month)} a month`,
  )
  return [lineOf(recommendation), ...recommendation.reasons, ...decided, ...options, ...pools].join('\n')
}
