import Type from 'typebox'
import { Problem } from '../../../domain/problem.ts'
import { type OwnDiskDeps, offerOfRow, ownDisks } from '../../../pricing/disks/own-disks.ts'
import type { PricingDeps } from '../../../pricing/market.ts'
import { reservedNames } from '../../../pricing/own-prices/provider-name.ts'
import {
  listSavedReviews,
  type ReviewStore,
  readSavedReview,
  removeSavedReview,
  savedReviewLimits,
  saveReview,
} from '../../../pricing/saved-reviews.ts'
import { SavedReview, SavedReviewBody, SavedReviewDetail } from '../../../pricing/schema.ts'
import { reviewPlans } from '../../../pricing/terraform/review/review-plan.ts'
import { maxReviewedResources, Review, ReviewBody } from '../../../pricing/terraform/review/schema.ts'
import { type HeavyReads, heavyReadProblems } from '../../heavy-reads.ts'
import { compileDocumentValidator, compileValidator } from '../../requests/validation.ts'
import type { Routes } from '../../server.ts'

/** Twice the size of a plan with the largest number of resources that is reviewed. */
const maxBytes = 4 * 2 ** 20

/** The effect of a Terraform plan on costs. The plan is not stored. */
export function reviewRoutes(
  deps: PricingDeps & OwnDiskDeps & { readonly store: ReviewStore },
  reads: HeavyReads,
): Routes {
  return (server) => {
    server.post('/v1/reviews', {
      config: { scope: 'pricing:read', hasAmounts: true, problems: heavyReadProblems },
      bodyLimit: maxBytes,
      validatorCompiler: compileDocumentValidator,
      schema: {
        tags: ['Pricing'],
        summary: 'Review the monthly cost of a Terraform plan',
        description:
          'Prices each resource before and after the plan, and suggests cheaper machines for the result. The plan is not ' +
          `stored. It can have at most 4 MiB and ${maxReviewedResources} resources; the command cheapside review accepts larger plans.`,
        body: ReviewBody,
        response: { 200: Review },
      },
      handler: async (request, reply) => {
        await reads.admit(request, reply)
        const { plan, name = 'plan', efforts, suggestions, regions = {}, prices = {} } = request.body
        const today = new Date(deps.now()).toISOString().slice(0, 10)
        const { organisation } = request.caller
        const review = await reviewPlans(deps, organisation, [{ name, document: plan }], {
          ownDisks: (await ownDisks(deps, organisation)).map(offerOfRow),
          ...(efforts === undefined ? {} : { efforts }),
          ...(suggestions === undefined ? {} : { suggestions }),
          prices,
          defaults: { regions, environment: {} },
          maxResources: maxReviewedResources,
          today,
        })
        return reply.send(review)
      },
    })
    server.get('/v1/reviews/saved', {
      config: { scope: 'pricing:read', hasAmounts: true },
      schema: {
        tags: ['Pricing'],
        summary: 'List the saved reviews of your organisation, the latest first',
        description: `${savedReviewLimits}. They contain totals and prices, never a plan.`,
        querystring: Type.Object({}),
        response: { 200: Type.Array(SavedReview) },
      },
      handler: (request) => listSavedReviews(deps.store, request.caller.organisation, deps.now()),
    })
    server.get('/v1/reviews/saved/:id', {
      config: { scope: 'pricing:read', hasAmounts: true, problems: ['not-found'] },
      schema: {
        tags: ['Pricing'],
        summary: 'Show a saved review with its resources',
        params: Type.Object({ id: Type.String({ maxLength: 64 }) }),
        querystring: Type.Object({}),
        response: { 200: SavedReviewDetail },
      },
      handler: (request) =>
        readSavedReview(deps.store, request.caller.organisation, request.params.id, deps.now()),
    })
    server.post('/v1/reviews/saved', {
      bodyLimit: maxBytes,
      validatorCompiler: compileValidator,
      config: { scope: 'gateway:write' },
      schema: {
        tags: ['Pricing'],
        summary: 'Save a review',
        description: `So that others see what a change was expected to cost: the totals, and with \`review\` (an answer of POST /v1/reviews) its resources. ${savedReviewLimits}.`,
        body: SavedReviewBody,
        response: { 201: SavedReview },
      },
      handler: async (request, reply) => {
        const { organisation, name } = request.caller
        const saved = await saveReview(deps.store, organisation, request.body, name, deps.now())
        return reply.code(201).send(saved)
      },
    })
    server.delete('/v1/reviews/saved/:id', {
      config: { scope: 'gateway:write', problems: ['not-found'] },
      schema: {
        tags: ['Pricing'],
        summary: 'Remove a saved review',
        params: Type.Object({ id: Type.String({ maxLength: 64 }) }),
        response: { 204: Type.Null() },
      },
      handler: async (request, reply) => {
        const { organisation } = request.caller
        await removeSavedReview(deps.store, organisation, request.params.id, deps.now())
        return reply.code(204).send(null)
      },
    })
  }
}

const unpriced = reservedNames.filter((kind) => kind !== 'compute' && kind !== 'disks')

const addresses: readonly (readonly [path: string, methods: readonly string[]])[] = [
  ['/pricing/KIND', ['POST']],
  ['/v1/pricing/KIND', ['POST']],
  ['/recommendations/KIND', ['POST']],
  ['/v1/recommendations/KIND', ['POST']],
  ['/marketplace/providers/KIND', ['GET', 'POST', 'DELETE']],
  ['/v1/marketplace/KIND', ['GET', 'POST']],
  ['/v1/marketplace/KIND/:id', ['GET', 'PATCH', 'DELETE']],
  ['/v1/marketplace/filters/KIND', ['GET']],
]

/** Answers requests of clients for kinds of prices that this service does not have. */
export function unpricedKindRoutes(): Routes {
  return (server) => {
    for (const kind of unpriced)
      for (const [path, methods] of addresses)
        server.route({
          method: [...methods],
          url: path.replace('KIND', kind),
          config: { scope: 'any' },
          onRequest: () => {
            throw new Problem(
              'not-found',
              `No prices are available for ${kind}, only for compute instances and disks.`,
            )
          },
          handler: () => {},
        })
  }
}
