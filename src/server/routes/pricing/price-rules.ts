import Type from 'typebox'
import { boolean } from '../../../domain/schema.ts'
import { type PreviewDeps, previewPriceRules } from '../../../pricing/rules/preview-rules.ts'
import { PriceRulesAnswer, PriceRulesBody, PriceRulesView } from '../../../pricing/rules/schema.ts'
import { showPriceRules, writePriceRules } from '../../../pricing/rules/store-rules.ts'
import type { Store } from '../../../store/port.ts'
import { type HeavyReads, heavyReadProblems } from '../../heavy-reads.ts'
import { preconditionOf } from '../../requests/negotiation.ts'
import { compileValidator } from '../../requests/validation.ts'
import type { Routes } from '../../server.ts'

type PriceRuleDeps = PreviewDeps & { readonly store: Pick<Store, 'settings' | 'usage'> }

const meaning =
  'Rules change the listed prices of providers for your organisation alone: all that match apply, in order. They do not change marketplace prices or base rates.'

export function priceRuleRoutes(deps: PriceRuleDeps, reads: HeavyReads): Routes {
  // The store is read each time, because it is not open from the start.
  return (server) => {
    server.get('/v1/price_rules', {
      config: { scope: 'pricing:read' },
      schema: {
        tags: ['Pricing'],
        summary: 'Show your price rules',
        description: meaning,
        response: { 200: PriceRulesView },
      },
      handler: async (request, reply) => {
        const view = await showPriceRules(deps.store.settings, request.caller.organisation)
        return reply.header('etag', view.etag).send(view)
      },
    })
    server.put('/v1/price_rules', {
      // Also where the command line runs this route in its own process.
      validatorCompiler: compileValidator,
      config: {
        scope: 'marketplace:write',
        ifMatch: 'The ETag of the rules that are replaced',
        problems: heavyReadProblems,
      },
      schema: {
        tags: ['Pricing'],
        summary: 'Replace your price rules',
        description: `${meaning} All rules are replaced, or none if one is wrong. When the response arrives, this node uses them; the others follow within seconds. An empty list removes them.`,
        querystring: Type.Object({
          dry_run: boolean(
            'Change nothing, and report in `preview` which of your machines and comparisons would change',
            { default: false },
          ),
        }),
        body: PriceRulesBody,
        response: { 200: PriceRulesAnswer },
      },
      handler: async (request, reply) => {
        const { organisation } = request.caller
        const { rules } = request.body
        if (request.query.dry_run) {
          // A preview adjusts the whole catalogue.
          await reads.admit(request, reply)
          const preview = await previewPriceRules(deps, organisation, rules)
          return reply.send({
            rules,
            etag: (await showPriceRules(deps.store.settings, organisation)).etag,
            preview,
          })
        }
        const isExpected = preconditionOf(request.headers['if-match'])
        const view = await writePriceRules(deps.store.settings, organisation, rules, isExpected)
        // They are stored already, so a failure only means that they are read again.
        await deps.ruledPrices.refresh(organisation).catch(() => deps.ruledPrices.forget(organisation))
        return reply.header('etag', view.etag).send(view)
      },
    })
  }
}
