import Type from 'typebox'
import { dollars } from '../../domain/money.ts'
import { defaultIdleDays } from '../../domain/recommendation.ts'
import { integer, optional } from '../../domain/schema.ts'
import { reportVolumes } from '../../pricing/disks/report-volumes.ts'
import { VolumesQuery, VolumesView, type VolumeView } from '../../pricing/disks/volume-schema.ts'
import { explainRecommendation } from '../../recommendations/list/explain-recommendation.ts'
import { listRecommendations } from '../../recommendations/list/list-recommendations.ts'
import { parseListRequest } from '../../recommendations/list/query.ts'
import {
  ExplainedRecommendation,
  RecommendationListQuery,
  RecommendationPage,
  type RecommendationView,
} from '../../recommendations/list/schema.ts'
import { totalsLines } from '../../recommendations/list/totals-lines.ts'
import { type Tool, tool } from './tool.ts'

const fewRecommendations = 20
const maxRecommendations = 100

const { limit, idle_days, ...filters } = RecommendationListQuery.properties
const { limit: _, ...volumeFilters } = VolumesQuery.properties

export const recommendationTools: readonly Tool[] = [
  tool({
    name: 'list_recommendations',
    title: 'Recommendations',
    description:
      'List possible savings on containers, machines, idle workloads and cluster nodes, largest first, with risk, effort, confidence and state. ' +
      'Totals are over all recommendations that match the filter. Includes the savings of applied recommendations.',
    scope: 'gateway:read',
    input: Type.Object({
      ...filters,
      idle_days: optional(integer(`Default: ${defaultIdleDays}`, { minimum: 1, maximum: 14 })),
      limit: optional(integer(`Default: ${fewRecommendations}`, { minimum: 1, maximum: maxRecommendations })),
    }),
    output: RecommendationPage,
    answer: ({ recommendations }, organisation, asked, signal) =>
      recommendations(async (deps) => {
        const query = parseListRequest({ limit: fewRecommendations, ...asked })
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
    output: ExplainedRecommendation,
    answer: ({ recommendations }, organisation, { id }, signal) =>
      recommendations(async (deps) => {
        const explained = await explainRecommendation(deps, organisation, id, signal)
        return { structured: explained, text: explanationText(explained) }
      }),
  }),
  tool({
    name: 'list_volumes',
    title: 'Persistent volumes',
    description:
      'List persistent volumes of clusters with cost and use, those that nobody uses, and cheaper types of disk for the others, largest savings first. ' +
      'No disk can be made smaller. Totals are over all volumes that match the filter.',
    scope: 'gateway:read',
    input: Type.Object({
      ...volumeFilters,
      limit: optional(integer(`Default: ${fewRecommendations}`, { minimum: 1, maximum: 1000 })),
    }),
    output: VolumesView,
    answer: ({ recommendations }, organisation, asked) =>
      recommendations(async ({ now, sizes, machines: { pricing }, store: { settings } }) => {
        const deps = { pricing, store: { settings, usage: sizes.store.usage }, now }
        const view = await reportVolumes(deps, organisation, { limit: fewRecommendations, ...asked })
        return { structured: view, text: volumesText(view) }
      }),
  }),
]

function volumesText({ volumes, totals }: VolumesView): string {
  const sums = `${totals.count} volumes cost ${dollars(totals.cost_per_month)} a month. Removing those that nobody uses saves ${dollars(totals.removable_per_month)}, other types for the rest ${dollars(totals.savings_per_month)}.`
  return [sums, ...volumes.map(volumeLine)].join('\n')
}

function volumeLine(view: VolumeView): string {
  const { cluster, namespace, claim, volume, disk_type, size_gib, cost_per_month: cost, better, state } = view
  const name = [cluster, ...(claim === null ? [volume] : [namespace, claim])].join('/')
  const change = better === null ? '' : `; ${better.type} saves ${dollars(better.savings_per_month)}`
  const price = cost === null ? 'no price' : `${dollars(cost)} a month`
  return `${name}: ${size_gib} GiB ${disk_type ?? ''}, ${price}, ${state}${change}`
}

function listText(page: RecommendationPage): string {
  const { recommendations, realised, totals } = page
  const saved =
    realised.count > 0
      ? [`Applied: ${dollars(realised.per_month)} a month, ${dollars(realised.total)} so far`]
      : []
  const lines = recommendations.map((recommendation) => `${recommendation.id} ${lineOf(recommendation)}`)
  return [...totalsLines(totals), ...saved, ...lines].join('\n')
}

/** prod/shop: Resize app of Deployment/web: ... ($12.30 a month, risk low, effort low, confidence 74%, open) */
function lineOf(recommendation: RecommendationView): string {
  const place =
    recommendation.machine ??
    [recommendation.cluster, recommendation.namespace].filter((name) => name !== null).join('/')
  const estimate = recommendation.is_estimate ? ', estimated' : ''
  const outdated = recommendation.outdated_since === null ? '' : ', no longer recommended'
  const sure = Math.round(100 * recommendation.confidence)
  return `${place}: ${recommendation.title} (${dollars(recommendation.worth_per_month)} a month${estimate}, risk ${recommendation.risk}, effort ${recommendation.effort}, confidence ${sure}%, ${recommendation.state}${outdated})`
}

function explanationText({ recommendation, container, machine, nodes }: ExplainedRecommendation): string {
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
