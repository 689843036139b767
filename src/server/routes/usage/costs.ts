import Type from 'typebox'
import { listCostKeys } from '../../../costs/report/cost-keys.ts'
import { type CostFormat, type CostsAnswerDeps, costsAnswer } from '../../../costs/report/costs-answer.ts'
import { explainChange, parseChangeRequest } from '../../../costs/report/explain-change.ts'
import { forecastMonth } from '../../../costs/report/forecast-month.ts'
import { measuredHeader, writeMeasured } from '../../../costs/report/measured.ts'
import {
  type CostsSelection,
  defaultCostDays,
  groupKinds,
  nextCostsPage,
  parseCostsRequest,
  stepNames,
} from '../../../costs/report/query.ts'
import {
  parseUsageRequest,
  reportUsage,
  type UsageKind,
  usageKinds,
} from '../../../costs/report/report-usage.ts'
import {
  CommittedCostsQuery,
  CostChangeQuery,
  CostChangeView,
  CostForecastQuery,
  CostForecastView,
  CostKeys,
  CostRowView,
  CostsQuery,
  UsageQuery,
  UsageReport,
} from '../../../costs/report/schema.ts'
import { exchangeHeader, parseCurrency, writeExchange } from '../../../domain/currency.ts'
import { Problem } from '../../../domain/problem.ts'
import { hourMs } from '../../../domain/time.ts'
import { CommittedCosts, committedCosts } from '../../../pricing/commitments/committed-costs.ts'
import type { PricingDeps } from '../../../pricing/market.ts'
import { decisionHistory } from '../../../recommendations/containers/decision-history.ts'
import type { SizesDeps } from '../../../recommendations/containers/size-namespaces.ts'
import { type HeavyReads, heavyReadProblems } from '../../heavy-reads.ts'
import {
  jsonMediaType,
  linkTo,
  listContentType,
  listFormat,
  ndjsonMediaType,
} from '../../requests/negotiation.ts'
import type { Routes } from '../../server.ts'

const csvMediaType = 'text/csv'

type CostRouteDeps = CostsAnswerDeps &
  SizesDeps & {
    readonly pricing: PricingDeps
  }

const tags = ['Gateway']

export function costRoutes(deps: CostRouteDeps, reads: HeavyReads): Routes {
  return (server) => {
    reportRoutes(deps, reads)(server)
    comparisonRoutes(deps, reads)(server)
    usageRoutes(deps, reads)(server)
  }
}

function reportRoutes(deps: CostRouteDeps, reads: HeavyReads): Routes {
  return (server) => {
    server.get('/v1/costs', {
      config: {
        scope: 'gateway:read',
        produces: [jsonMediaType, ndjsonMediaType, csvMediaType],
        problems: heavyReadProblems,
      },
      schema: {
        tags,
        summary: 'Show the cost of containers over time, by cluster, namespace, workload, node or label',
        description:
          'Sorted by group, in byte order, then by time; steps without usage are left out. Idle cost is in rows of its own, after all others. The header Cheapside-Measured says how many hours of the period were measured. The sum over a namespace is CurrentSpend of its recommendations for the same period. Commitments are not divided among them: GET /v1/cost_commitments says what they change of the sum. With limit, the next page is in the Link header, rel="next". Accept: application/x-ndjson returns one object per line, text/csv a table.',
        querystring: CostsQuery(groupKinds, stepNames, defaultCostDays),
        response: { 200: Type.Array(CostRowView) },
      },
      handler: async (request, reply) => {
        const { organisation } = request.caller
        const sharing = await deps.sharingOf?.(organisation)
        const currency = parseCurrency(request.query.currency, deps.pricing.exchange?.())
        const query = { ...parseCostsRequest(request.query, deps.now(), deps.labels, sharing), currency }
        const signal = await reads.admit(request, reply)
        const format = formatOf(request.headers.accept, request.query.format, query)
        const { pieces, next, measuredHours } = await costsAnswer(deps, organisation, query, format, signal)
        const ofHours = Math.max(0, Math.min(query.endMs, deps.now()) - query.startMs) / hourMs
        reply.header(measuredHeader, writeMeasured({ hours: Math.min(measuredHours, ofHours), ofHours }))
        if (currency !== undefined) reply.header(exchangeHeader, writeExchange(currency))
        if (next !== undefined) reply.header('link', linkTo(request.url, nextCostsPage(query, next)))
        reply.header(
          'content-type',
          isTable(format) ? `${csvMediaType}; charset=utf-8` : listContentType[format],
        )
        if (isTable(format))
          reply.header('content-disposition', `attachment; filename="${fileNameOf(query, format)}"`)
        return reads.send(request, reply, pieces)
      },
    })
  }
}

function comparisonRoutes(deps: CostRouteDeps, reads: HeavyReads): Routes {
  return (server) => {
    server.get('/v1/cost_commitments', {
      config: { scope: 'gateway:read', hasAmounts: true, problems: heavyReadProblems },
      schema: {
        tags,
        summary: 'Show what commitments change of the costs of a period',
        description:
          'Costs are at on-demand prices, because commitments are not divided among namespaces. This is what commitments change of their sum over all clusters and machines.',
        querystring: CommittedCostsQuery,
        response: { 200: CommittedCosts },
      },
      handler: async (request, reply) => {
        const { hours } = parseCostsRequest({ step: 'month', ...request.query }, deps.now(), [])
        const signal = await reads.admit(request, reply)
        return committedCosts(deps, request.caller.organisation, hours, signal)
      },
    })
    server.get('/v1/cost_changes', {
      config: { scope: 'gateway:read', hasAmounts: true, problems: heavyReadProblems },
      schema: {
        tags,
        summary: 'Explain why costs changed between two periods',
        description:
          'The difference is divided into what more or fewer hours cost, what is new or gone, count, size, mix, price and idle cost, in this order, exact to the cent. Without before_start_date, the period is compared with that of the same length just before.',
        querystring: CostChangeQuery,
        response: { 200: CostChangeView },
      },
      handler: async (request, reply) => {
        const saved = await deps.sharingOf?.(request.caller.organisation)
        const query = parseChangeRequest(request.query, deps.now(), saved)
        const signal = await reads.admit(request, reply)
        return explainChange(deps, request.caller.organisation, query, signal)
      },
    })
    server.get('/v1/cost_forecast', {
      config: { scope: 'gateway:read', hasAmounts: true, problems: heavyReadProblems },
      schema: {
        tags,
        summary: 'Forecast the cost of the current month',
        description: 'From up to 56 whole days of history, with their pattern of weekdays, and with a band.',
        querystring: CostForecastQuery,
        response: { 200: CostForecastView },
      },
      handler: async (request, reply) => {
        const signal = await reads.admit(request, reply)
        return forecastMonth(deps, request.caller.organisation, request.query, signal)
      },
    })
  }
}

function usageRoutes(deps: CostRouteDeps, reads: HeavyReads): Routes {
  return (server) => {
    server.get('/v1/cost_keys', {
      config: { scope: 'gateway:read' },
      schema: {
        tags,
        summary: 'List what costs can be grouped by, with the values of labels',
        description: 'Labels are those of CHEAPSIDE_COST_LABELS.',
        response: { 200: CostKeys },
      },
      handler: (request) => listCostKeys(deps, request.caller.organisation),
    })
    server.get('/v1/usage/:kind/:id', {
      config: { scope: 'gateway:read', problems: ['not-found', ...heavyReadProblems] },
      schema: {
        tags,
        summary: 'Show the usage of a container or a process over time',
        description:
          'The id of a container is cluster/namespace/Kind/workload/container, of a process vm/group/process, percent-encoded as one segment of the path. Percentiles are over all replicas, with an error of at most 1%.',
        params: Type.Object({
          kind: Type.Enum([...usageKinds] as [string, ...string[]]),
          id: Type.String({ maxLength: 4096 }),
        }),
        querystring: UsageQuery(stepNames, defaultCostDays),
        response: { 200: UsageReport },
      },
      handler: async (request, reply) => {
        const { kind, id } = request.params
        const query = parseUsageRequest(kind as UsageKind, id, request.query, deps.now())
        const signal = await reads.admit(request, reply)
        const { organisation } = request.caller
        const report = await reportUsage(deps, organisation, query, signal)
        if (query.of.kind !== 'container') return report
        return { ...report, decisions: await decisionHistory(deps, organisation, query.of, query.hours) }
      },
    })
  }
}

const isTable = (format: CostFormat): format is 'csv' | 'focus' => format === 'csv' || format === 'focus'

/** Other CSV than FOCUS is sent only to callers whose Accept header names it. */
function formatOf(accept: string | undefined, format: string | undefined, { steps }: CostsSelection) {
  if (format !== 'focus') return accept?.toLowerCase().includes(csvMediaType) ? 'csv' : listFormat(accept)
  if (steps.name === 'week')
    throw new Problem('invalid', 'The query is invalid.', {
      errors: [
        { pointer: '?step', message: 'must not be week in FOCUS, because a week may be in two months' },
      ],
    })
  return 'focus'
}

/** Such as costs-2026-10-01-to-2026-10-31-by-cluster-namespace.csv, with the last day that is included. */
function fileNameOf({ startMs, endMs, keys }: CostsSelection, format: CostFormat): string {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
  const by = keys.map((key) => key.replace(/[^\w.-]+/g, '-')).join('-')
  const focus = format === 'focus' ? 'focus-' : ''
  return `costs-${focus}${day(startMs)}-to-${day(endMs - 1)}-by-${by}.csv`
}
