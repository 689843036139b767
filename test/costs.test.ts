import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { containerSeries, hourMs, push, seriesOf } from './pushed-cluster.ts'
import { eventually, type RunningService, runCommand, startService } from './service.ts'

const toMs = Math.floor(Date.now() / hourMs) * hourMs - hourMs
const fromMs = toMs - 10 * hourMs
const iso = (ms: number) => new Date(ms).toISOString()
const window = `start_date=${encodeURIComponent(iso(fromMs))}&end_date=${encodeURIComponent(iso(toMs))}`
/** Cost of 2 cores and 4 GiB at base rates for ten hours. */
const usd = 10 * (2 * 0.031611 + 4 * 0.004237)

describe('costs of pushed usage', () => {
  let service: RunningService
  const ask = (query: string, more = {}) =>
    service.request(`/v1/costs?${query}`, { key: service.key, ...more })
  beforeAll(async () => {
    service = await startService({
      env: { CHEAPSIDE_RATE_LIMIT: '0', CHEAPSIDE_COST_LABELS: 'team,annotation:team' },
    })
    const web = { pod: 'web-1', cores: 0.5, gib: 1, requests: { cpu: 2, memoryGib: 4 } }
    const pod = { cluster: 'c1', namespace: 'shop', pod: 'web-1' }
    const samples = [{ timeMs: fromMs, value: 1 }]
    await push(service, service.key, [
      seriesOf('kube_pod_labels', { ...pod, label_team: 'orders' }, samples),
      seriesOf('kube_pod_annotations', { ...pod, annotation_team: 'web' }, samples),
      ...containerSeries(web, { fromMs, toMs }),
    ])
    await eventually(async () => (await ask(`${window}&step=hour`)).json.length >= 10)
  })
  afterAll(() => service.stop())

  test('are the spend of the namespace', async () => {
    const { json: rows } = await ask(`${window}&step=hour`)
    const sum = rows.reduce((all: number, row: { cost_usd: number }) => all + row.cost_usd, 0)
    const { json: sized } = await service.request(`/v1/namespace_recommendations?${window}`, {
      key: service.key,
    })
    expect(sum).toBeCloseTo(usd, 4)
    expect(sum).toBeCloseTo(sized[0].CurrentSpend, 4)
    expect(rows[0]).toMatchObject({ cluster: 'c1', namespace: 'shop', start: iso(fromMs) })
    expect(rows[0].estimated_cost_usd).toBe(rows[0].cost_usd)
  })

  test.each([
    ['label', 'orders'],
    ['annotation', 'web'],
  ])('are grouped by a %s that was pushed', async (kind, value) => {
    const { json } = await ask(`${window}&step=week&group_by=${kind}:team`)
    expect(new Set(json.map((row: { value: string }) => row.value))).toEqual(new Set([value]))
  })

  test('cover thirty days by default, as pages, NDJSON or CSV', async () => {
    expect((await ask('')).json.length).toBeGreaterThan(0)
    expect((await ask('')).headers.get('cheapside-measured')).toMatch(/^hours=(?:9|10)[\d.]*, of=720$/)
    const first = await ask('step=hour&limit=3')
    expect(first.json).toHaveLength(3)
    const [, next] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link')!)!
    expect(next).toContain('end_date=')
    const second = await service.request(next!, { key: service.key })
    expect(second.json[0].start > first.json[2].start).toBe(true)
    const lines = await ask('step=week', { headers: { accept: 'application/x-ndjson' } })
    expect(JSON.parse(lines.text.split('\n')[0]!)).toMatchObject({ namespace: 'shop' })
    const table = await ask('step=week', { headers: { accept: 'text/csv' } })
    expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(table.text).toMatch(/^cluster,namespace,start,end,cost_usd,/)
  })

  test('keys to group by have their values, and costs are shared as the organisation has set', async () => {
    const { json: keys } = await service.request('/v1/cost_keys')
    expect(keys.kinds).toContain('node_type')
    const team = keys.labels.find(({ name }: { name: string }) => name === 'team')
    expect(team.values).toEqual([{ value: 'orders', count: 1 }])
    const remote = (...words: string[]) =>
      runCommand(words, { CHEAPSIDE_SERVER: service.url, CHEAPSIDE_KEY: service.key })
    expect((await remote('costs', '--keys')).out).toContain('label:team: orders')
    const set = ['sharing', 'set', '--idle', 'by_cost', '--shared', 'evenly', '--namespace', 'kube-*']
    expect((await remote(...set)).out).toContain('Shared namespaces: kube-*; their cost: evenly')
    expect((await ask(`${window}&step=week`)).json[0]).toHaveProperty('shared_cost_usd')
    expect((await ask(`${window}&step=week&sharing=apart`)).json[0]).not.toHaveProperty('shared_cost_usd')
    expect((await remote('costs', '--csv')).out).toContain(',shared_cost_usd,')
    const wrong = await remote(
      'sharing',
      'set',
      '--idle',
      'fixed',
      '--share',
      'shop=70',
      '--share',
      'till=40',
    )
    expect(wrong.err).toContain('--share must add up to at most 100 percent, not 110')
    expect((await remote('sharing', 'set', '--idle', 'evenly')).out).toBe(
      'Idle cost of default: evenly\nShared namespaces: kube-*; their cost: evenly\n',
    )
    expect((await remote('sharing', 'set')).err).toContain('or --clear')
    expect((await remote('sharing', 'set', '--clear')).out).toBe(
      'Idle cost of default: apart\nShared namespaces: none\n',
    )
  })

  test('a forecast of the month says that it is too early', async () => {
    const { json } = await service.request('/v1/cost_forecast')
    expect(json).toMatchObject({ forecast_usd: null, history_days: 0 })
    expect(json.text).toMatch(/^It is too early for a forecast: 0 whole days of usage, and 7 are needed\./)
  })

  test('CSV is a file with dates in its name, also with the columns of FOCUS', async () => {
    const csv = { headers: { accept: 'text/csv' } }
    const days = 'start_date=2026-01-01&end_date=2026-01-31'
    const table = await ask(days, csv)
    expect(table.headers.get('content-disposition')).toBe(
      'attachment; filename="costs-2026-01-01-to-2026-01-31-by-cluster-namespace.csv"',
    )
    const focus = await ask(`${window}&format=focus`, csv)
    expect(focus.headers.get('content-disposition')).toContain('costs-focus-')
    expect(focus.text).toMatch(/^BillingAccountId,.*\r\ndefault,default,USD,/)
    expect((await ask(`${window}&format=focus`)).text).toBe(focus.text)
    expect((await ask(`${window}&format=focus&step=week`)).status).toBe(422)
    const { out } = await runCommand(['costs', '--focus', '--start', iso(fromMs), '--end', iso(toMs)], {
      CHEAPSIDE_SERVER: service.url,
      CHEAPSIDE_KEY: service.key,
    })
    expect(out.split('\r\n')[0]).toContain('AllocatedMethodId')
  })

  test('why costs changed', async () => {
    const { json } = await service.request(`/v1/cost_changes?${window}&group_by=workload`)
    expect(json).toMatchObject({ before_usd: 0, new_usd: json.cost_usd, change_usd: json.cost_usd })
    expect(json.cost_usd).toBeCloseTo(usd, 2)
    expect(json.groups).toMatchObject([{ cluster: 'c1', namespace: 'shop', workload: 'Deployment/web' }])
    expect((await service.request(`/v1/cost_changes?${window}&before_end_date=2026-01-01`)).status).toBe(422)
    const { out } = await runCommand(['costs', '--why', '--start', iso(fromMs), '--end', iso(toMs)], {
      CHEAPSIDE_SERVER: service.url,
      CHEAPSIDE_KEY: service.key,
    })
    expect(out).toMatch(/^TOTAL +\$0\.00 +\$0\.80$/m)
    expect(out).not.toContain('NEW')
    expect(out).toContain('Measured were 0 of 10 hours before')
    expect(out).toContain('The periods cannot be compared.')
  })

  test('need a key with the scope, and a valid request', async () => {
    const body = { organisation: 'default', name: 'w', scopes: ['usage:write'] }
    const { key } = (await service.request('/admin/keys', { body })).json
    expect((await ask('', { key })).status).toBe(403)
    expect((await ask('group_by=label:colour')).json.errors[0].message).toContain('CHEAPSIDE_COST_LABELS')
    expect((await ask('limit=0')).status).toBe(422)
  })

  test('usage of a container', async () => {
    const at = (kind: string, id: string) =>
      service.request(`/v1/usage/${kind}/${encodeURIComponent(id)}?step=hour&${window}`, { key: service.key })
    const { json } = await at('container', 'c1/shop/Deployment/web/app')
    expect(json).toMatchObject({ kind: 'container', id: 'c1/shop/Deployment/web/app' })
    expect(json.steps).toHaveLength(10)
    expect(json.steps[1]).toMatchObject({
      replicas: 1,
      cpu_cores: { p50: 0.5, max: 0.5, request: 2, limit: null },
      oom_kills: 0,
    })
    expect((await at('container', 'c1/shop/Deployment/web/other')).status).toBe(404)
    expect((await at('container', 'web')).json.errors[0].pointer).toBe('/id')
    expect((await at('machine', 'x')).status).toBe(422)
  })

  test('on the command line, from the database and from a service', async () => {
    const words = ['--start', iso(fromMs), '--end', iso(toMs), '--by', 'workload', '--step', 'week']
    const local = (...more: string[]) =>
      runCommand(['costs', ...words, ...more], { CHEAPSIDE_DATA: service.directory })
    const remote = (...more: string[]) =>
      runCommand(['costs', ...words, ...more], {
        CHEAPSIDE_SERVER: service.url,
        CHEAPSIDE_KEY: service.key,
      })
    expect((await local('--json')).out).toBe((await remote('--json')).out)
    expect((await local('--csv')).out).toBe((await remote('--csv')).out)
    const { out } = await remote()
    expect(out).toMatch(/^CLUSTER +NAMESPACE +WORKLOAD +FROM +COST +CPU USED/)
    expect(out).toContain('Total: $0.80')
    expect(out).toContain('25.0%')
    expect(out).toContain('is estimated at base rates')
    expect(await remote('--step', 'year')).toMatchObject({ code: 2 })
    expect((await local('--by', 'colour')).err).toContain('--by must be one of')
    const unlabelled = await local('--by', 'label:app')
    expect(unlabelled.out).toContain('CHEAPSIDE_COST_LABELS of the service must contain it')
    for (const call of [local, remote]) {
      expect((await call('--cluster', 'prd')).out).toBe(
        'No cluster named prd reported usage in this period. Those that did: c1.\n',
      )
      expect((await call('--cluster', 'c1', '--namespace', 'nope')).out).toBe(
        'No namespace of the cluster c1 named nope reported usage in this period. Those that did: shop.\n',
      )
      const head = (await call('--cluster', 'prd', '--csv')).out
      expect(head).toBe(`${(await call('--csv')).out.split('\r\n')[0]}\n`)
    }
  })

  test('without data, the next step is shown', async () => {
    const nobody = ['--organisation', 'nobody']
    const local = (...words: string[]) =>
      runCommand([...words, ...nobody], { CHEAPSIDE_DATA: service.directory })
    expect((await local('costs')).out).toContain('cheapside collect --from')
    expect((await local('costs', '--by', 'node', '--csv')).out).toMatch(
      /^cluster,node,start,.*,cost_type,.*,note\n$/,
    )
    const written = await local('namespaces', '--manifests', '/nowhere/at/all')
    expect(written.out).toContain('cheapside collect --from')
    expect(written.err).toBe('No manifests were written: there is no namespace with usage.\n')
    const { text } = await ask('cluster=prd', { headers: { accept: 'text/csv' } })
    expect(text).toMatch(/^cluster,namespace,start,end,[a-z_,]+\r\n$/)
  })
})
