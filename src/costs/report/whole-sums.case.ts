import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nodePricesOver } from '../../pricing/closed-prices.ts'
import { volumeCosts } from '../../pricing/disks/volume-costs.ts'
import { loadBalancerCosts } from '../../pricing/load-balancer-costs.ts'
import { csvRecords } from '../../pricing/own-prices/csv-records.ts'
import { storePods } from '../../recommendations/containers/test-namespaces.case.ts'
import {
  type MachinesFixture,
  withMachinesFixture,
} from '../../recommendations/machines/test-machines.case.ts'
import { dailyName, encodeEntity, entityKey, newEntity, setAttribute } from '../../usage/digest/entities.ts'
import { firstHour } from '../../usage/reading/pods.case.ts'
import { groupKinds } from '../allocation/grouping.ts'
import { sharingMethods } from '../allocation/share-costs.ts'
import { viewCostRow } from '../allocation/view-cost-row.ts'
import { NodeLoadCache } from '../clusters/node-load-cache.ts'
import { costPartNames } from '../parts/cost-part.ts'
import { machineCosts } from '../parts/machine-costs.ts'
import { costsCsv } from './costs-csv.ts'
import { focusCsv } from './focus-csv.ts'
import { type CostsRequest, parseCostsRequest } from './query.ts'
import { reportCosts } from './report-costs.ts'
import type { CostRowView } from './schema.ts'

const days = 4
const nowMs = (firstHour + days * 24) * 3_600_000
const queriesOfBill = 50

const clusters = fc.constantFrom('c', 'd')
const namespaces = fc.constantFrom('shop', 'till', 'kube-system', 'constructor')
const size = fc.double({ min: 0, max: 6, noNaN: true })
const from = fc.integer({ min: firstHour, max: firstHour + days * 24 - 20 })
const span = { from, hours: fc.integer({ min: 1, max: 20 }) }
const gib = fc.integer({ min: 1, max: 2000 })

const anyBill = fc.record({
  pods: fc.array(
    fc.record({
      ...{ cluster: clusters, namespace: namespaces, ...span, cores: size, gib: size, cpuRequest: size },
      ...{ pod: fc.constantFrom('p-1', 'p-2', 'p-3'), memoryRequest: size, gpus: fc.nat({ max: 1 }) },
      workload: fc.constantFrom('Deployment/web', 'StatefulSet/db', null),
      node: fc.constantFrom('m5.xlarge', 'p3.2xlarge', 'unheard-of', null),
      seconds: fc.constantFrom(90, 2400, 3600),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  processes: fc.array(
    fc.record({
      vm: fc.constantFrom('db-1', 'db-2'),
      process: fc.constantFrom('a', 'b'),
      ...span,
      cores: size,
    }),
    { maxLength: 3 },
  ),
  daily: fc.array(
    fc.record({
      kind: fc.constantFrom('claim', 'load-balancer'),
      ...{ cluster: clusters, namespace: namespaces, gib, hour: from },
      storageClass: fc.constantFrom('gp2', 'gp3', 'nfs'),
    }),
    { maxLength: 4 },
  ),
})
type Bill = typeof anyBill extends fc.Arbitrary<infer T> ? T : never

const keys = [...groupKinds, 'label:team']
const anyQuery = fc.record({
  group_by: fc.subarray(keys, { minLength: 1, maxLength: 3 }).map((names) => names.join(',')),
  step: fc.constantFrom('hour', 'day', 'week', 'month'),
  without: fc.subarray([...costPartNames]).map((names) => names.join(',') || 'nothing'),
  start_date: fc.integer({ min: 0, max: 40 }).map((hour) => timeOf(firstHour + hour)),
  end_date: fc.integer({ min: 41, max: days * 24 }).map((hour) => timeOf(firstHour + hour)),
  cluster: fc.constantFrom(undefined, undefined, 'c'),
  saved: fc.record({
    idle: fc.constantFrom(...sharingMethods),
    shared: fc.constantFrom(...sharingMethods),
    sharedNamespaces: fc.subarray(['kube-*', 'till']),
    shares: fc.constantFrom({ shop: 60, till: 30 }, { shop: 100 }, { gone: 10 }),
    loadBalancerMonthUsd: fc.constant(null),
    networkGibUsd: fc.constant(null),
    internetPercent: fc.constant(null),
    off: fc.constant([]),
  }),
})

const timeOf = (hour: number): string => new Date(hour * 3_600_000).toISOString()

/** In any grouping, step and sharing, rows, CSV and FOCUS of the same parts and hours have the same sum, to the cent. */
export function testWholeSums(queries: number): void {
  let fixture: MachinesFixture
  withMachinesFixture((opened) => {
    fixture = opened
  })

  async function openBill(organisation: string, { pods, processes, daily }: Bill) {
    const { store, pricing } = fixture
    const entities = [
      ...['c', 'd'].flatMap((cluster) =>
        ['m5.xlarge', 'p3.2xlarge', 'unheard-of'].map((name) =>
          rowOf(
            { kind: 'node', cluster, namespace: '', name },
            { instanceType: name, region: 'us-east-1', providerId: 'aws:///us-east-1a/i-1' },
            { 'capacity/cpu': 4, 'capacity/memory': 16 * 2 ** 30, 'capacity/nvidia_com_gpu': 1 },
          ),
        ),
      ),
      rowOf({ kind: 'namespace', cluster: 'c', namespace: 'shop', name: 'shop' }, { 'label/team': 'web' }),
      ...daily.map(({ kind, cluster, namespace, gib: ofGib, hour, storageClass }, index) => {
        const name = dailyName(`data-${index}`, Math.floor(hour / 24))
        const is = kind === 'claim' ? { class: storageClass } : { type: 'LoadBalancer' }
        return rowOf({ kind, cluster, namespace, name }, is, { requested: ofGib * 2 ** 30 }, hour)
      }),
    ]
    const machine = { provider: 'aws', region: 'us-east-1', instanceType: 'm5.xlarge' }
    await storePods(
      store,
      organisation,
      pods.map((pod, index) => ({ ...pod, container: `app-${index}` })),
      days,
      entities,
    )
    await fixture.add(
      organisation,
      processes.map((process, index) => ({ ...process, process: `${process.process}${index}` })),
      ['db-1', 'db-2'].map((vm) => ({
        vm,
        texts: machine,
        cores: 4,
        gib: 16,
        lastHour: firstHour + days * 24 - 1,
      })),
    )
    await store.settings.write(organisation, 'cost-sharing', '{"load_balancer_usd_per_month":18.25}')
    const now = () => nowMs
    const deps = { store, pricing, now }
    return {
      ...{ store, now, labels: ['team'], loads: new NodeLoadCache(store, now) },
      parts: [machineCosts(store), volumeCosts(deps), loadBalancerCosts(deps)],
      nodePrices: (...of: [string, string | undefined, { from: number; to: number }]) =>
        nodePricesOver(deps, ...of),
    }
  }

  test(`the rows of ${queries} random queries add up to the total, to the cent`, {
    timeout: 1_800_000,
  }, async () => {
    const bills = fc.sample(anyBill, { numRuns: Math.ceil(queries / queriesOfBill), seed: 43 })
    const asked = fc.sample(anyQuery, { numRuns: queries, seed: 43 })
    let [notEmpty, checked] = [0, 0]
    for (const [index, bill] of bills.entries()) {
      const organisation = `sums-${queries}-${index}`
      const deps = await openBill(organisation, bill)
      const rowsOf = async (request: CostsRequest, saved?: (typeof asked)[number]['saved']) => {
        const query = parseCostsRequest(request, nowMs, ['team'], saved)
        const groups = await reportCosts(deps, organisation, query)
        return { query, rows: [...groups.rows()].map((row) => viewCostRow(row, query)) }
      }
      for (const { saved, ...of } of asked.slice(index * queriesOfBill, (index + 1) * queriesOfBill)) {
        const request = of as CostsRequest
        const usd = (rows: readonly CostRowView[]) => rows.reduce((sum, { cost_usd }) => sum + cost_usd, 0)
        const total = usd((await rowsOf({ ...request, group_by: 'cluster', step: 'month' })).rows)
        const { query, rows } = await rowsOf(request, saved)
        // Amounts of rows have six decimals.
        expect(Math.abs(usd(rows) - total), JSON.stringify(of)).toBeLessThan((rows.length + 4) * 1e-6)
        const cents = Math.round(usd(rows) * 100 + 1e-7)
        expect(Math.abs(cents - total * 100)).toBeLessThan(0.51 + rows.length * 1e-4)
        expect(centsOf([...costsCsv(rows, query)], 'cost_usd')).toBe(cents)
        expect(centsOf([...focusCsv(rows, organisation)], 'BilledCost')).toBe(cents)
        if (total > 0) notEmpty++
        checked++
      }
    }
    expect(checked).toBe(queries)
    expect(notEmpty).toBeGreaterThan(queries / 3)
  })
}

function centsOf(csv: readonly string[], column: string): number {
  const [head, ...lines] = csvRecords(csv.join('')).map(({ cells }) => cells)
  const index = head!.indexOf(column)
  return lines.reduce((sum, cells) => sum + Math.round(100 * Number(cells[index])), 0)
}

function rowOf(
  ref: Parameters<typeof newEntity>[0],
  texts: Readonly<Record<string, string>>,
  numbers: Readonly<Record<string, number>> = {},
  hour = firstHour + days * 24 - 1,
) {
  const entity = newEntity(ref, hour)
  for (const [name, value] of Object.entries({ ...texts, ...numbers })) {
    setAttribute(entity, name, value, hour * 3600)
    setAttribute(entity, name, value, Math.min(hour + 5, Math.floor(hour / 24) * 24 + 23) * 3600)
  }
  const { kind, cluster } = ref
  return { key: entityKey(ref), kind, cluster, lastHour: entity.lastHour, json: encodeEntity(entity) }
}
