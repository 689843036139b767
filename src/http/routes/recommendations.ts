import type { PricingDeps } from '../../operations/pricing/deps.ts'
import { recommendOffersBytes } from '../../operations/recommend-offers/recommend-offers.ts'
import { jsonContentType } from '../requests/negotiation.ts'
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
        summary: 'Find cheaper instances for this machine',
        description:
          'Compares the current instance with every offer large enough for its usage, from the built-in providers and ' +
          'your own marketplace. A candidate is of the same kind (accelerator, bare metal, confidential, ...), has ' +
          'enough cores at its speed, the same usage type, a region on the same continent and in the same jurisdiction, and costs less per ' +
          'hour and per month. Predicates override this; the header Cheapside-Scope reports what was applied. ' +
          'Cheapest types first. Usage beyond the size of the machine is answered with machines that hold it; then ' +
          'Cheapside-Scope has usage_beyond_vm=?1, and include_metadata adds a note.',
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
