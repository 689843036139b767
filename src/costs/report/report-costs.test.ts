import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../../test/peers/postgres.ts'
import { round } from '../../domain/money.ts'
import { Problem } from '../../domain/problem.ts'
import { timeOfHour } from '../../domain/time.ts'
import { viewNamespace } from '../../recommendations/containers/answer/view-namespace.case.ts'
import { recommendSizes } from '../../recommendations/containers/recommend-sizes.case.ts'
import { depsAt, queryUntil, storePods } from '../../recommendations/containers/test-namespaces.case.ts'
import { openStore } from '../../store/open.ts'
import type { Store } from '../../store/port.ts'
import { encodeEntity, entityKey, newEntity, setAttribute } from '../../usage/digest/entities.ts'
import { firstHour, type SyntheticPod } from '../../usage/reading/pods.case.ts'
import { nothingShared } from '../allocation/share-costs.ts'
import { viewCostRow } from '../allocation/view-cost-row.ts'
import { costsAnswer } from './costs-answer.ts'
import { explainChange, parseChangeRequest } from './explain-change.ts'
import { type CostsRequest, type CostsSelection, parseCostsRequest } from './query.ts'
import { type CostsDeps, reportCosts } from './report-costs.ts'
import { parseUsageRequest, reportUsage } from './report-usage.ts'
import type { CostRowView } from './schema.ts'

const directory = mkdtempSync(join(tmpdir(), 'cheapside-costs-'))
let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres.stop()
  rmSync(directory, { recursive: true, force: true })
})

async function rowsOf(deps: CostsDeps, of: string, query: CostsSelection): Promise<CostRowView[]> {
  const groups = await reportCosts(deps, of, query)
  return [...groups.rows()].map((row) => viewCostRow(row, query))
}

const days = 3
const toHour = firstHour + days * 24
const organisation = 'a'
/** 4 cores and 16 GiB: 0.184 an hour. */
const price = { corePerHourUsd: 0.03, gibPerHourUsd: 0.004, perHourUsd: 0.184 }
/** The same with two GPUs. */
const gpuPrice = { ...price, gpuPerHourUsd: 0.5, perHourUsd: 1.184 }

/** Node n1 holds 2 cores and 4 GiB, n2 more than it has. Of the two pods of web, one runs for a day. */
const pods: readonly SyntheticPod[] = [
  { pod: 'web-1', cores: 0.5, gib: 1, cpuRequest: 1, memoryRequest: 2 },
  { pod: 'web-2', cores: 0.5, gib: 1, cpuRequest: 1, memoryRequest: 2, hours: 24, oomEvents: 1 },
  { pod: 'db-0', workload: 'StatefulSet/db', node: 'n2', cores: 3, gib: 9, cpuRequest: 3, memoryRequest: 8 },
  { namespace: 'till', pod: 'pay-1', workload: 'Deployment/pay', node: 'n2', cores: 2.5, cpuRequest: 2 },
  { cluster: 'd', namespace: 'till', pod: 'x', workload: null, node: null, cores: 0.2, gib: 0.3 },
]

function labelled(kind: 'workload' | 'namespace', namespace: string, name: string, app: string) {
  const ref = { kind, cluster: 'c', namespace, name }
  const entity = newEntity(ref, toHour - 1)
  setAttribute(entity, 'label/app', app, (toHour - 1) * 3600)
  return { key: entityKey(ref), kind, cluster: 'c', lastHour: toHour - 1, json: encodeEntity(entity) }
}

describe.each(['SQLite', 'PostgreSQL'])('costs on %s', (database) => {
  let store: Store
  beforeAll(async () => {
    store = await openStore({
      dataDirectory: directory,
      ...(database === 'PostgreSQL' ? { databaseUrl: await postgres.createDatabase() } : {}),
    })
    await storePods(store, organisation, pods, days, [
      labelled('workload', 'shop', 'Deployment/web', 'web'),
      labelled('namespace', 'till', 'till', 'money'),
    ])
  })
  afterAll(() => store.close())

  const deps = () => ({ ...depsAt(store, toHour, price), labels: ['app'] })
  const queryOf = (request: CostsRequest) =>
    parseCostsRequest({ start_date: timeOfHour(firstHour), ...request }, toHour * 3_600_000, ['app'])
  async function costs(request: CostsRequest): Promise<CostRowView[]> {
    const query = queryOf(request)
    return rowsOf(deps(), organisation, query)
  }
  const allOf = (rows: readonly CostRowView[]) => rows.reduce((sum, { cost_usd }) => sum + cost_usd, 0)
  const ofType = (type: CostRowView['cost_type'], rows: readonly CostRowView[]) =>
    rows.filter(({ cost_type }) => cost_type === type)
  const sumOf = (rows: readonly CostRowView[]) => allOf(ofType('usage', rows))

  test('by workload and day, computed by hand', async () => {
    const rows = await costs({ group_by: 'workload', cluster: 'c', namespace: 'shop' })
    expect(rows.map(({ workload, start }) => [workload, start.slice(8, 10)])).toHaveLength(6)
    // Two pods of 1 core and 2 GiB for 24 hours: 2 x 24 x (0.03 + 0.008); then one.
    const web = rows.filter(({ workload }) => workload === 'Deployment/web')
    expect(web.map(({ cost_usd }) => cost_usd)).toEqual([1.824, 0.912, 0.912])
    expect(web[0]).toMatchObject({
      cpu_cost_usd: 1.44,
      memory_cost_usd: 0.384,
      requested_core_hours: 48,
      used_core_hours: 24,
      requested_gib_hours: 96,
      used_gib_hours: 48,
      estimated_cost_usd: 0,
    })
    expect(ofType('idle', rows)).toEqual([])
  })

  test.each(['hour', 'day', 'week'])('by %s they add up to the spend of each namespace', async (step) => {
    const { namespaces } = await recommendSizes(deps(), organisation, queryUntil(toHour))
    const rows = await costs({ group_by: 'namespace', step })
    for (const sized of namespaces) {
      const { Cluster, Namespace, CurrentSpend } = viewNamespace(sized, 0)
      const own = rows.filter(({ cluster, namespace }) => cluster === Cluster && namespace === Namespace)
      expect(sumOf(own)).toBeCloseTo(CurrentSpend, 2)
      expect(CurrentSpend).toBeGreaterThan(0.1)
    }
    for (const group_by of ['cluster', 'workload', 'node', 'label:app'])
      expect(sumOf(await costs({ group_by, step }))).toBeCloseTo(sumOf(rows), 2)
  })

  test('GPUs are charged to the pods that request them', async () => {
    const trainer = { pod: 'train-0', node: 'n9', cores: 1, gib: 2, cpuRequest: 1, memoryRequest: 2, gpus: 1 }
    const training = { ...trainer, namespace: 'ml', workload: 'StatefulSet/train', hours: 24 }
    await storePods(store, 'gpus', [training], 1)
    const until = firstHour + 24
    const priced = { ...depsAt(store, until, gpuPrice), labels: [] }
    const rowsBy = async (group_by: string) => {
      const request = { start_date: timeOfHour(firstHour), group_by }
      const query = parseCostsRequest(request, until * 3_600_000, [])
      return rowsOf(priced, 'gpus', query)
    }
    const [workload] = await rowsBy('workload')
    expect(workload).toMatchObject({ gpu_cost_usd: 12, requested_gpu_hours: 24 })
    expect(workload!.cost_usd).toBeCloseTo(24 * (0.038 + 0.5), 5)
    // 1.184 - 0.038 - 0.5
    expect(ofType('idle', await rowsBy('node'))[0]!.cost_usd).toBeCloseTo(24 * 0.646, 5)
    const { namespaces } = await recommendSizes(priced, 'gpus', queryUntil(until))
    const { CurrentSpend, NewSpend } = viewNamespace(namespaces[0]!, 0)
    expect(CurrentSpend).toBeCloseTo(24 * 0.538, 2)
    expect(NewSpend).toBeGreaterThan(12)
  })

  test('a node costs its price, part of it idle', async () => {
    const rows = await costs({ group_by: 'node', cluster: 'c' })
    expect(ofType('usage', rows).map(({ node }) => node)).toEqual(['n1', 'n1', 'n1', 'n2', 'n2', 'n2'])
    for (const day of Map.groupBy(rows, ({ node, start }) => `${node} ${start}`).values())
      expect(allOf(day)).toBeCloseTo(24 * 0.184, 5)
    // 24 x 0.184 less 1.824; n2 is overfull.
    const idle = ofType('idle', rows)
    expect(idle[0]!.cost_usd).toBeCloseTo(2.592, 5)
    expect(idle.map(({ node }) => node)).toEqual(['n1', 'n1', 'n1'])
    const byCluster = await costs({ group_by: 'cluster', cluster: 'c' })
    expect(ofType('idle', byCluster)[0]!.cost_usd).toBeCloseTo(2.592, 5)
  })

  test.each(['namespace', 'workload', 'label:app'])(
    'by %s, idle cost is in rows of its own',
    async (group_by) => {
      const rows = await costs({ group_by, step: 'week' })
      const byNode = await costs({ group_by: 'node', step: 'week' })
      expect(allOf(rows)).toBeCloseTo(allOf(byNode), 5)
      const idle = ofType('idle', rows)
      expect(allOf(idle)).toBeCloseTo(allOf(ofType('idle', byNode)), 5)
      expect(rows.slice(-idle.length)).toEqual(idle)
      for (const row of idle) {
        expect([row.namespace, row.workload, row.value].every((name) => name == null)).toBe(true)
        expect(row).toMatchObject({ cpu_cost_usd: 0, used_core_hours: 0 })
      }
      expect(ofType('idle', await costs({ group_by, namespace: 'shop' }))).toEqual([])
    },
  )

  test('measured hours are those of namespaces, also where the period begins before them', async () => {
    const { namespaces } = await recommendSizes(deps(), organisation, queryUntil(toHour))
    const { MeasuredHours } = viewNamespace(namespaces[0]!, 0)
    const start_date = timeOfHour(firstHour - 100)
    const rows = await costs({ group_by: 'cluster', cluster: 'c', step: 'week', start_date })
    const hours = (of: readonly CostRowView[]) => of.reduce((sum, row) => sum + row.measured_hours!, 0)
    expect(hours(ofType('usage', rows))).toBe(MeasuredHours)
    const days = await costs({ group_by: 'node', cluster: 'c', start_date })
    for (const { measured_hours } of days) expect(measured_hours).toBe(24)
    expect((await costs({ group_by: 'namespace' }))[0]).not.toHaveProperty('measured_hours')
  })

  test('a cluster that begins to send within an hour was measured from then on', async () => {
    const web = { cores: 0.5, gib: 1, cpuRequest: 1, memoryRequest: 2 }
    const begins = { hours: 1, seconds: 1200, lastSecond: 3540 }
    const [until, young] = [firstHour + 3, 'young']
    await storePods(
      store,
      young,
      [
        { ...web, ...begins },
        { ...web, pod: 'web-2', from: firstHour + 1, hours: 2 },
      ],
      1,
    )
    const priced = { ...depsAt(store, until, price), labels: [] }
    const { namespaces } = await recommendSizes(priced, young, queryUntil(until))
    const { MeasuredHours, MonthlyCurrentSpend } = viewNamespace(namespaces[0]!, 0)
    expect(MeasuredHours).toBe(2.35)
    // 1 core and 2 GiB: 0.03 + 0.008
    expect(MonthlyCurrentSpend / 730).toBeCloseTo(0.038, 3)
    const query = parseCostsRequest(
      { start_date: timeOfHour(firstHour), group_by: 'cluster', step: 'hour' },
      until * 3_600_000,
      [],
    )
    const rows = await rowsOf(priced, young, query)
    expect(ofType('usage', rows).map(({ measured_hours }) => measured_hours)).toEqual([0.35, 1, 1])
    // The whole price of the node.
    expect(allOf(rows) / MeasuredHours).toBeCloseTo(0.184, 5)
  })

  test.each([undefined, 'shop'])(
    'a change of shared costs leads to the costs of both days (%s)',
    async (namespace) => {
      const sharing = {
        ...nothingShared,
        idle: 'by_cost',
        shared: 'evenly',
        sharedNamespaces: ['till'],
      } as const
      const day = (index: number) => ({
        start_date: timeOfHour(firstHour + 24 * index),
        end_date: timeOfHour(firstHour + 24 * (index + 1)),
      })
      const nowMs = toHour * 3_600_000
      const of = namespace === undefined ? {} : { namespace }
      for (const group_by of ['namespace', 'workload']) {
        const query = parseChangeRequest({ ...day(1), ...of, group_by }, nowMs, sharing)
        const change = await explainChange(deps(), organisation, query)
        for (const [index, name] of (['before_usd', 'cost_usd'] as const).entries()) {
          const request = parseCostsRequest({ ...day(index), ...of, group_by }, nowMs, ['app'], sharing)
          const rows = await rowsOf(deps(), organisation, request)
          expect(change[name]).toBe(round(allOf(rows), 2))
          for (const group of change.groups) {
            const own = rows.filter(
              (row) =>
                row.cluster === group.cluster &&
                row.namespace === group.namespace &&
                (row.workload ?? null) === (group.workload ?? null),
            )
            expect(Math.abs(allOf(own) - group[name])).toBeLessThan(0.0201)
          }
        }
        const web = change.groups.find(
          (group) => group.namespace === 'shop' && (group.workload ?? 'Deployment/web') === 'Deployment/web',
        )!
        expect(web.count_usd).toBeLessThan(0)
        expect(web.shared_usd).not.toBe(0)
      }
    },
  )

  test('a period in the past is measured up to its end if samples follow it', async () => {
    // Samples 20 minutes apart: the last one of each hour is not near its end.
    await storePods(store, 'sparse', [{ cores: 0.5, gib: 1, lastSecond: 2400 }], 2)
    const sparse = { ...depsAt(store, firstHour + 48, price), labels: [] }
    const query = parseCostsRequest(
      { start_date: timeOfHour(firstHour), end_date: timeOfHour(firstHour + 24), group_by: 'cluster' },
      (firstHour + 48) * 3_600_000,
      [],
    )
    const groups = await reportCosts(sparse, 'sparse', query)
    expect(groups.measuredHours).toBe(24)
    const rows = await rowsOf(sparse, 'sparse', query)
    expect(allOf(rows)).toBeCloseTo(24 * 0.184, 5)
  })

  test('by label: of the workload, else of its namespace', async () => {
    const rows = await costs({ group_by: 'label:app', step: 'week' })
    const values = rows.map(({ value }) => value)
    expect(new Set(values)).toEqual(new Set([null, 'money', 'web']))
    expect(values.indexOf('money')).toBeLessThan(values.indexOf('web'))
  })

  test('pods on unknown nodes have estimated costs', async () => {
    const rows = await costs({ cluster: 'd', step: 'week' })
    for (const row of rows) expect(row.estimated_cost_usd).toBe(row.cost_usd)
    expect(sumOf(rows)).toBeCloseTo(72 * (0.2 * 0.031611 + 0.3 * 0.004237), 4)
  })

  test.each(['cluster', 'namespace', 'workload', 'node', 'label:app'])(
    'pages by %s are the whole',
    async (group_by) => {
      const whole = await costs({ group_by })
      const pages: CostRowView[] = []
      let cursor: string | undefined
      do {
        const query = queryOf({ group_by, limit: 2, cursor })
        const answer = await costsAnswer(deps(), organisation, query, 'json', new AbortController().signal)
        pages.push(...JSON.parse((await Array.fromAsync(answer.pieces)).join('')))
        cursor = answer.next
      } while (cursor !== undefined)
      expect(pages).toEqual(whole)
    },
  )

  test('usage of a container over time', async () => {
    const ask = (id: string) =>
      reportUsage(
        deps(),
        organisation,
        parseUsageRequest('container', id, { start_date: timeOfHour(firstHour) }, toHour * 3_600_000),
      )
    const { steps } = await ask('c/shop/Deployment/web/app')
    expect(steps.map(({ replicas, oom_kills }) => [replicas, oom_kills])).toEqual([
      [2, 24],
      [1, 0],
      [1, 0],
    ])
    expect(steps[0]).toMatchObject({
      start: timeOfHour(firstHour),
      end: timeOfHour(firstHour + 24),
      cpu_cores: { mean: 0.5, p50: 0.5, p95: 0.5, max: 0.5, request: 1, limit: null },
      memory_gib: { mean: 1, max: 1, request: 2, limit: null },
      restarts: 0,
    })
    await expect(ask('c/shop/Deployment/nobody/app')).rejects.toThrow(Problem)
  })
})

test.each<[CostsRequest, string]>([
  [{ group_by: 'colour' }, '?group_by'],
  [{ group_by: 'label:' }, '?group_by'],
  [{ group_by: 'label:unkept' }, '?group_by'],
  [{ step: 'year' }, '?step'],
  [{ end_date: '2026-02-31' }, '?end_date'],
  [{ step: 'hour', start_date: '2020-01-01T00:00:00Z' }, '?step'],
  [{ start_date: 'yesterday' }, '?start_date'],
  [{ start_date: '2030-01-01T00:00:00Z' }, '?start_date'],
  [{ cursor: 'x' }, '?cursor'],
])('%j is refused', (request, pointer) => {
  expect(() => parseCostsRequest(request, Date.parse('2026-11-15T00:00:00Z'), ['app'])).toThrow(
    expect.objectContaining({ errors: [expect.objectContaining({ pointer })] }),
  )
})

test.each([
  ['2026-11-01', '2026-11-10', '2026-11-01T00', '2026-11-11T00'],
  ['2026-11-01', '2026-11-01', '2026-11-01T00', '2026-11-02T00'],
  ['2026-11-01T05:00:00Z', '2026-11-10T00:00:00Z', '2026-11-01T05', '2026-11-10T00'],
])('from %s to %s includes a last day without a time', (start_date, end_date, from, to) => {
  const { hours } = parseCostsRequest({ start_date, end_date }, Date.parse('2026-11-15T00:00:00Z'), [])
  expect([hours.from, hours.to].map((hour) => timeOfHour(hour).slice(0, 13))).toEqual([from, to])
})

test('without dates, the last thirty days', () => {
  const now = Date.parse('2026-11-15T00:00:00Z')
  const { hours, steps } = parseCostsRequest({}, now, [])
  expect([timeOfHour(hours.from), timeOfHour(hours.to)]).toEqual([
    '2026-10-16T00:00:00.000Z',
    new Date(now).toISOString(),
  ])
  expect(steps.count).toBe(30)
})
