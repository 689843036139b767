import type { CostRowView } from '../../../allocation/view-cost-row.ts'
import type { CostsRequest } from '../../../operations/report-costs/query.ts'
import type { CostsDeps } from '../../../operations/report-costs/report-costs.ts'
import type { Call, Command, CommandOption } from '../../command.ts'
import { exitCode, textOption, UsageError } from '../../command.ts'
import { organisationOf, organisationOption, refuseOrganisation } from '../../organisation.ts'
import { serverOf } from '../../server.ts'
import { periodOptions, periodPointers } from './period-options.ts'

type WithCosts = <Result>(call: Call, use: (deps: CostsDeps) => Promise<Result>) => Promise<Result>

const options: Readonly<Record<string, CommandOption>> = {
  by: textOption(
    'GROUP',
    'cluster, namespace, workload, node, or label:NAME such as label:app; default: namespace',
  ),
  step: textOption('STEP', 'hour, day or week, in UTC; default: day'),
  organisation: organisationOption,
  cluster: textOption('NAME', 'Only this cluster'),
  namespace: textOption('NAME', 'Only this namespace'),
  ...periodOptions(30),
  csv: { type: 'boolean', text: 'Print a table of comma-separated values' },
}

/** Shows the same rows as the API, from a service or directly from the database. */
export function costsCommand(withCosts: WithCosts): Command {
  return {
    name: 'costs',
    summary: 'Show the cost of containers over time, by cluster, namespace, workload, node or label',
    settings: ['server', 'data', 'catalogue'],
    options,
    optionsByPointer: { ...periodPointers, '?group_by': '--by' },
    run: async (call) => {
      if (call.json && call.flag('csv')) throw new UsageError('--json and --csv cannot be combined')
      const request = requestOf(call)
      const rows = await readRows(call, withCosts, request)
      if (call.json) call.out(JSON.stringify(rows))
      else if (call.flag('csv')) {
        const { costsCsvHead, costsCsvLine } = await import(
          '../../../operations/report-costs/costs-answer.ts'
        )
        const { parseGroupBy } = await import('../../../operations/report-costs/query.ts')
        const groupBy = parseGroupBy(request.group_by ?? 'namespace')!
        const head = costsCsvHead({ groupBy, namespace: request.namespace || undefined })
        call.out([head, ...rows.map(costsCsvLine)].join('').trimEnd())
      } else if (rows.length === 0) call.out(await nothingFound(call, withCosts, request))
      else {
        const { renderCosts } = await import('../../render/costs.ts')
        call.out(renderCosts(rows))
      }
      return exitCode.done
    },
  }
}

const requestOf = (call: Call): CostsRequest => ({
  group_by: call.text('by'),
  step: call.text('step'),
  start_date: call.text('start'),
  end_date: call.text('end'),
  cluster: call.text('cluster'),
  namespace: call.text('namespace'),
})

/** Explains an empty result: which of the given names is unknown, and which names exist. */
async function nothingFound(call: Call, withCosts: WithCosts, request: CostsRequest): Promise<string> {
  const { noContainers, nothingNamed } = await import('../../render/nothing-found.ts')
  const { cluster, namespace, start_date, end_date } = request
  if (!cluster && !namespace) return noContainers
  const all = await readRows(call, withCosts, { start_date, end_date, step: 'week', group_by: 'namespace' })
  if (all.length === 0) return noContainers
  const here = all.filter((row) => !cluster || row.cluster === cluster)
  return here.length === 0
    ? nothingNamed(
        'cluster',
        cluster!,
        all.map((row) => row.cluster!),
      )
    : nothingNamed(
        cluster ? `namespace of the cluster ${cluster}` : 'namespace',
        namespace!,
        here.map((row) => row.namespace!),
      )
}

async function readRows(call: Call, withCosts: WithCosts, request: CostsRequest): Promise<CostRowView[]> {
  const server = serverOf(call)
  if (server !== undefined) {
    refuseOrganisation(call)
    return server.pages<CostRowView>('/v1/costs', { ...request })
  }
  return withCosts(call, async (deps) => {
    const { parseCostsRequest } = await import('../../../operations/report-costs/query.ts')
    const { reportCosts } = await import('../../../operations/report-costs/report-costs.ts')
    const { viewCosts } = await import('../../../operations/report-costs/costs-answer.ts')
    const organisation = organisationOf(call)
    const query = parseCostsRequest(request, deps.now(), deps.labels)
    return Array.fromAsync(viewCosts(reportCosts(deps, organisation, query), query))
  })
}
