import { csvCell } from '../../domain/text.ts'
import { machineKind } from '../allocation/grouping.ts'
import { roundToTotal } from '../allocation/round-to-total.ts'
import type { CostRowView } from './schema.ts'

type Cell = string | number | null
type Column = readonly [name: string, read: (row: CostRowView, of: FocusContext) => Cell]

interface FocusContext {
  readonly organisation: string
  readonly usd: string
  readonly currency: string
}

const nothing = () => null
/** FOCUS has times without fractions of a second: 2026-11-01T00:00:00Z */
const timeOf = (time: string | number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
const monthOf = (row: CostRowView, later: number): string => {
  const date = new Date(row.start)
  return timeOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later))
}
const cost = (_: CostRowView, { usd }: FocusContext): string => usd
const isIdle = ({ cost_type }: CostRowView): boolean => cost_type === 'idle'
const isOfMachine = ({ cluster, kind, workload }: CostRowView): boolean =>
  cluster === null || kind === machineKind || workload?.startsWith(`${machineKind}/`) === true

/** What the row is about, from the outside to the inside: cluster/namespace/Kind/workload. */
const namesOf = (row: CostRowView): string[] =>
  [
    row.cluster,
    row.namespace,
    row.workload ?? row.kind,
    row.pod,
    row.container,
    row.node,
    row.node_type,
    row.storage_class,
    row.value,
  ].filter((name) => typeof name === 'string')

const nameOf = (row: CostRowView): string =>
  (isIdle(row) ? 'idle' : namesOf(row).join('/')) || (isOfMachine(row) ? 'machines' : 'unknown')

interface Service {
  readonly category: string
  readonly subcategory: string
  readonly name: string
  readonly charged: string
}

/** As FOCUS names them. Rows that do not show kinds of workloads may have volumes among containers. */
function serviceOf(row: CostRowView): Service {
  const kind = row.kind ?? row.workload?.split('/', 1)[0]
  if (isOfMachine(row))
    return {
      category: 'Compute',
      subcategory: 'Virtual Machines',
      name: 'Machines',
      charged: 'Processes',
    }
  const name = 'Kubernetes'
  if (kind?.startsWith('PersistentVolume') || row.storage_class)
    return { category: 'Storage', subcategory: 'Other (Storage)', name, charged: 'Volumes' }
  if (kind === 'Service')
    return { category: 'Networking', subcategory: 'Application Networking', name, charged: 'Load balancers' }
  return { category: 'Compute', subcategory: 'Containers', name, charged: 'Containers' }
}

function tagsOf(row: CostRowView): string {
  const { cluster, namespace, kind, workload, pod, container, node, node_type, storage_class, label, value } =
    row
  const tags = { cluster, namespace, kind, workload, pod, container, node, node_type, storage_class }
  const labels = label === undefined || value == null ? {} : { [label]: value }
  return JSON.stringify(
    Object.fromEntries(Object.entries({ ...tags, ...labels }).filter(([, text]) => text != null)),
  )
}

function describe(row: CostRowView): string {
  if (isIdle(row)) return isOfMachine(row) ? 'Idle cost of machines' : 'Idle cost of nodes'
  return `${serviceOf(row).charged}: ${nameOf(row)}`
}

/** The method by which costs of nodes are divided, as FOCUS 1.3 publishes it. */
const method = 'cheapside-request-or-usage'
const methodDetails = JSON.stringify({
  Method: 'The greater of request and usage, at the price of the node; what nothing accounts for is idle',
  Unit: 'Core hours, GiB hours and GPU hours',
})

/** The columns of FOCUS 1.3 that a cost row has, mandatory ones first; own columns begin with x_. */
const columns: readonly Column[] = [
  ['BillingAccountId', (_, { organisation }) => organisation],
  ['BillingAccountName', (_, { organisation }) => organisation],
  ['BillingCurrency', (_, { currency }) => currency],
  ['BillingPeriodStart', (row) => monthOf(row, 0)],
  ['BillingPeriodEnd', (row) => monthOf(row, 1)],
  ['ChargePeriodStart', ({ start }) => timeOf(start)],
  ['ChargePeriodEnd', ({ end }) => timeOf(end)],
  ['ChargeCategory', () => 'Usage'],
  ['ChargeClass', nothing],
  ['ChargeDescription', describe],
  ['ChargeFrequency', () => 'Usage-Based'],
  ['ServiceCategory', (row) => serviceOf(row).category],
  ['ServiceSubcategory', (row) => serviceOf(row).subcategory],
  ['ServiceName', (row) => serviceOf(row).name],
  ['ServiceProviderName', () => 'Cheapside'],
  ['HostProviderName', nothing],
  ['ProviderName', () => 'Cheapside'],
  ['PublisherName', () => 'Cheapside'],
  ['InvoiceIssuerName', () => 'Cheapside'],
  ['SubAccountId', ({ cluster }) => cluster ?? null],
  ['SubAccountName', ({ cluster }) => cluster ?? null],
  ['SubAccountType', ({ cluster }) => (cluster == null ? null : 'Kubernetes cluster')],
  ['ResourceId', ({ node }) => node ?? null],
  ['ResourceName', ({ node }) => node ?? null],
  [
    'ResourceType',
    (row) => (row.node == null ? null : isOfMachine(row) ? 'Virtual Machine' : 'Kubernetes node'),
  ],
  ['RegionId', nothing],
  ['RegionName', nothing],
  ['SkuId', nothing],
  ['SkuPriceId', nothing],
  ['ListUnitPrice', nothing],
  ['ContractedUnitPrice', nothing],
  ['PricingCategory', () => 'Standard'],
  ['PricingQuantity', nothing],
  ['PricingUnit', nothing],
  ['ListCost', cost],
  ['ContractedCost', cost],
  ['BilledCost', cost],
  ['EffectiveCost', cost],
  ['ConsumedQuantity', ({ used_core_hours }) => used_core_hours],
  ['ConsumedUnit', () => 'Core-Hours'],
  ['Tags', tagsOf],
  ['AllocatedMethodId', () => method],
  ['AllocatedMethodDetails', () => methodDetails],
  ['AllocatedResourceId', nameOf],
  ['AllocatedResourceName', nameOf],
  ['AllocatedTags', tagsOf],
  ['x_CostType', ({ cost_type }) => cost_type],
  ['x_EstimatedCost', ({ estimated_cost_usd }) => estimated_cost_usd],
]

/** Writes rows of FOCUS 1.3 as CSV. Costs are whole cents that add up to the total. Rows are read twice. */
export function* focusCsv(
  rows: Iterable<CostRowView>,
  organisation: string,
  currency = 'USD',
): Generator<string> {
  yield `${columns.map(([name]) => name).join(',')}\r\n`
  const exact: number[] = []
  for (const { cost_usd } of rows) exact.push(cost_usd)
  const cents = roundToTotal(exact)
  let index = 0
  for (const row of rows) {
    const context = { organisation, currency, usd: cents[index++]!.toFixed(2) }
    yield `${columns.map(([, read]) => csvCell(read(row, context))).join(',')}\r\n`
  }
}
