import Type from 'typebox'
import { boolean } from '../../../domain/schema.ts'
import type { Clock } from '../../../domain/time.ts'
import type { Replace } from '../../../pricing/commitments/replaced-kinds.ts'
import { reportCoverage } from '../../../pricing/commitments/report-coverage.ts'
import {
  CommitmentsAnswer,
  CommitmentsBody,
  CommitmentsView,
  CoverageView,
} from '../../../pricing/commitments/schema.ts'
import {
  checkCommitments,
  readCommitments,
  showCommitments,
  writeCommitments,
} from '../../../pricing/commitments/store-commitments.ts'
import type { PricingDeps } from '../../../pricing/market.ts'
import type { Store } from '../../../store/port.ts'
import { type HeavyReads, heavyReadProblems } from '../../heavy-reads.ts'
import { preconditionOf } from '../../requests/negotiation.ts'
import { compileValidator } from '../../requests/validation.ts'
import type { Routes } from '../../server.ts'

interface CommitmentDeps extends PricingDeps {
  readonly now: Clock
  readonly store: Pick<Store, 'settings' | 'usage'>
  /** What is recommended to run instead of machines and nodes. */
  readonly replacements: (organisation: string, signal: AbortSignal) => Promise<Replace>
}

export function commitmentRoutes(deps: CommitmentDeps, reads: HeavyReads): Routes {
  // The store is read each time, because it is not open from the start.
  return (server) => {
    server.get('/v1/commitments', {
      config: { scope: 'pricing:read' },
      schema: { tags: ['Pricing'], summary: 'Show your commitments', response: { 200: CommitmentsView } },
      handler: async (request, reply) => {
        const view = await showCommitments(deps.store.settings, request.caller.organisation)
        return reply.header('etag', view.etag).send(view)
      },
    })
    server.get('/v1/commitments/coverage', {
      config: { scope: 'pricing:read', hasAmounts: true, problems: heavyReadProblems },
      schema: {
        tags: ['Pricing'],
        summary: 'Show what your commitments cover now',
        description:
          'Coverage and utilisation in this hour, as the providers apply commitments, and what giving up a covered machine saves now and after they end. The note warns if the recommendations for machines and nodes, followed together, would leave part of them unused.',
        response: { 200: CoverageView },
      },
      handler: async (request, reply) => {
        const { organisation } = request.caller
        const signal = await reads.admit(request, reply)
        const commitments = await readCommitments(deps.store.settings, organisation)
        const replace = commitments.length === 0 ? undefined : await deps.replacements(organisation, signal)
        const pricing = { ...deps, pricing: deps }
        return reply.send(await reportCoverage(pricing, organisation, commitments, signal, replace))
      },
    })
    server.put('/v1/commitments', {
      // Also where the command line runs this route in its own process.
      validatorCompiler: compileValidator,
      config: {
        scope: 'marketplace:write',
        ifMatch: 'The ETag of the commitments that are replaced',
        problems: heavyReadProblems,
      },
      schema: {
        tags: ['Pricing'],
        summary: 'Replace your commitments',
        description:
          'Reserved instances, savings plans and committed use. All are replaced, or none if one is wrong. An empty list removes them.',
        querystring: Type.Object({
          dry_run: boolean(
            'Change nothing, and report in `coverage` what these commitments would cover now; its note warns if recommendations for machines and nodes would leave part of them unused',
            { default: false },
          ),
        }),
        body: CommitmentsBody,
        response: { 200: CommitmentsAnswer },
      },
      handler: async (request, reply) => {
        const { organisation } = request.caller
        const { commitments } = request.body
        if (request.query.dry_run) {
          const parsed = checkCommitments(commitments)
          const signal = await reads.admit(request, reply)
          const replace = await deps.replacements(organisation, signal)
          const pricing = { ...deps, pricing: deps }
          const coverage = await reportCoverage(pricing, organisation, parsed, signal, replace)
          const { etag } = await showCommitments(deps.store.settings, organisation)
          return reply.send({ commitments, etag, coverage })
        }
        const isExpected = preconditionOf(request.headers['if-match'])
        const view = await writeCommitments(deps.store.settings, organisation, commitments, isExpected)
        return reply.header('etag', view.etag).send(view)
      },
    })
  }
}
