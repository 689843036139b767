import type { FastifySchemaCompiler } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import { orProblem } from '../../../domain/not-found.ts'
import { OfferRecommendationView } from '../../../pricing/answer/schema.ts'
import { compareMachine } from '../../../pricing/compare/compare-machine.ts'
import { Comparison, ComparisonBody } from '../../../pricing/compare/schema.ts'
import {
  type ComputeQuestion,
  ComputeQuestionBody,
  ComputeRecommendationView,
} from '../../../pricing/compute/schema.ts'
import type { PricingDeps } from '../../../pricing/market.ts'
import { recommendOffersBytes } from '../../../pricing/recommend-offers.ts'
import { RecommendationBody } from '../../../pricing/request/schema.ts'
import { jsonContentType } from '../../requests/negotiation.ts'
import { compileValidator } from '../../requests/validation.ts'
import { borrowBuffer } from '../../response-buffers.ts'
import type { Routes } from '../../server.ts'
import { sendComputeRecommendations } from './compute.ts'
import { priceRouteConfig } from './pricing.ts'

export function recommendationRoutes(deps: PricingDeps): Routes {
  return (server) => {
    server.post('/recommendations', {
      config: priceRouteConfig,
      validatorCompiler: compileFlatOrNested,
      schema: {
        tags: ['Pricing'],
        summary: 'Find cheaper instances for this machine',
        description:
          'Compares the current instance with every offer large enough for its usage, from the built-in providers and ' +
          'your own marketplace. A candidate has the same kind (accelerator, bare metal, confidential, ...), has ' +
          'enough cores at its speed, the same usage type and, if it is reserved, the same length of term, a region on the same continent and in the same jurisdiction, and costs less per ' +
          'hour and per month. Predicates override this; the header Cheapside-Scope reports what was applied. ' +
          'If no candidate is left and a predicate has a name that no price list has, the header has it in unknown. ' +
          'Cheapest types first. If usage exceeds the size of the machine, only machines that are large enough for it are returned; then ' +
          'Cheapside-Scope contains usage_beyond_vm=?1, and include_metadata adds a note. A body with the instance in a member ' +
          'of its own is handled as by POST /recommendations/compute.',
        body: Type.Union([RecommendationBody, ComputeQuestionBody]),
        response: { 200: Type.Union([OfferRecommendationView, ComputeRecommendationView]) },
      },
      handler: (request, reply) => {
        reply.header('content-type', jsonContentType)
        const { body } = request
        const { organisation } = request.caller
        if (isNested(body)) return sendComputeRecommendations(deps, organisation, body, reply)
        const answer = recommendOffersBytes(deps, organisation, body as Static<typeof RecommendationBody>, {
          allocate: (bytes) => borrowBuffer(reply, bytes),
          onScope: (scope) => reply.header('cheapside-scope', scope),
        })
        if (answer instanceof Promise) return answer.then(orProblem)
        reply.send(orProblem(answer))
        return undefined
      },
    })
  }
}

/** A body that also has `instance_type` is of the flat form. */
function isNested(body: unknown): body is ComputeQuestion {
  return typeof body === 'object' && body !== null && 'instance' in body && !('instance_type' in body)
}

/** Validates a body against the form that it has, flat or nested, so that errors concern that form only. */
const compileFlatOrNested: FastifySchemaCompiler<TSchema> = (part) => {
  if (part.httpPart !== 'body') return compileValidator(part)
  const flat = compileValidator({ ...part, schema: RecommendationBody })
  const nested = compileValidator({ ...part, schema: ComputeQuestionBody })
  return (body: unknown) => (isNested(body) ? nested(body) : flat(body))
}

export function comparisonRoutes(deps: PricingDeps & { now(): number }): Routes {
  return (server) => {
    server.post('/v1/comparisons', {
      config: { ...priceRouteConfig, hasAmounts: true },
      schema: {
        tags: ['Pricing'],
        summary: 'Compare a machine with cheaper options, by effort',
        description:
          'The same request as POST /recommendations, with a response for people: the current machine, options in order of ' +
          'effort (another size, region or provider; a commitment; spot; on request any region), and how many cheaper ' +
          'offers were not comparable, by reason. Only provider, region and instance_type are required.',
        body: ComparisonBody,
        response: { 200: Comparison },
      },
      handler: async (request, reply) => {
        const { organisation } = request.caller
        const today = new Date(deps.now()).toISOString().slice(0, 10)
        return reply.send(orProblem(await compareMachine(deps, organisation, request.body, today)))
      },
    })
  }
}
