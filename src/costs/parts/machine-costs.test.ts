import { expect, test } from 'vitest'
import { nodePrices } from '../../pricing/price-node.ts'
import {
  hours,
  type MachinesFixture,
  nowMs,
  withMachinesFixture,
} from '../../recommendations/machines/test-machines.case.ts'
import { firstHour } from '../../usage/reading/pods.case.ts'
import { nothingShared } from '../allocation/share-costs.ts'
import { NodeLoadCache } from '../clusters/node-load-cache.ts'
import { costsAnswer } from '../report/costs-answer.ts'
import { explainChange, parseChangeRequest } from '../report/explain-change.ts'
import { type CostsRequest, parseCostsRequest } from '../report/query.ts'
import type { CostRowView } from '../report/schema.ts'
import { machineCosts } from './machine-costs.ts'

let fixture: MachinesFixture
withMachinesFixture((opened) => {
  fixture = opened
})

/** An m5.xlarge of 0.192 an hour, with 4 cores and 16 GiB, for a day. */
async function openMachine(organisation: string) {
  const day = { vm: 'db-1', from: firstHour, hours: 24 }
  const process = (name: string, cores: number, gib: number) => ({ ...day, process: name, cores, gib })
  const texts = { provider: 'aws', region: 'us-east-1', instanceType: 'm5.xlarge' }
  await fixture.add(
    organisation,
    [process('postgres', 1, 4), process('nginx', 0.5, 1)],
    [{ vm: 'db-1', texts, cores: 4, gib: 16, lastHour: firstHour + 23 }],
  )
  const now = () => nowMs
  const { store, pricing } = fixture
  return {
    ...{ store, now, labels: [], loads: new NodeLoadCache(store, now), parts: [machineCosts(store)] },
    nodePrices: (whose: string, cluster: string | undefined) =>
      nodePrices({ pricing, usage: store.usage }, whose, cluster),
  }
}

async function rowsOf(organisation: string, request: CostsRequest): Promise<CostRowView[]> {
  const deps = await openMachine(organisation)
  const start_date = new Date(hours.from * 3_600_000).toISOString()
  const query = parseCostsRequest({ start_date, ...request }, nowMs, [])
  const { signal } = new AbortController()
  let text = ''
  for await (const piece of (await costsAnswer(deps, organisation, query, 'json', signal)).pieces)
    text += piece
  return JSON.parse(text)
}

const usdOf = (rows: readonly CostRowView[]) => rows.reduce((sum, { cost_usd }) => sum + cost_usd, 0)

test('processes and what none of them used add up to the price of the machine', async () => {
  const rows = await rowsOf('machines-by-container', { group_by: 'kind,container,node', step: 'month' })
  expect(
    rows.map(({ cost_type, cluster, kind, container, node }) => [cost_type, cluster, kind, container, node]),
  ).toEqual([
    ['usage', null, 'Machine', 'system/nginx', 'db-1'],
    ['usage', null, 'Machine', 'system/postgres', 'db-1'],
    ['idle', null, 'Machine', null, 'db-1'],
  ])
  expect(usdOf(rows)).toBeCloseTo(24 * 0.192, 4)
  expect(rows[1]!.cost_usd).toBeGreaterThan(rows[0]!.cost_usd)
  expect(rows[2]).toMatchObject({ node_cost_usd_per_hour: 0.192, price_source: 'list' })
})

test.each(['cluster', 'namespace', 'workload', 'kind', 'node_type'])(
  'by %s they have the same sum',
  async (group_by) => {
    expect(usdOf(await rowsOf(`machines-by-${group_by}`, { group_by }))).toBeCloseTo(24 * 0.192, 4)
  },
)

test('machines are in no cluster and no namespace', async () => {
  expect(await rowsOf('machines-in-cluster', { cluster: 'c' })).toEqual([])
  expect(await rowsOf('machines-in-namespace', { namespace: 'shop' })).toEqual([])
})

test('a part that is switched off is left out', async () => {
  expect(await rowsOf('machines-off', { without: 'machines' })).toEqual([])
  expect(usdOf(await rowsOf('machines-on', { without: 'containers,volumes' }))).toBeCloseTo(24 * 0.192, 4)
  const saved = { ...nothingShared, off: ['machines'] as const }
  const offOf = (without?: string) => parseCostsRequest({ without }, nowMs, [], saved).off
  expect([offOf(), offOf('saved'), offOf('nothing'), offOf('volumes')]).toEqual([
    ['machines'],
    ['machines'],
    [],
    ['volumes'],
  ])
  expect(() => offOf('everything')).toThrow('The query is invalid.')
})

test('changes name machines', async () => {
  const deps = await openMachine('machines-change')
  const at = (hour: number) => new Date(hour * 3_600_000).toISOString()
  const period = { start_date: at(firstHour), end_date: at(firstHour + 24) }
  const change = await explainChange(deps, 'machines-change', parseChangeRequest(period, nowMs))
  expect(change.cost_usd).toBe(4.61)
  expect(change.groups.map(({ cluster, namespace }) => [cluster, namespace])).toEqual([[null, null]])
  expect(change).toMatchObject({ note: expect.stringContaining('cannot be compared'), causes: [] })
})
