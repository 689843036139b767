import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { csvOf, focusRows } from '../src/pricing/bill/planted-bill.case.ts'
import { exampleRequest } from './example-request.ts'
import { startPostgres, type TestPostgres } from './peers/postgres.ts'
import { containerSeries, hourMs, nodeSeries, push } from './pushed-cluster.ts'
import { ask, eventually, type RunningService, startService } from './service.ts'

const key = `csk_${'n'.repeat(12)}_${'s'.repeat(43)}`
const toMs = Math.floor(Date.now() / hourMs) * hourMs - hourMs
const fromMs = toMs - 5 * hourMs
const edp = { name: 'EDP', provider: 'AWS', percent_off: 10 }
const m5 = { ...exampleRequest(), availability_zone: '' }

let postgres: TestPostgres
let nodes: [RunningService, RunningService]
let otherKey: string

beforeAll(async () => {
  postgres = await startPostgres()
  const env = {
    DATABASE_URL: await postgres.createDatabase(),
    CHEAPSIDE_BOOTSTRAP_KEY: key,
    CHEAPSIDE_RATE_LIMIT: '0',
  }
  nodes = await Promise.all([
    startService({ env, withoutKey: true }),
    startService({ env, withoutKey: true }),
  ])
  for (const { url } of nodes) await eventually(async () => (await ask(url, '/readyz')).status === 200)
  const body = {
    organisation: 'other',
    name: 'test',
    scopes: ['pricing:read', 'gateway:read', 'marketplace:write'],
  }
  otherKey = (await ask(nodes[0].url, '/admin/keys', { key, body })).json.key
})
afterAll(async () => {
  await Promise.all((nodes ?? []).map((node) => node.stop()))
  await postgres?.stop()
})

const put = (
  rules: object[],
  more: { query?: string; etag?: string; node?: RunningService; as?: string } = {},
) =>
  ask((more.node ?? nodes[0]).url, `/v1/price_rules${more.query ?? ''}`, {
    method: 'PUT',
    key: more.as ?? key,
    body: { rules },
    ...(more.etag === undefined ? {} : { headers: { 'if-match': more.etag } }),
  })
const get = (path: string, node = nodes[0], as = key) => ask(node.url, path, { key: as })
const priceOf = async (node: RunningService, as = key) => {
  const { json } = await ask(node.url, '/recommendations', { key: as, body: m5 })
  return json.base[0].instance_pricing.cost_per_hour
}

const node = {
  name: 'n1',
  cores: 4,
  gib: 16,
  labels: {
    label_node_kubernetes_io_instance_type: 'm5.xlarge',
    label_topology_kubernetes_io_region: 'us-east-1',
    label_topology_kubernetes_io_zone: 'us-east-1a',
  },
}

describe('price rules', () => {
  test('change prices of their organisation alone, on every node, until they are removed', async () => {
    const [here, there] = nodes
    expect([await priceOf(here), await priceOf(there)]).toEqual([0.192, 0.192])
    const { json, headers } = await put([edp])
    expect(json).toEqual({ rules: [edp], etag: headers.get('etag') })
    expect(await priceOf(here)).toBe(0.1728)
    await eventually(async () => (await priceOf(there)) === 0.1728)
    expect([await priceOf(here, otherKey), await priceOf(there, otherKey)]).toEqual([0.192, 0.192])
    expect((await get('/v1/price_rules', there, otherKey)).json.rules).toEqual([])
    const body = { ...m5, include_metadata: true }
    const answers = await Promise.all(nodes.map(({ url }) => ask(url, '/recommendations', { key, body })))
    expect(answers[0]!.json).toEqual(answers[1]!.json)
    expect(answers[0]!.json.base[0].instance_pricing.raw_pricing_data).toMatchObject({
      price_source: 'rule',
      price_rules: ['EDP'],
    })
    const compared = await ask(there.url, '/v1/comparisons', { key, body: m5 })
    expect(compared.json.current).toMatchObject({
      cost_per_hour: 0.1728,
      price: { price_source: 'rule', price_rules: ['EDP'] },
    })
    await put([], { node: there })
    expect(await priceOf(there)).toBe(0.192)
    await eventually(async () => (await priceOf(here)) === 0.192)
  })

  test('are set together or not at all, and no update is lost', async () => {
    const wrong = await put([edp, { name: 'x', percent_off: 5, region: 'eu-*', provider: 'nimbus' }])
    expect([wrong.status, wrong.json.errors[0].pointer]).toEqual([422, '/rules/1/provider'])
    expect((await put([{ ...edp, instance_typ: 'm5.*' }])).status).toBe(422)
    const { etag } = (await get('/v1/price_rules')).json
    const writers = await Promise.all(
      [1, 2, 3, 4].map((n) => put([{ ...edp, percent_off: n }], { etag, node: nodes[n % 2]! })),
    )
    expect(writers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
    const stored = await get('/v1/price_rules', nodes[1])
    const winner = writers.find(({ status }) => status === 200)!.json
    expect(stored.json).toEqual(winner)
    expect(writers.find(({ status }) => status === 412)!.json.current).toEqual(winner)
    await put([])
  })

  test('a dry run tells what would change, and the prices of nodes follow everywhere', async () => {
    const pod = { pod: 'web-1', node: 'n1', cores: 0.5, gib: 1, requests: { cpu: 2, memoryGib: 8 } }
    await push(nodes[0], key, [...nodeSeries(node, fromMs), ...containerSeries(pod, { fromMs, toMs })])
    const window = `start_date=${new Date(fromMs).toISOString()}&end_date=${new Date(toMs).toISOString()}`
    const byNode = () => get(`/v1/costs?group_by=node&step=week&${window}`)
    await eventually(async () => (await byNode()).json[0]?.node_cost_usd_per_hour === 0.192)
    const { json } = await put([edp], { query: '?dry_run=true' })
    expect(json.preview).toMatchObject({
      machines: 1,
      changed_machines: 1,
      cost_per_month: { before: 140.16, after: 126.144 },
      changes: [
        {
          machines: ['c1/n1'],
          instance_type: 'm5.xlarge',
          before: { cost_per_hour: 0.192, price_source: 'list', price_rules: [] },
          after: { cost_per_hour: 0.1728, price_source: 'rule', price_rules: ['EDP'] },
          difference_per_month: -14.016,
        },
      ],
    })
    expect(json.preview.comparisons[0]).toMatchObject({ instance_type: 'm5.xlarge', count: 1 })
    expect((await get('/v1/price_rules')).json.rules).toEqual([])
    expect(await priceOf(nodes[0])).toBe(0.192)
    await put([edp])
    // Days that are over keep their prices until they are counted again.
    const [start_date, end_date] = [fromMs, toMs].map((ms) => new Date(ms).toISOString().slice(0, 10))
    const recounted = await ask(nodes[0].url, '/v1/cost_recounts', { key, body: { start_date, end_date } })
    expect(recounted.status).toBe(200)
    expect((await byNode()).json[0]).toMatchObject({
      node_cost_usd_per_hour: 0.1728,
      price_source: 'rule',
      price_rules: 'EDP',
    })
    const [namespace] = (await get(`/v1/namespace_recommendations?${window}`)).json
    expect(namespace.Prices).toMatchObject([{ Source: 'rule', Rules: ['EDP'], Nodes: 1 }])
    expect(namespace.CurrentSpend).toBeCloseTo(5 * 0.0864, 2)
    await put([])
  })

  test('a bill proposes rules to the organisation that sends it, and is not kept', async () => {
    const types = [
      ['m5.xlarge', 0.192] as const,
      ['c6i.2xlarge', 0.34] as const,
      ['m7i.large', 0.1008] as const,
    ]
    const bill = csvOf(focusRows({ days: 3, types }))
    const send = (body: string | Uint8Array, as = key) =>
      ask(nodes[1].url, '/v1/bills', { key: as, body: body as string })
    const learned = await send(gzipSync(bill), otherKey)
    expect(learned.json.rules).toMatchObject([
      { provider: 'aws', percent_off: 9 },
      { family: 'm7i', percent_off: 15 },
    ])
    expect(learned.json.commitments).toMatchObject([{ kind: 'savings_plan', usd_per_hour: 5 }])
    expect((await put(learned.json.rules, { as: otherKey })).status).toBe(200)
    expect((await send(bill, otherKey)).json).toMatchObject({ rules: [] })
    expect((await send(bill)).json.rules).toHaveLength(2)
    await put([], { as: otherKey })
    const wrong = await send('a,b\n1,2\n')
    expect([wrong.status, wrong.json.detail]).toEqual([422, expect.stringContaining('The bill is none of')])
    expect((await send(gzipSync(bill).subarray(0, 500))).status).toBe(422)
    expect(readdirSync(join(nodes[1].directory, 'uploads'))).toEqual([])
  })

  test('commitments: tried, set once, and what they cover', async () => {
    const days = { from: '2026-01-01', until: '2099-12-31' }
    const half = { name: 'ri', provider: 'aws', kind: 'reserved_instance', instance_type: 'm5.large' }
    const commitments = [{ ...half, region: 'us-east-1', instances: 1, ...days }]
    const send = (body: object[], query = '', headers = {}) =>
      ask(nodes[1].url, `/v1/commitments${query}`, {
        method: 'PUT',
        key,
        body: { commitments: body },
        headers,
      })
    await push(nodes[0], key, nodeSeries(node, Date.now()))
    const coverage = () => send(commitments, '?dry_run=true')
    await eventually(async () => (await coverage()).json.coverage.machines === 1)
    const { json } = await coverage()
    expect(json.coverage).toMatchObject({
      machines: 1,
      on_demand_per_hour: 0.192,
      coverage_percent: 50,
      commitments: [{ name: 'ri', utilisation_percent: 100, covered_per_hour: 0.096 }],
      covered: [
        {
          machines: ['c1/n1'],
          covered_percent: 50,
          leaving: { saves_per_month: 70.08, until: '2099-12-31', saves_per_month_after: 140.16 },
        },
      ],
    })
    expect((await get('/v1/commitments')).json.commitments).toEqual([])
    expect((await send([{ ...commitments[0], provider: 'nimbus' }])).json.errors[0].pointer).toBe(
      '/commitments/0/provider',
    )
    // A plan for one family would otherwise count as one for all.
    const plan = { ...commitments[0], kind: 'savings_plan', instances: undefined, usd_per_hour: 1 }
    expect((await send([plan])).json.errors[0]).toMatchObject({
      pointer: '/commitments/0/instance_type',
      message: 'must not be given for savings_plan',
    })
    const stored = await send(commitments)
    expect(stored.json).toEqual({ commitments, etag: stored.headers.get('etag') })
    expect((await send([], '', { 'if-match': '"old"' })).status).toBe(412)
    expect((await get('/v1/commitments/coverage')).json).toEqual(json.coverage)
    const advised = await get('/v1/commitment_recommendations?sizes=now', nodes[1])
    expect([advised.status, advised.json.covered_per_hour]).toEqual([200, 0.096])
    expect(advised.json.notes.at(-1)).toContain('0 days of history')
    expect((await get('/v1/commitments', nodes[0], otherKey)).json.commitments).toEqual([])
    const covers = expect.stringMatching('Your commitments may cover this machine: ri until 2099-12-31')
    // An hour of a node of $0.192, half of which is covered at the price of a year of an m5.large.
    const costs = (await get('/v1/cost_commitments', nodes[1])).json
    expect(costs.commitments).toEqual(['ri'])
    expect(costs.covered_usd).toBeGreaterThan(0.09)
    expect(costs.change_usd).toBeCloseTo(costs.cost_usd - costs.covered_usd, 3)
    expect((await get('/v1/cost_commitments', nodes[1], otherKey)).json.commitments).toEqual([])
    const notesFor = async (as: string) => {
      const body = { ...m5, include_metadata: true }
      const { json } = await ask(nodes[0].url, '/recommendations', { key: as, body })
      return json.base[0].instance_pricing.raw_pricing_data.notes
    }
    expect(await notesFor(key)).toEqual([covers])
    expect(await notesFor(otherKey)).toEqual([])
    const change = { actions: ['delete'], before: { instance_type: 'm5.large' }, after: null }
    const type = 'aws_instance'
    const gone = { address: 'aws_instance.db', type, name: 'db', mode: 'managed', change }
    const plan_ = { format_version: '1.2', resource_changes: [gone] }
    const body = { plan: plan_, regions: { aws: 'us-east-1' } }
    const reviewed = await ask(nodes[0].url, '/v1/reviews', { key, body })
    expect(reviewed.json.changes[0]).toMatchObject({
      notes: expect.arrayContaining([covers]),
      before: { machines: [{ price_source: 'list' }] },
    })
  })
})
