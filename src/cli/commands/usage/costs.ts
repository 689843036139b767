import { type Measured, readMeasured } from '../../../costs/report/measured.ts'
import type { CostsRequest } from '../../../costs/report/query.ts'
import type { CostChangeView, CostForecastView, CostKeys, CostRowView } from '../../../costs/report/schema.ts'
import {
  convertAmounts,
  nameAsUsd,
  nameColumns,
  readExchange,
  type ShownCurrency,
  withSymbol,
} from '../../../domain/currency.ts'
import type { CommittedCosts } from '../../../pricing/commitments/committed-costs.ts'
import {
  type Call,
  type Command,
  type CommandOption,
  type ExitCode,
  exitCode,
  flagOption,
  textOption,
  UsageError,
} from '../../command.ts'
import { organisationOption } from '../../organisation.ts'
import { printable } from '../../render/figures.ts'
import type { ServiceClient } from '../../server.ts'
import { withService } from '../../with-service.ts'
import { periodOptions, periodPointers } from './constraint-options.ts'

const options: Readonly<Record<string, CommandOption>> = {
  by: textOption(
    'GROUP',
    'Up to three of cluster, namespace, kind, workload, pod, container, node, node_type, storage_class, or label:NAME such as label:app or annotation:NAME, with commas; default: namespace',
  ),
  step: textOption('STEP', 'hour, day, week or month, in UTC; default: day'),
  organisation: organisationOption,
  cluster: textOption('NAME', 'Only this cluster'),
  namespace: textOption('NAME', 'Only this namespace'),
  ...periodOptions(30),
  sharing: textOption(
    'HOW',
    'How idle and shared costs are divided: saved (default; sharing show), apart, by_cost, evenly',
    ['saved', 'apart', 'by_cost', 'evenly'],
  ),
  without: textOption(
    'PARTS',
    'Leave out containers, machines, volumes, load_balancers or network, with commas; default: saved',
  ),
  why: flagOption('Explain why costs changed, by cluster, namespace or workload, against the period before'),
  'before-start': textOption('TIME', 'With --why: start of the period to compare with'),
  'before-end': textOption('TIME', 'With --why: its end; default: the same length, just before'),
  forecast: flagOption('Forecast the cost of the current month, instead of costs'),
  focus: flagOption('Print CSV with the columns of FOCUS 1.3'),
  keys: flagOption('List labels and their values to group by, instead of costs'),
  csv: flagOption('Print a table of comma-separated values'),
}

export const costsCommand: Command = {
  name: 'costs',
  summary: 'Show the cost of containers over time, by cluster, namespace, workload, node or label',
  settings: ['server', 'data', 'catalogue', 'currency'],
  options,
  optionsByPointer: {
    ...periodPointers,
    '?group_by': '--by',
    '?sharing': '--sharing',
    '?without': '--without',
    '?before_start_date': '--before-start',
    '?before_end_date': '--before-end',
  },
  run: (call) => {
    if (call.json && call.flag('csv')) throw new UsageError('--json and --csv cannot be combined')
    const modes = { keys: showKeys, why: showChange, forecast: showForecast, focus: showFocus } as const
    const asked = Object.keys(modes).filter((name) => call.flag(name)) as (keyof typeof modes)[]
    if (asked.length > 1) throw new UsageError(`--${asked[0]} and --${asked[1]} cannot be combined`)
    const [mode] = asked
    return withService(call, (service) => (mode === undefined ? show : modes[mode])(call, service))
  },
}

async function show(call: Call, service: ServiceClient): Promise<ExitCode> {
  const request = requestOf(call)
  let measured: Measured | undefined
  let currency: ShownCurrency | undefined
  const answered = await readRows(service, request, (headers) => {
    measured = readMeasured(headers)
    currency = readExchange(headers)
  })
  const rows = currency === undefined ? answered : answered.map((row) => nameAsUsd(row, currency!))
  if (call.json) call.out(JSON.stringify(answered))
  else if (call.flag('csv')) {
    const { costsCsv } = await import('../../../costs/report/costs-csv.ts')
    const { parseGroupBy } = await import('../../../costs/allocation/grouping.ts')
    const keys = parseGroupBy(request.group_by ?? 'namespace')!
    const isShared = rows[0]?.shared_cost_usd !== undefined
    const grouping = { keys, namespace: request.namespace || undefined, isShared }
    const [head = '', ...lines] = costsCsv(rows, grouping)
    call.out([currency === undefined ? head : nameColumns(head, currency), ...lines].join('').trimEnd())
  } else if (rows.length === 0) call.out(await nothingFound(service, request))
  else {
    const { renderCosts } = await import('../../render/costs.ts')
    const committed = await committedText(service, request, currency)
    const text = [renderCosts(rows, measured), ...committed].join('\n')
    call.out(currency === undefined ? text : withSymbol(text, currency))
  }
  return exitCode.done
}

/** What commitments change of the sum, if it is of everything. */
async function committedText(
  service: ServiceClient,
  request: CostsRequest,
  currency: ShownCurrency | undefined,
): Promise<string[]> {
  const { cluster, namespace, start_date, end_date } = request
  if (cluster || namespace) return []
  const query = { start_date, end_date }
  const costs = await service.ask<CommittedCosts>('/v1/cost_commitments', { query })
  const { committedSentence } = await import('../../../pricing/commitments/committed-costs.ts')
  return committedSentence(currency === undefined ? costs : convertAmounts(costs, currency))
}

async function showForecast(call: Call, service: ServiceClient): Promise<ExitCode> {
  const { cluster, namespace, without } = requestOf(call)
  const query = { cluster, namespace, without }
  const forecast = await service.ask<CostForecastView>('/v1/cost_forecast', { query })
  return call.show(forecast, () => forecast.text)
}

async function showFocus(call: Call, service: ServiceClient): Promise<ExitCode> {
  const query = { ...requestOf(call), format: 'focus' }
  call.out((await service.text('/v1/costs', { query, accept: 'text/csv' })).trimEnd())
  return exitCode.done
}

async function showChange(call: Call, service: ServiceClient): Promise<ExitCode> {
  const { step: _, currency: __, ...asked } = requestOf(call)
  const before = { before_start_date: call.text('before-start'), before_end_date: call.text('before-end') }
  const query = { ...asked, ...before }
  const change = await service.ask<CostChangeView>('/v1/cost_changes', { query })
  if (call.json) call.out(JSON.stringify(change))
  else {
    const { renderChange } = await import('../../render/costs.ts')
    call.out(renderChange(change))
  }
  return exitCode.done
}

async function showKeys(call: Call, service: ServiceClient): Promise<ExitCode> {
  const { kinds, labels } = await service.ask<CostKeys>('/v1/cost_keys')
  const lines = labels.map(({ name, values, left_out }) => {
    const shown = values.slice(0, maxValues).map(({ value }) => printable(value))
    const more = values.length - shown.length + left_out
    const rest = more > 0 ? `, and ${more} more` : ''
    return `label:${name}: ${shown.length === 0 ? 'no value received' : `${shown.join(', ')}${rest}`}`
  })
  return call.show({ kinds, labels }, () => [kinds.join(', '), ...lines].join('\n'))
}

const maxValues = 20

const requestOf = (call: Call): CostsRequest => ({
  group_by: call.text('by'),
  step: call.text('step'),
  sharing: call.text('sharing'),
  without: call.text('without'),
  currency: call.settings.currency,
  start_date: call.text('start'),
  end_date: call.text('end'),
  cluster: call.text('cluster'),
  namespace: call.text('namespace'),
})

async function nothingFound(service: ServiceClient, request: CostsRequest): Promise<string> {
  const { noContainers, nothingNamed } = await import('../../render/figures.ts')
  const { cluster, namespace, start_date, end_date } = request
  if (!cluster && !namespace) return noContainers
  const all = await readRows(service, { start_date, end_date, step: 'week', group_by: 'namespace' })
  if (all.length === 0) return noContainers
  const here = all.filter((row) => !cluster || row.cluster === cluster)
  return here.length === 0
    ? nothingNamed(
        'cluster',
        cluster!,
        all.flatMap((row) => row.cluster ?? []),
      )
    : nothingNamed(
        cluster ? `namespace of the cluster ${cluster}` : 'namespace',
        namespace!,
        here.flatMap((row) => row.namespace ?? []),
      )
}

const readRows = (
  service: ServiceClient,
  request: CostsRequest,
  onHeaders?: (headers: Headers) => void,
): Promise<CostRowView[]> => service.pages('/v1/costs', { ...request }, onHeaders)
