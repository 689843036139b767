import { Problem } from '../../../domain/problem.ts'
import { dayMs, dayOf, parseTime } from '../../../domain/time.ts'
import { type ClosedPriceDeps, recountPrices } from '../../../pricing/closed-prices.ts'
import { CostRecountBody, CostRecountView } from '../../../pricing/schema.ts'
import type { Routes } from '../../server.ts'

/** Counts days that are over again at current prices. */
export function costRecountRoutes(deps: ClosedPriceDeps): Routes {
  return (server) => {
    server.post('/v1/cost_recounts', {
      config: { scope: 'marketplace:write' },
      schema: {
        tags: ['Pricing'],
        summary: 'Count past days again at current prices',
        description:
          'A day that is over keeps the prices of its nodes, machines, volumes and load balancers, whatever prices, rules or catalogues come later. This replaces them by the current ones, for good.',
        body: CostRecountBody,
        response: { 200: CostRecountView },
      },
      handler: async (request) => {
        const { start_date, end_date = start_date } = request.body
        const [start, end] = [dayAt(start_date, '/start_date'), dayAt(end_date, '/end_date')]
        if (end < start)
          throw new Problem('invalid', 'The days are invalid.', {
            errors: [{ pointer: '/end_date', message: 'must not be before start_date' }],
          })
        const { organisation } = request.caller
        const { from, to, nodes } = await recountPrices(deps, organisation, { from: start, to: end + 1 })
        return { start_date, end_date: dayOf((Math.max(to, from + 1) - 1) * dayMs), days: to - from, nodes }
      },
    })
  }
}

function dayAt(text: string, pointer: string): number {
  const ms = parseTime(`${text}T00:00:00Z`)
  if (ms === undefined)
    throw new Problem('invalid', 'The days are invalid.', {
      errors: [{ pointer, message: 'must be a date such as 2026-11-01' }],
    })
  return ms / dayMs
}
