import type { FastifyReply } from 'fastify'
import { orProblem } from '../../../domain/not-found.ts'
import { Problem } from '../../../domain/problem.ts'
import { priceCompute } from '../../../pricing/compute/price-compute.ts'
import { cheapestByProvider, recommendCompute } from '../../../pricing/compute/recommend-compute.ts'
import {
  CheapestByProviderView,
  ComputePrice,
  type ComputeQuestion,
  ComputeQuestionBody,
  ComputeRecommendationView,
  InstanceBody,
} from '../../../pricing/compute/schema.ts'
import type { PricingDeps } from '../../../pricing/market.ts'
import { resultJson } from '../../../pricing/recommend-offers.ts'
import { checkPredicates } from '../../../pricing/request/check-predicates.ts'
import { jsonContentType } from '../../requests/negotiation.ts'
import type { Routes } from '../../server.ts'
import { priceRouteConfig } from './pricing.ts'

const tags = ['Compute']
const config = { ...priceRouteConfig, problems: [...priceRouteConfig.problems, 'not-found'] } as const

export function computeRoutes(deps: PricingDeps): Routes {
  return (server) => {
    for (const path of ['/pricing/compute', '/v1/pricing/compute'])
      server.post(path, {
        config,
        schema: {
          tags,
          summary: 'Price an instance',
          description:
            'Returns the price of one instance and everything that is known about it. Only the members that identify the price are required.',
          body: InstanceBody,
          response: { 200: ComputePrice },
        },
        handler: async (request, reply) =>
          reply.send(orProblem(await priceCompute(deps, request.caller.organisation, request.body))),
      })
    server.post('/recommendations/compute', {
      config,
      schema: {
        tags,
        summary: 'Find cheaper instances for this machine',
        description:
          'The same as POST /recommendations, but the instance is in a member of its own. Returns the same offers.',
        body: ComputeQuestionBody,
        response: { 200: ComputeRecommendationView },
      },
      handler: async (request, reply) => {
        await checkPredicates(deps, request.caller.organisation, request.body.predicates)
        reply.header('content-type', jsonContentType)
        return sendComputeRecommendations(deps, request.caller.organisation, request.body, reply)
      },
    })
    server.post('/v1/recommendations/compute', {
      config,
      schema: {
        tags,
        summary: 'Find the cheapest instance of each provider for this machine',
        description: 'The same request as POST /recommendations/compute. Returns 404 if nothing costs less.',
        body: ComputeQuestionBody,
        response: { 200: CheapestByProviderView },
      },
      handler: async (request, reply) => {
        await checkPredicates(deps, request.caller.organisation, request.body.predicates)
        const cheapest = orProblem(await cheapestByProvider(deps, request.caller.organisation, request.body))
        if (cheapest.length === 0)
          throw new Problem('not-found', 'No comparable instance of any provider costs less.')
        return reply.send(cheapest)
      },
    })
  }
}

/** Writes the JSON text directly, so that `base` comes first whatever the labels of the predicates are. */
export async function sendComputeRecommendations(
  deps: PricingDeps,
  organisation: string,
  question: ComputeQuestion,
  reply: FastifyReply,
): Promise<undefined> {
  const result = await recommendCompute(deps, organisation, question, (scope) =>
    reply.header('cheapside-scope', scope),
  )
  return reply.send(resultJson(orProblem(result)))
}
