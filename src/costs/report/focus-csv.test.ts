import { expect, test } from 'vitest'
import { csvRecords } from '../../pricing/own-prices/csv-records.ts'
import { focusCsv } from './focus-csv.ts'
import type { CostRowView } from './schema.ts'

const row = (more: Partial<CostRowView>): CostRowView => ({
  ...{
    cluster: 'prod',
    namespace: 'shop',
    start: '2026-10-31T00:00:00.000Z',
    end: '2026-11-01T00:00:00.000Z',
  },
  ...{
    cost_usd: 1 / 3,
    cost_type: 'usage',
    cpu_cost_usd: 1 / 3,
    memory_cost_usd: 0,
    gpu_cost_usd: 0,
    other_cost_usd: 0,
  },
  ...{ estimated_cost_usd: 0, requested_core_hours: 1, used_core_hours: 0.5 },
  ...{ requested_gib_hours: 0, used_gib_hours: 0, requested_gpu_hours: 0 },
  unpriced_hours: 0,
  network_at_most_usd: 0,
  ...more,
})

function read(...rows: CostRowView[]) {
  const [head, ...lines] = csvRecords([...focusCsv(rows, 'acme')].join('')).map(({ cells }) => cells)
  return lines.map((cells) => Object.fromEntries(head!.map((name, index) => [name, cells[index]])))
}

test('rows have the columns of FOCUS 1.3, in whole cents that add up', () => {
  const labelled = row({ label: 'team', value: 'a, "b"' })
  const rows = read(
    row({ workload: 'Deployment/web' }),
    labelled,
    row({ cost_type: 'idle', namespace: null }),
  )
  expect(rows.map(({ BilledCost }) => BilledCost)).toEqual(['0.34', '0.33', '0.33'])
  expect(rows[0]).toMatchObject({
    BillingAccountId: 'acme',
    BillingCurrency: 'USD',
    BillingPeriodStart: '2026-10-01T00:00:00Z',
    BillingPeriodEnd: '2026-11-01T00:00:00Z',
    ChargePeriodStart: '2026-10-31T00:00:00Z',
    ChargePeriodEnd: '2026-11-01T00:00:00Z',
    ChargeCategory: 'Usage',
    ChargeClass: '',
    EffectiveCost: '0.34',
    SubAccountId: 'prod',
    AllocatedResourceId: 'prod/shop/Deployment/web',
    ConsumedQuantity: '0.5',
    x_CostType: 'usage',
  })
  expect(JSON.parse(rows[1]!.Tags!)).toEqual({ cluster: 'prod', namespace: 'shop', team: 'a, "b"' })
  expect(rows[2]).toMatchObject({ AllocatedResourceId: 'idle', ChargeDescription: 'Idle cost of nodes' })
})

test('volumes, load balancers and machines have categories of their own', () => {
  const categories = read(
    row({ workload: 'PersistentVolumeClaim/data' }),
    row({ kind: 'Service' }),
    row({ cluster: null, namespace: null }),
    row({ workload: 'Deployment/web' }),
  ).map(({ ServiceCategory, ChargeDescription }) => [ServiceCategory, ChargeDescription])
  expect(categories).toEqual([
    ['Storage', 'Volumes: prod/shop/PersistentVolumeClaim/data'],
    ['Networking', 'Load balancers: prod/shop/Service'],
    ['Compute', 'Processes: machines'],
    ['Compute', 'Containers: prod/shop/Deployment/web'],
  ])
})
