import Type from 'typebox'
import {
  CommitmentRecommendationQuery,
  CommitmentRecommendations,
} from '../../../pricing/commitments/recommendations-schema.ts'
import {
  BulkDecisionBody,
  DecidedRecommendation,
  DecisionBody,
  PatchesQuery,
} from '../../../recommendations/list/change-schema.ts'
import { decideOne, decideRecommendations } from '../../../recommendations/list/decide.ts'
import { explainRecommendation } from '../../../recommendations/list/explain-recommendation.ts'
import { exportPatches, parseIds } from '../../../recommendations/list/export-patches.ts'
import {
  listRecommendations,
  type RecommendationListDeps,
} from '../../../recommendations/list/list-recommendations.ts'
import { parseListRequest } from '../../../recommendations/list/query.ts'
import { recommendCommitments } from '../../../recommendations/list/recommend-commitments.ts'
import {
  ExplainedRecommendation,
  RecommendationListQuery,
  RecommendationPage,
  RecommendationView,
} from '../../../recommendations/list/schema.ts'
import { fileNames, yamlMediaType } from '../../../recommendations/manifests/manifest-answer.ts'
import type { PatchFormat } from '../../../recommendations/manifests/patches.ts'
import { type HeavyReads, heavyReadProblems } from '../../heavy-reads.ts'
import { linkTo, preconditionOf } from '../../requests/negotiation.ts'
import type { Routes } from '../../server.ts'

const path = '/v1/recommendations'
const tags = ['Gateway']
const RecommendationId = Type.Object({ id: Type.String({ maxLength: 64 }) })

export function recommendationListRoutes(deps: RecommendationListDeps, reads: HeavyReads): Routes {
  return (server) => {
    readingRoutes(deps, reads)(server)
    decisionRoutes(deps)(server)
  }
}

function readingRoutes(deps: RecommendationListDeps, reads: HeavyReads): Routes {
  return (server) => {
    server.get(path, {
      config: { scope: 'gateway:read', hasAmounts: true, problems: heavyReadProblems },
      schema: {
        tags,
        summary: 'List recommendations for containers, machines, idle workloads and clusters',
        description:
          'Sorted by worth_per_month, greatest first. A recommendation for a container of a workload that is listed as idle is left out, so that no savings are counted twice; kind=container lists all of them, and then the sum over a namespace is its MonthlySavings. Savings of clusters by other nodes are totals.nodes_per_month and in no other sum, because savings of containers are shares of the same nodes. Computed from the last 14 days at computed_at. Computed again when prices, the sizing profile or the rules change, or when the result is too old: after seconds for a hundred containers, after at most an hour for many. The next page is in next_cursor and in the Link header, rel="next".',
        querystring: RecommendationListQuery,
        response: { 200: RecommendationPage },
      },
      handler: async (request, reply) => {
        const query = parseListRequest(request.query)
        const signal = await reads.admit(request, reply)
        const page = await listRecommendations(deps, request.caller.organisation, query, signal)
        if (page.next_cursor !== null) reply.header('link', linkTo(request.url, { cursor: page.next_cursor }))
        return reply.send(page)
      },
    })
    server.get('/v1/commitment_recommendations', {
      config: { scope: 'gateway:read', hasAmounts: true, problems: heavyReadProblems },
      schema: {
        tags: ['Pricing'],
        summary: 'Recommend how much to commit',
        description:
          'Replays each hour of the nodes and machines that are connected, with what is committed already, and returns for 1 and 3 years, for everything of a provider and for each family in a region, the amount with the least expected cost, its risk, and the cost of other amounts.',
        querystring: CommitmentRecommendationQuery,
        response: { 200: CommitmentRecommendations },
      },
      handler: async (request, reply) => {
        const signal = await reads.admit(request, reply)
        const { organisation } = request.caller
        return reply.send(await recommendCommitments(deps, organisation, request.query, signal))
      },
    })
    server.get(`${path}/patches`, {
      config: { scope: 'gateway:read', produces: [yamlMediaType], problems: ['not-found'] },
      schema: {
        tags,
        summary: 'Export recommendations as Kubernetes patches',
        description:
          'Sets requests and limits of containers as they were listed, or accepted; scales idle workloads to zero. All recommendations must belong to one cluster, for kustomize to one namespace. Machines, clusters and what was accepted and is no longer recommended are left out with a note.',
        querystring: PatchesQuery,
        response: { 200: Type.String() },
      },
      handler: async (request, reply) => {
        const ids = parseIds(request.query.ids)
        const format = request.query.format as PatchFormat
        const text = await exportPatches(deps, request.caller.organisation, ids, format)
        return reply
          .header('content-type', `${yamlMediaType}; charset=utf-8`)
          .header('content-disposition', `attachment; filename="${fileNames[format]}"`)
          .send(text)
      },
    })
    server.get(`${path}/:id`, {
      config: { scope: 'gateway:read', hasAmounts: true, problems: ['not-found', ...heavyReadProblems] },
      schema: {
        tags,
        summary: 'Explain a recommendation',
        description:
          'Adds the evidence: for a container its usage and the result of every estimator, for a machine or a cluster all options.',
        params: RecommendationId,
        response: { 200: ExplainedRecommendation },
      },
      handler: async (request, reply) => {
        const signal = await reads.admit(request, reply)
        const { organisation } = request.caller
        return reply.send(await explainRecommendation(deps, organisation, request.params.id, signal))
      },
    })
  }
}

function decisionRoutes(deps: RecommendationListDeps): Routes {
  return (server) => {
    server.patch(path, {
      config: { scope: 'gateway:write', problems: ['conflict'] },
      schema: {
        tags,
        summary: 'Accept, dismiss, snooze or reopen several recommendations',
        description:
          'Ids without a recommendation are listed as unknown; the others are changed. With if_match, those that someone has decided on meanwhile are listed as changed_meanwhile instead. The name of the key and the time are recorded.',
        body: BulkDecisionBody,
        response: { 200: DecidedRecommendation },
      },
      handler: async (request, reply) => {
        const { organisation, name } = request.caller
        const { ids, if_match = {}, ...decision } = request.body
        const expected = new Map(Object.entries(if_match))
        return reply.send(
          await decideRecommendations(deps, organisation, ids, decision, name, (id) => {
            const etag = expected.get(id)
            return etag === undefined ? undefined : (current) => current === etag
          }),
        )
      },
    })
    server.patch(`${path}/:id`, {
      config: {
        scope: 'gateway:write',
        problems: ['not-found', 'conflict'],
        ifMatch: 'The etag of the recommendation as it was read, which changes with each decision on it',
      },
      schema: {
        tags,
        summary: 'Accept, dismiss, snooze or reopen a recommendation',
        description:
          'A snoozed recommendation is open again when the snooze ends. The state applied cannot be set: it is detected from the current requests, instance type or nodes. The name of the key and the time are recorded.',
        params: RecommendationId,
        body: DecisionBody,
        response: { 200: RecommendationView },
      },
      handler: async (request, reply) => {
        const { organisation, name } = request.caller
        const isExpected = preconditionOf(request.headers['if-match'])
        return reply.send(
          await decideOne(deps, organisation, request.params.id, request.body, name, isExpected),
        )
      },
    })
  }
}
