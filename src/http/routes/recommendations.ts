import type { PricingDeps } from '../../operations/pricing/deps.ts'
import { recommendOffersBytes } from '../../operations/recommend-offers/recommend-offers.ts'
import { jsonContentType } from '../negotiation.ts'
import { borrowBuffer } from '../response-buffers.ts'
import { RecommendationBody, RecommendationView } from '../schemas/pricing.ts'
import type { Routes } from '../server.ts'

export function recommendationRoutes(deps: PricingDeps): Routes {
  return (server) => {
    server.post('/recommendations', {
      config: {
        scope: 'pricing:read',
        problems: ['unknown-provider', 'unknown-region', 'unknown-instance-type', 'no-price'],
      },
      schema: {
        tags: ['Pricing'],
        summary: 'Where would this machine cost less?',
        description:
          'Compares the current instance with every offer that holds its usage, of the built-in providers and of ' +
          'your own marketplace. A candidate is of the same kind (accelerator, bare metal, confidential, ...), has ' +
          'cores enough at its speed, is paid for in the same way, is near in distance and law, and costs less by ' +
          'the hour and by the month. Predicates say otherwise; the header Cheapside-Scope reports what was applied. ' +
          'Cheapest types first.',
        body: RecommendationBody,
        response: { 200: RecommendationView },
      },
      handler: (request, reply) => {
        reply.header('content-type', jsonContentType)
        const answer = recommendOffersBytes(deps, request.caller.organisation, request.body, {
          allocate: (bytes) => borrowBuffer(reply, bytes),
          onScope: (scope) => reply.header('cheapside-scope', scope),
        })
        return answer instanceof Promise ? answer : reply.send(answer)
      },
    })
  }
}
