import { compareMachine } from '../../operations/compare/compare-machine.ts'
import type { PricingDeps } from '../../operations/pricing/deps.ts'
import { completeRequest } from '../../operations/recommend-offers/complete-request.ts'
import { ComparisonBody, ComparisonView } from '../schemas/comparisons.ts'
import type { Routes } from '../server.ts'

export function comparisonRoutes(deps: PricingDeps & { now(): number }): Routes {
  return (server) => {
    server.post('/v1/comparisons', {
      config: {
        scope: 'pricing:read',
        problems: ['unknown-provider', 'unknown-region', 'unknown-instance-type', 'no-price'],
      },
      schema: {
        tags: ['Pricing'],
        summary: 'What could take the place of this machine, and with what effort?',
        description:
          'The same question as POST /recommendations, answered for people: the machine as it is, options in order of ' +
          'effort (another size, region, provider; a commitment; spot; anywhere when asked), and how many cheaper ' +
          'offers were not comparable, by reason. Only provider, region and instance_type are required.',
        body: ComparisonBody,
        response: { 200: ComparisonView },
      },
      handler: async (request, reply) => {
        const { organisation } = request.caller
        const { anywhere = false, ...short } = request.body
        const full = await completeRequest(deps, organisation, short)
        const today = new Date(deps.now()).toISOString().slice(0, 10)
        return reply.send(await compareMachine(deps, organisation, { ...full, anywhere }, today))
      },
    })
  }
}
