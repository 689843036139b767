import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cpuQuantity } from '../src/domain/quantity.ts'
import type { RecommendationPage, RecommendationView } from '../src/recommendations/list/schema.ts'
import { pushTestCluster } from './console/test-cluster.ts'
import { containerSeries, hourMs, push } from './pushed-cluster.ts'
import { eventually, type RunningService, runCommand, startService } from './service.ts'

describe('recommendations for pushed usage', () => {
  let service: RunningService
  const ask = async (query = ''): Promise<RecommendationPage> =>
    (await service.request(`/v1/recommendations?idle_days=1&${query}`)).json
  const patch = (id: string, body: object, more = {}) =>
    service.request(`/v1/recommendations${id}`, { method: 'PATCH', body, ...more })
  const webApp = async (query = 'state=all'): Promise<RecommendationView> =>
    (await ask(query)).recommendations.find(
      (row) => row.workload === 'Deployment/web' && row.container === 'app',
    )!

  beforeAll(async () => {
    service = await startService({ env: { CHEAPSIDE_RATE_LIMIT: '0' } })
    // The other profiles cut at most half of the way in the first week.
    const profile = { method: 'PUT', body: { profile: 'cost' } }
    await service.request('/admin/organisations/default/sizing_profile', profile)
    const toMs = Math.floor(Date.now() / hourMs) * hourMs
    const old = {
      pod: 'old-1',
      owner: 'Deployment/old',
      cores: 0.0001,
      gib: 1,
      requests: { cpu: 1, memoryGib: 4 },
    }
    await push(
      service,
      service.key,
      containerSeries({ cluster: 'prod', ...old }, { fromMs: toMs - 30 * hourMs, toMs }),
    )
    await pushTestCluster(service, service.key)
    await eventually(async () => (await ask()).totals.count >= 4)
  })
  afterAll(() => service?.stop())

  test('commands name the clusters that exist if one is mistyped', async () => {
    const run = (...words: string[]) =>
      runCommand(words, { CHEAPSIDE_SERVER: service.url, CHEAPSIDE_KEY: service.key })
    expect((await run('costs', '--cluster', 'typo')).out).toMatch(
      /^No cluster named typo reported usage in this period\. Those that did: prod\.$/m,
    )
    expect((await run('clusters', 'list', '--cluster', 'typo')).out).toContain('No cluster named typo')
    expect((await run('volumes', '--cluster', 'typo')).out).toContain('No volume is known by that choice')
  })

  test('sum to the savings of namespaces and machines', async () => {
    const { start_date, end_date, recommendations } = await ask('kind=container,machine')
    const window = `start_date=${start_date}&end_date=${end_date}`
    const { json: namespaces } = await service.request(`/v1/namespace_recommendations?${window}`)
    expect(namespaces).toHaveLength(2)
    for (const { Namespace, MonthlySavings, MeasuredHours, ContainerRecommendations } of namespaces) {
      const { totals, recommendations } = await ask(
        `kind=container&namespace=${encodeURIComponent(Namespace)}`,
      )
      expect(totals.worth_per_month).toBe(MonthlySavings)
      for (const row of recommendations) {
        const { CurrentSpend, NewSpend, CPU } = ContainerRecommendations[`${row.workload}/${row.container}`]
        expect(row.worth_per_month).toBeCloseTo(((CurrentSpend - NewSpend) * 730) / MeasuredHours, 2)
        expect(row.recommended?.cpu_cores).toBe(CPU.Requests.Recommended)
      }
    }
    const { json: machines } = await service.request(`/v1/vm_summaries?include_rehost=true&${window}`)
    const replaced = recommendations.filter(({ kind }) => kind === 'machine')
    expect(replaced.length).toBeGreaterThan(0)
    for (const row of replaced) {
      const { rehost } = machines.find(({ vm }: { vm: string }) => vm === row.machine)
      expect(row.worth_per_month).toBe(rehost.sameRegion.savingsPerMonth)
      expect(row.recommended?.instance_type).toBe(rehost.sameRegion.instanceType)
    }
  })

  test('list idle workloads and machines once', async () => {
    const all = await ask()
    const idle = all.recommendations.filter(({ kind }) => kind === 'idle')
    expect(idle.map(({ workload, machine }) => workload ?? machine).sort()).toEqual([
      'Deployment/old',
      'sleepy',
    ])
    expect(idle.find(({ workload }) => workload !== null)).toMatchObject({
      title: 'Remove Deployment/old or scale it to zero: idle for 1 day',
      recommended: null,
      idle_days: 1,
    })
    const isOld = ({ workload, kind }: RecommendationView) =>
      workload === 'Deployment/old' && kind === 'container'
    expect(all.recommendations.some(isOld)).toBe(false)
    expect((await ask('kind=container')).recommendations.some(isOld)).toBe(true)
    const { json } = await service.request('/v1/recommendations?kind=idle')
    expect(json.totals.count).toBe(0)
  })

  test('list the nodes of a cluster separately from its containers', async () => {
    const all = await ask()
    const [row, ...others] = all.recommendations.filter(({ kind }) => kind === 'cluster')
    expect(others).toEqual([])
    expect(row).toMatchObject({
      cluster: 'prod',
      namespace: null,
      current: { instance_type: 'm5.2xlarge', nodes: 1, cpu_cores: 8 },
      recommended: { region: 'us-east-1' },
      state: 'open',
    })
    expect(row!.title).toMatch(/^Run cluster prod on \d+ x \S+ instead of 1 x m5\.2xlarge$/)
    const { json } = await service.request(
      `/v1/cluster_recommendations?cluster=prod&start_date=${all.start_date}&end_date=${all.end_date}`,
    )
    const best = json[0].options.findLast(({ effort }: { effort: string }) =>
      ['fewer', 'resize'].includes(effort),
    )
    expect(row!.worth_per_month).toBe(best.savings.amount_per_month)
    expect(row!.recommended).toMatchObject({
      instance_type: best.pools[0].instance_type,
      nodes: best.pools[0].count,
    })
    const planned = ({ provider, region, instance_type, usage_type, count }: Record<string, unknown>) => ({
      ...{ provider, region, instance_type, usage_type, count },
      operating_system: 'Linux',
    })
    expect(row!.pools).toEqual(best.pools.map(planned))
    expect(json[0].cost_per_month.lower_bound).toBeLessThanOrEqual(best.cost_per_month)
    expect(all.totals.nodes_per_month).toBe(row!.worth_per_month)
    const rest = (await ask('kind=container,machine,idle')).totals
    const { savings, ...sums } = all.totals
    expect(rest).toMatchObject({ ...sums, count: all.totals.count - 1, nodes_per_month: 0 })
    expect(savings.total_per_month).toBeGreaterThanOrEqual(rest.savings.total_per_month)
    const explained = (await service.request(`/v1/recommendations/${row!.id}`)).json
    expect(explained.nodes.options.at(-1)).toEqual(best)
    const { status, json: accepted } = await patch(`/${row!.id}`, { state: 'accepted' })
    expect([status, accepted.state]).toEqual([200, 'accepted'])
    await patch(`/${row!.id}`, { state: 'open' })
    const patches = async (ids: string) =>
      (await service.request(`/v1/recommendations/patches?ids=${ids}`)).text
    expect(await patches(row!.id)).toBe('# There is no patch for 1 cluster.\n')
    expect(await patches(`${row!.id},${row!.id},x,y`)).toBe(
      '# There is no patch for 1 cluster, 2 unknown ids.\n',
    )
    for (const query of [
      'headroom=1',
      'min_nodes=0',
      'pods_per_node=x',
      'start_date=x',
      'end_date=1999-01-01',
    ])
      expect((await service.request(`/v1/cluster_recommendations?${query}`)).status).toBe(422)
    expect((await service.request('/v1/cluster_recommendations?cluster=none')).json).toEqual([])
  })

  test('in pages with the same totals', async () => {
    const all = await ask()
    const worths = all.recommendations.map((row) => row.worth_per_month)
    expect(worths).toEqual(worths.toSorted((a, b) => b - a))
    const found: string[] = []
    let path: string | undefined = '/v1/recommendations?idle_days=1&limit=1'
    while (path !== undefined) {
      const answer = await service.request(path)
      expect(answer.json.totals).toEqual(all.totals)
      found.push(...answer.json.recommendations.map(({ id }: RecommendationView) => id))
      path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
      expect(answer.json.next_cursor === null).toBe(path === undefined)
    }
    expect(found).toEqual(all.recommendations.map(({ id }) => id))
  })

  test('are accepted, dismissed, snoozed and reopened', async () => {
    const { id } = await webApp()
    const until = new Date(Date.now() + hourMs).toISOString()
    const { name } = (await service.request('/key')).json
    for (const body of [
      { state: 'accepted' },
      { state: 'dismissed', reason: 'a standby' },
      { state: 'snoozed', reason: 'after the release', until },
    ]) {
      const { status, json } = await patch(`/${id}`, body)
      expect(status).toBe(200)
      expect(json).toMatchObject({ id, state: body.state, state_changed_by: name })
      expect(await webApp('state=open')).toBeUndefined()
      expect(await webApp(`state=${body.state}`)).toMatchObject({
        id,
        state_reason: body.reason ?? null,
        state_until: 'until' in body ? until : null,
      })
    }
    expect((await ask('state=snoozed')).totals.count).toBe(1)
    expect((await patch(`/${id}`, { state: 'open' })).json.state).toBe('open')
    expect(await webApp('state=open')).toMatchObject({ id, state_changed_by: name })
  })

  test.each([
    [{ state: 'dismissed' }, '/reason'],
    [{ state: 'snoozed', reason: 'x' }, '/until'],
    [{ state: 'snoozed', reason: 'x', until: '2020-01-01T00:00:00Z' }, '/until'],
    [{ state: 'accepted', until: '2999-01-01T00:00:00Z' }, '/until'],
    [{ state: 'applied' }, '/state'],
  ])('%o is refused', async (body, pointer) => {
    const { id } = await webApp()
    const { status, json } = await patch(`/${id}`, body)
    expect(status).toBe(422)
    expect(json.errors[0].pointer).toBe(pointer)
  })

  test('several at once; unknown ids are named', async () => {
    const ids = (await ask('kind=container')).recommendations.map(({ id }) => id)
    const { json } = await patch('', { ids: [...ids, 'none'], state: 'accepted', reason: 'sprint 12' })
    expect(json.recommendations.map(({ id }: RecommendationView) => id)).toEqual(ids.toSorted())
    expect(json.unknown).toEqual(['none'])
    expect((await ask('kind=container&state=accepted')).totals.count).toBe(ids.length)
    await patch('', { ids, state: 'open' })
    expect((await patch('/none', { state: 'accepted' })).status).toBe(404)
  })

  test('what someone has decided on meanwhile is not changed', async () => {
    const { id, etag } = await webApp()
    const others = (await ask('kind=machine')).recommendations
    const theirs = { state: 'dismissed', reason: 'a standby' }
    const decide = (body: object, match: string) => patch(`/${id}`, body, { headers: { 'if-match': match } })
    const { status, json: dismissed } = await decide(theirs, etag)
    expect([status, dismissed.state]).toEqual([200, 'dismissed'])
    const refused = await decide({ state: 'accepted' }, etag)
    expect([refused.status, refused.json.code]).toEqual([412, 'precondition-failed'])
    expect(refused.json.detail).toMatch(
      /^The key "first key" has dismissed .+: a standby\. Nothing was changed\.$/,
    )
    expect(refused.json.current).toEqual(dismissed)

    const ids = [id, ...others.map((other) => other.id), 'none']
    const if_match = { [id]: etag, none: etag, [others[0]!.id]: others[0]!.etag }
    const { json } = await patch('', { ids, if_match, state: 'accepted' })
    expect(json.changed_meanwhile).toEqual([dismissed])
    expect(json.recommendations).toHaveLength(others.length)
    expect(json.unknown).toEqual(['none'])
    expect(await webApp()).toMatchObject({ state: 'dismissed', etag: dismissed.etag })
    expect((await decide({ state: 'open' }, dismissed.etag)).status).toBe(200)
    await patch('', { ids, state: 'open' })
    expect((await patch('', { ids, if_match: { [id]: 1 }, state: 'open' })).status).toBe(422)
  })

  test('belong to an organisation, and need their own scope to be changed', async () => {
    const { id } = await webApp()
    const keyOf = async (organisation: string, ...scopes: string[]) =>
      (await service.request('/admin/keys', { body: { organisation, name: 'k', scopes } })).json.key
    const reader = await keyOf('default', 'gateway:read')
    expect((await patch(`/${id}`, { state: 'accepted' }, { key: reader })).status).toBe(403)
    const other = await keyOf('other', 'gateway:read', 'gateway:write')
    expect((await patch(`/${id}`, { state: 'accepted' }, { key: other })).status).toBe(404)
    expect((await service.request('/v1/recommendations', { key: other })).json.totals.count).toBe(0)
  })

  test('are explained by the data they are based on', async () => {
    const { id } = await webApp()
    const { json } = await service.request(`/v1/recommendations/${id}`)
    expect(json.recommendation).toMatchObject({
      id,
      workload: 'Deployment/web',
      container: 'app',
      state: 'open',
    })
    expect(json.container.CPU.Requests.Recommended).toBe(json.recommendation.recommended.cpu_cores)
    expect(json.container.Explanation.CPU.Estimates.length).toBeGreaterThan(1)
    expect(json.machine).toBeNull()
    const [machine] = (await ask('kind=machine')).recommendations
    const explained = (await service.request(`/v1/recommendations/${machine!.id}`)).json
    expect(explained.machine).toMatchObject({ vm: machine!.machine })
    expect(explained.machine.rehost.options.length).toBeGreaterThan(0)
    expect((await service.request('/v1/recommendations/none')).status).toBe(404)
  })

  test('become patches of one cluster', async () => {
    const ids = (await ask('kind=container,idle&namespace=shop')).recommendations.map(({ id }) => id)
    const { text, headers } = await service.request(`/v1/recommendations/patches?ids=${ids}`)
    expect(headers.get('content-type')).toBe('application/yaml; charset=utf-8')
    expect(text).toContain('Recommended for namespace shop of cluster prod.')
    expect(text).toContain('kind: Deployment\nmetadata:\n  name: web\n  namespace: shop')
    expect(text).toContain('name: old\n  namespace: shop\nspec:\n  replicas: 0')
    const { recommended } = await webApp()
    expect(text).toContain(`cpu: ${cpuQuantity(recommended!.cpu_cores!)}`)
    const component = await service.request(`/v1/recommendations/patches?ids=${ids}&format=kustomize`)
    expect(component.text).toContain('kind: Component')
    const everywhere = (await ask('kind=container')).recommendations.map(({ id }) => id)
    const mixed = await service.request(`/v1/recommendations/patches?ids=${everywhere}&format=kustomize`)
    expect(mixed.json.errors[0]).toMatchObject({
      pointer: '?ids',
      message: expect.stringContaining('one namespace'),
    })
    expect((await service.request('/v1/recommendations/patches?ids=none')).status).toBe(404)
    expect((await service.request('/v1/recommendations/patches?ids=,')).status).toBe(422)
  })

  test('on the command line, from the database and from a service', async () => {
    const local = (...words: string[]) =>
      runCommand(['recommendations', ...words], { CHEAPSIDE_DATA: service.directory })
    const remote = (...words: string[]) =>
      runCommand(['recommendations', ...words], {
        CHEAPSIDE_SERVER: service.url,
        CHEAPSIDE_KEY: service.key,
      })
    const { id } = await webApp()
    for (const call of [local, remote]) {
      const { out } = await call('list', '--kind', 'container', '--namespace', 'shop')
      expect(out).toMatch(/^ID +SAVES A MONTH +RISK +EFFORT +CONFIDENCE +STATE +WHERE +RECOMMENDATION\n/)
      expect(out).toMatch(
        new RegExp(`${id} +\\$[\\d.]+ .* prod/shop +Resize app of Deployment/web: CPU from 2 to`),
      )
      expect((await call('accept', id)).out).toBe('1 recommendation accepted.\n')
      expect(await call('reopen', id, 'none')).toMatchObject({
        code: 1,
        out: '1 recommendation reopened.\n',
        err: 'No recommendation has the id none.\n',
      })
      expect((await call('patch', id)).out).toContain('kind: Deployment')
      expect((await call('list', '--kind', 'pod')).err).toContain('--kind must be all, or some of container')
    }
    expect((await remote('dismiss', id)).err).toContain('--reason is required for the state dismissed')
    expect(JSON.parse((await remote('list', '--state', 'all', '--json')).out).totals.count).toBeGreaterThan(3)
    expect(await remote('list', '--limit', '0')).toMatchObject({ code: 2 })
  })

  test('are recognised once applied, and their savings are counted', async () => {
    const { id, worth_per_month, recommended } = await webApp('state=open')
    const { cpu_cores, memory_gib } = recommended!
    const nowMs = Date.now()
    const requests = { cpu: cpu_cores!, memoryGib: memory_gib! }
    const pods = ['web-1', 'web-2'].flatMap((pod) =>
      containerSeries(
        { cluster: 'prod', pod, cores: 0.3, gib: 1, requests },
        { fromMs: nowMs - 300_000, toMs: nowMs },
      ),
    )
    await push(service, service.key, pods)
    await eventually(async () => (await webApp('state=applied')) !== undefined)
    const page = await ask('state=applied')
    expect(page.recommendations[0]).toMatchObject({
      id,
      state: 'applied',
      realised: { per_month: worth_per_month },
    })
    expect(page.realised).toMatchObject({ count: 1, per_month: worth_per_month })
    expect(page.realised.since).not.toBeNull()
  })

  test('what was accepted and is no longer recommended stays in the list', async () => {
    const old = async (query: string) =>
      (await ask(`kind=idle&${query}`)).recommendations.find(({ workload }) => workload === 'Deployment/old')
    const pushOld = (cores: number, fromMs: number, toMs: number) => {
      const requests = { cpu: 1, memoryGib: 4 }
      const pod = { cluster: 'prod', pod: 'old-1', owner: 'Deployment/old', cores, gib: 1, requests }
      return push(service, service.key, containerSeries(pod, { fromMs, toMs, everyMs: 10_000 }))
    }
    const nowMs = Date.now()
    await pushOld(0.0001, nowMs - 300_000, nowMs)
    await eventually(async () => (await old('state=open')) !== undefined)
    const { id, title } = (await old('state=open'))!
    await patch(`/${id}`, { state: 'accepted' })
    await pushOld(0.9, nowMs + 1000, nowMs + 61_000)
    await eventually(async () => (await old('state=accepted'))?.outdated_since !== null)
    const outdated = (await old('state=accepted'))!
    expect(outdated).toMatchObject({ id, title, state: 'accepted', worth_per_month: 0 })
    expect(outdated.reasons[0]).toMatch(/^No longer recommended since \d{4}-\d\d-\d\d: it is used again\.$/)
    expect((await service.request(`/v1/recommendations/${id}`)).json.recommendation).toEqual(outdated)
    const { text } = await service.request(`/v1/recommendations/patches?ids=${id}`)
    expect(text).toBe('# There is no patch for 1 outdated recommendation.\n')
    const { out } = await runCommand(['recommendations', 'list', '--state', 'accepted', '--idle-days', '1'], {
      CHEAPSIDE_SERVER: service.url,
      CHEAPSIDE_KEY: service.key,
    })
    expect(out).toMatch(new RegExp(`${id} +\\$0\\.00 .* accepted, outdated +prod/shop`))
    await patch(`/${id}`, { state: 'dismissed', reason: 'in use' })
    expect(await old('state=all')).toBeUndefined()
  })
})
