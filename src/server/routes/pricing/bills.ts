import { Readable } from 'node:stream'
import { learnPrices } from '../../../pricing/bill/learn-prices.ts'
import { readBillInThread } from '../../../pricing/bill/read-in-thread.ts'
import { LearnedPrices } from '../../../pricing/bill/schema.ts'
import type { PricingDeps } from '../../../pricing/market.ts'
import { readPriceRules } from '../../../pricing/rules/store-rules.ts'
import type { Store } from '../../../store/port.ts'
import { type HeavyReads, heavyReadProblems } from '../../heavy-reads.ts'
import type { Routes } from '../../server.ts'
import type { SpooledBodies } from '../../spooled-bodies.ts'

interface BillDeps extends PricingDeps {
  readonly store: Pick<Store, 'settings'>
  readonly spool: SpooledBodies
}

export const maxBillBytes = 512 * 2 ** 20

/** Price rules and commitments from a bill that is uploaded. */
export const billRoutes =
  (deps: BillDeps, reads: HeavyReads): Routes =>
  (server) => {
    // A scope of its own, so that no other route accepts bodies as a stream.
    server.register((own, _options, done) => {
      own.removeAllContentTypeParsers()
      own.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload))
      own.post('/v1/bills', {
        bodyLimit: maxBillBytes,
        config: {
          scope: 'pricing:read',
          spoolsBody: true,
          problems: ['body-too-large', ...heavyReadProblems],
        },
        schema: {
          tags: ['Pricing'],
          summary: 'Propose price rules and commitments from a bill',
          description:
            'The body is one file: FOCUS 1.0 to 1.4 or AWS CUR 2.0, as CSV, CSV with gzip, or Parquet, at most 512 MiB. It is in a temporary file while it is read, and not kept. Nothing is set: add `rules` to those of PUT /v1/price_rules and `commitments` to those of PUT /v1/commitments, first with dry_run.',
          response: { 200: LearnedPrices },
        },
        handler: async (request, reply) => {
          const signal = await reads.admit(request, reply)
          // There is no body without a length.
          const body = (request.body as Readable | undefined) ?? Readable.from([])
          const exchange = deps.exchange?.() ?? null
          const sums = await deps.spool.withFile(request.caller.organisation, body, (file) =>
            readBillInThread({ file, exchange }, signal),
          )
          const rules = await readPriceRules(deps.store.settings, request.caller.organisation)
          return reply.send(learnPrices(deps, rules, sums))
        },
      })
      done()
    })
  }
