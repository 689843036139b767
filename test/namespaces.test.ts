import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { NamespaceRecommendation } from '../src/recommendations/containers/schema.ts'
import {
  containerSeries,
  hourMs,
  nodeSeries,
  type PushedContainer,
  push,
  seriesOf,
} from './pushed-cluster.ts'
import { type Answer, eventually, runCommand, type SharedService, sharedService } from './service.ts'

let service: SharedService
let newest: string
beforeAll(async () => {
  service = await sharedService()
})

/** A key of a new organisation. */
async function newKey(scopes = ['gateway:read', 'usage:write']): Promise<string> {
  const issued = await service.newKey(scopes)
  newest = issued.organisation
  return issued.key
}

/** Ten complete hours in the past. */
const toMs = Math.floor(Date.now() / hourMs) * hourMs - hourMs
const fromMs = toMs - 10 * hourMs
const hours = 10
const iso = (ms: number) => new Date(ms).toISOString()
const time = (ms: number) => encodeURIComponent(iso(ms))
const window = `start_date=${time(fromMs)}&end_date=${time(toMs)}`
const ask = (key: string, query = '', more = window): Promise<Answer> =>
  service.request(`/v1/namespace_recommendations?${more}${query}`, { key })

/** Pushes containers that ran in the window, and waits until their samples are digested. */
async function pushContainers(
  containers: readonly PushedContainer[],
  more: ReturnType<typeof nodeSeries> = [],
) {
  const key = await newKey()
  await push(service, key, [...more, ...containers.flatMap((one) => containerSeries(one, { fromMs, toMs }))])
  await eventually(async () => {
    const { json } = await ask(key)
    const found = (json as NamespaceRecommendation[]).flatMap((one) =>
      Object.values(one.ContainerRecommendations).map(({ Replicas }) => Replicas.Highest),
    )
    return found.reduce((sum, count) => sum + count, 0) >= containers.length
  })
  return key
}

const baseCore = 0.031611
const baseGib = 0.004237
const web = (pod: string): PushedContainer => ({
  pod,
  cores: 0.5,
  gib: 1,
  requests: { cpu: 2, memoryGib: 4 },
  limits: { cpu: 4, memoryGib: 4 },
})
const shop: readonly PushedContainer[] = [
  web('web-1'),
  web('web-2'),
  { pod: 'db-0', owner: 'StatefulSet/db', cores: 1, gib: 2, requests: { cpu: 0.5, memoryGib: 4 } },
]

describe('a namespace calculated by hand', () => {
  let key: string
  let organisation: string
  let answer: NamespaceRecommendation
  beforeAll(async () => {
    const quota = (type: string, resource: string, value: number) =>
      seriesOf(
        'kube_resourcequota',
        { cluster: 'c1', namespace: 'shop', resourcequota: 'all', type, resource },
        [{ timeMs: toMs, value }],
      )
    key = await pushContainers(shop, [
      ...nodeSeries({ name: 'n1', cores: 16, gib: 64 }, toMs),
      quota('hard', 'limits.cpu', 20),
      quota('hard', 'requests.memory', 32 * 2 ** 30),
    ])
    organisation = newest
    // The rules of this policy are public, so the expected sizes can be calculated: p95 of CPU, 1.15 x the highest memory.
    const { json } = await ask(key, '&profile=krr-simple')
    answer = json[0]
  })

  test('has every field of the contract', () => {
    expect(answer).toMatchObject({ APIVersion: 'v1', Cluster: 'c1', Namespace: 'shop' })
    expect(new Date(answer.CreationTime).toISOString()).toBe(answer.CreationTime)
    expect(Object.keys(answer)).toEqual([
      'APIVersion',
      'Cluster',
      'Namespace',
      'CreationTime',
      'CurrentSpend',
      'NewSpend',
      'TotalResourceSavingsAmount',
      'ExpectedUtilisationPercent',
      'ContainerRecommendations',
      'ResourceQuotaRecommendations',
      'TotalCPULimits',
      'TotalCPULimitsSavings',
      'TotalCPURequests',
      'TotalCPURequestsSavings',
      'TotalMemoryLimits',
      'TotalMemoryLimitsSavings',
      'TotalMemoryRequests',
      'TotalMemoryRequestsSavings',
      'CurrentUtilisationPercent',
      'MeasuredHours',
      'MonthlyCurrentSpend',
      'MonthlyNewSpend',
      'MonthlySavings',
      'MonthlySavingsIfAllChange',
      'EstimatedSpend',
      'Prices',
      'Notes',
    ])
  })

  test('reports that its prices are an estimate, and what to configure', () => {
    expect(answer.EstimatedSpend).toBe(answer.CurrentSpend)
    expect(answer.Prices).toEqual([{ Source: 'base', Date: null, Nodes: 1 }])
    expect(answer.Notes).toEqual([expect.stringContaining('--metric-labels-allowlist=nodes=[*]')])
  })

  test('sizes', () => {
    const { ContainerRecommendations: found } = answer
    expect(Object.keys(found)).toEqual(['Deployment/web/app', 'StatefulSet/db/app'])
    // 1.15 GiB is 1177.6 MiB, hence 1178.
    expect(found['Deployment/web/app']).toMatchObject({
      Kind: 'Deployment',
      Workload: 'web',
      Container: 'app',
      CPU: {
        Requests: { Current: 2, Recommended: 0.5 },
        Limits: { Current: 4, Recommended: 1 },
        Usage: { Mean: 0.5, P50: 0.5, P99: 0.5, Max: 0.5 },
      },
      Memory: {
        Requests: { Current: 4, Recommended: 1.150391 },
        Limits: { Current: 4, Recommended: 1.150391 },
      },
      Replicas: { Current: 2, Highest: 2, AutoscalerMaximum: null },
      OOMKills: 0,
    })
    expect(found['StatefulSet/db/app']).toMatchObject({
      CPU: { Requests: { Current: 0.5, Recommended: 1 }, Limits: { Current: null, Recommended: null } },
      Memory: { Requests: { Current: 4, Recommended: 2.300781 } },
    })
  })

  test('spend', () => {
    const now = 2 * (2 * baseCore + 4 * baseGib) + (1 * baseCore + 4 * baseGib)
    const then = 2 * (0.5 * baseCore + 1.150391 * baseGib) + (1 * baseCore + 2.300781 * baseGib)
    expect(answer.CurrentSpend).toBeCloseTo(hours * now, 5)
    expect(answer.NewSpend).toBeCloseTo(hours * then, 5)
    expect(answer.TotalResourceSavingsAmount).toBeCloseTo(hours * (now - then), 5)
    const parts = Object.values(answer.ContainerRecommendations)
    expect(parts.reduce((sum, { CurrentSpend }) => sum + CurrentSpend, 0)).toBeCloseTo(answer.CurrentSpend, 5)
  })

  test('totals, quota and utilisation', () => {
    expect(answer).toMatchObject({
      TotalCPURequests: 4.5,
      TotalCPURequestsSavings: 2.5,
      TotalCPULimits: 8,
      TotalCPULimitsSavings: 6,
      TotalMemoryRequests: 12,
      TotalMemoryLimits: 8,
    })
    expect(answer.TotalMemoryRequestsSavings).toBeCloseTo(12 - 2 * 1.150391 - 2.300781, 5)
    expect(answer.TotalMemoryLimitsSavings).toBeCloseTo(8 - 2 * 1.150391, 5)
    // The limits of web and, because it has none, the request of db; plus a quarter.
    const { CPU, Memory } = answer.ResourceQuotaRecommendations
    expect(CPU).toEqual({ Current: 20, Recommended: 1.25 * (2 * 1 + 1) })
    expect(Memory.Current).toBe(32)
    expect(Memory.Recommended).toBeCloseTo(1.25 * (2 * 1.150391 + 2.300781), 5)
    // (2 x 0.5 + 1) / (2 x 0.5 + 1) and (2 x 1 + 2) / (2 x 1.150391 + 2.300781).
    expect(answer.ExpectedUtilisationPercent.cpu).toBeCloseTo(100, 1)
    expect(answer.ExpectedUtilisationPercent.memory).toBeCloseTo(86.93, 1)
  })

  test('the usual profile answers with bounds, confidence and reasons', async () => {
    const { json } = await ask(key)
    for (const one of Object.values((json as NamespaceRecommendation[])[0]!.ContainerRecommendations)) {
      expect(one.Confidence).toBeGreaterThanOrEqual(0)
      expect(one.Confidence).toBeLessThanOrEqual(1)
      expect(one.Reasons.length).toBeGreaterThan(0)
      const { LowerBound, UpperBound } = one.CPU.Requests
      expect(LowerBound!).toBeLessThanOrEqual(UpperBound!)
    }
  })

  test('explain=true reports the distribution of usage and the estimates', async () => {
    const { json } = await ask(key, '&explain=true')
    const { Explanation } = json[0].ContainerRecommendations['Deployment/web/app']
    expect(Explanation.CPU.Distribution).toEqual([{ From: 0.5, To: 0.5, Percent: 100 }])
    expect(Explanation.CPU.Estimates).not.toBeNull()
  })

  test('can be exported', async () => {
    const at = (format: string) =>
      service.request(
        `/v1/namespace_recommendations/c1/shop/manifests?${window}&profile=krr-simple&format=${format}`,
        {
          key,
        },
      )
    const patch = await at('patch')
    expect(patch.headers.get('content-type')).toBe('application/yaml; charset=utf-8')
    expect(patch.text).toContain('kind: Deployment')
    expect(patch.text).toContain('cpu: 500m')
    expect((await at('vpa')).text).toContain('kind: VerticalPodAutoscaler')
    expect((await at('quota')).text).toContain('kind: ResourceQuota')
    expect((await at('kustomize')).text).toContain('kind: Component')
    expect((await at('csv')).headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const wrong = await at('toml')
    expect(wrong.status).toBe(422)
    expect(wrong.json.errors[0].pointer).toBe('?format')
  })

  test('is printed on the command line, and written to a directory', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'cheapside-manifests-'))
    const words = ['--organisation', organisation, '--start', iso(fromMs), '--end', iso(toMs)]
    const run = (...more: string[]) =>
      runCommand(['namespaces', ...words, ...more], { CHEAPSIDE_DATA: service.directory })
    const shown = await run('--profile', 'krr-simple', '--manifests', directory)
    expect(shown.err).toContain('Wrote the manifests of 1 namespace')
    // 2.0871, 0.8277 and 1.2594 in ten hours, 73 times a month; 2 of 4.5 cores and 4 of 12 GiB are used.
    expect(shown.out).toMatch(
      /^c1 +shop +2 +\$152\.\d\d +\$60\.\d\d +-\$9[12]\.\d\d +60\.\d% +44\.4% +33\.3%$/m,
    )
    expect(shown.out).toMatch(/Deployment\/web\/app +2 -> 500m +4Gi -> 1178Mi/)
    expect(readdirSync(join(directory, 'c1', 'shop')).sort()).toEqual([
      'kustomization.yaml',
      'patch.yaml',
      'quota.yaml',
      'recommendations.csv',
      'vpa.yaml',
    ])
    rmSync(directory, { recursive: true })
    const explained = (await run('--explain')).out
    expect(explained).toMatch(/^shop Deployment\/web\/app$/m)
    expect(explained).toMatch(/^ {2}balanced +0\.5\d* cores +1\.\d+ GiB$/m)
    // Nothing is cut before a day of history.
    expect(explained).toMatch(/^ {2}first day +2 cores \* +4 GiB \*$/m)
    expect(explained).toMatch(/^ {2}krr-simple +0\.5 cores +1\.15 GiB$/m)
    expect(explained).toMatch(
      /^ {2}CPU: p99 0\.5 cores, peak 0\.5 cores in 10 hours; 5\d\dm with the balanced profile: .*\.$/m,
    )
    const [json] = JSON.parse((await run('--profile', 'krr-simple', '--json')).out)
    expect({ ...json, CreationTime: '' }).toEqual({ ...answer, CreationTime: '' })
    const wrong = await run('--profile', 'reckless')
    expect(wrong.code).toBe(2)
    expect(wrong.err).toContain('--profile must be one of')
  })

  test('is sized by the profile of the organisation, unless the request names another', async () => {
    const path = `/admin/organisations/${organisation}/sizing_profile`
    const set = (body: object) => service.request(path, { method: 'PUT', body })
    const reasons = async (query = '') =>
      (await ask(key, query)).json[0].ContainerRecommendations['Deployment/web/app'].Reasons.join(' ')
    const mine = async () => (await service.request('/v1/sizing_profile', { key })).json
    expect(await mine()).toEqual({ organisation, profile: 'balanced', risk: null, set: false })
    expect(await reasons()).toContain('with the balanced profile')
    expect((await set({ profile: 'Safe' })).json).toMatchObject({ profile: 'safe', set: true })
    expect(await mine()).toEqual({ organisation, profile: 'safe', risk: null, set: true })
    expect(await reasons()).toContain('with the safe profile')
    expect(await reasons('&profile=cost')).toContain('with the cost profile')
    expect(await reasons('&risk=0.02')).toContain('at a risk of 2%')
    expect((await set({ risk: 0.005 })).json).toMatchObject({ profile: null, risk: 0.005 })
    expect(await reasons()).toContain('at a risk of 0.5%')
    expect((await set({})).json).toMatchObject({ profile: 'balanced', set: false })
    expect(await reasons()).toContain('with the balanced profile')
    const run = (...words: string[]) =>
      runCommand(['sizing', ...words, '--organisation', organisation], { CHEAPSIDE_DATA: service.directory })
    expect((await run('set', '--profile', 'cost')).out).toContain('with the cost profile')
    expect(await reasons()).toContain('with the cost profile')
    expect(JSON.parse((await run('show', '--json')).out)).toMatchObject({ profile: 'cost', set: true })
    expect((await run('set', '--risk', '7')).err).toContain('--risk must be a number from 0 to 1')
    expect((await run('set')).code).toBe(2)
    await set({})
  })

  test.each<[object, string[]]>([
    [{ profile: 'reckless' }, ['/profile']],
    [{ risk: -1 }, ['/risk']],
    [{ risk: 0.1, profile: 'safe' }, ['/risk']],
    [{ risk: 'none' }, ['/risk']],
  ])('a sizing profile cannot be %j', async (body, pointers) => {
    const path = '/admin/organisations/acme/sizing_profile'
    const { status, json } = await service.request(path, { method: 'PUT', body })
    expect(status).toBe(422)
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers)
    expect((await service.request(path, { method: 'PUT', body: {}, key })).status).toBe(403)
  })

  test('belongs only to its organisation', async () => {
    expect((await ask(await newKey())).json).toEqual([])
    expect((await ask(await newKey(['usage:write']))).status).toBe(403)
    expect((await service.request(`/v1/namespace_recommendations?${window}`, { key: null })).status).toBe(401)
  })

  test('half the window costs half, and there is nothing outside of it', async () => {
    const half = `start_date=${time(fromMs)}&end_date=${time(fromMs + 5 * hourMs)}`
    const { json } = await ask(key, '', half)
    expect(json[0].CurrentSpend).toBeCloseTo(answer.CurrentSpend / 2, 5)
    const offset = `start_date=${encodeURIComponent('2026-01-01T00:00:00+01:00')}&end_date=${time(fromMs)}`
    expect((await ask(key, '', offset)).json).toEqual([])
  })
})

describe('windows', () => {
  let key: string
  beforeAll(async () => {
    key = await pushContainers([{ ...web('web-1') }])
  })

  test.each<[string, string, string[]]>([
    ['none', '', ['?start_date', '?end_date']],
    ['no end', `start_date=${time(fromMs)}`, ['?end_date']],
    ['no times', 'start_date=yesterday&end_date=2026-02-30T00:00:00Z', ['?start_date', '?end_date']],
    ['start after end', `start_date=${time(toMs)}&end_date=${time(fromMs)}`, ['?start_date']],
    ['start at the end', `start_date=${time(toMs)}&end_date=${time(toMs)}`, ['?start_date']],
    ['a bad profile', `${window}&profile=reckless`, ['?profile']],
    ['a risk above all', `${window}&risk=1.5`, ['?risk']],
    ['a risk of a public policy', `${window}&risk=0.01&profile=vpa`, ['?risk']],
    ['a bad limit', `${window}&limit=0`, ['?limit']],
    ['a bad cursor', `${window}&cursor=nonsense`, ['?cursor']],
  ])('%s: 422', async (_, query, pointers) => {
    const { status, json } = await ask(key, '', query)
    expect(status).toBe(422)
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers)
  })

  test('of ten years contains all usage', async () => {
    const { json } = await ask(key, '', 'start_date=2018-01-01T00:00:00Z&end_date=2028-01-01T00:00:00Z')
    expect(json[0].CurrentSpend).toBeCloseTo(hours * (2 * baseCore + 4 * baseGib), 5)
  })

  test.each([
    'start_date=2090-01-01T00:00:00Z&end_date=2091-01-01T00:00:00Z',
    `${window}&cluster=none`,
    `${window}&namespace=none`,
  ])('nothing in %s: an empty array', async (query) => {
    const { status, json } = await ask(key, '', query)
    expect(status).toBe(200)
    expect(json).toEqual([])
  })
})

describe('clusters', () => {
  const strange = 'arn:aws:eks:eu/größe 1'
  let key: string
  beforeAll(async () => {
    const one = (cluster: string, namespace: string) => ({ ...web('web-1'), cluster, namespace })
    key = await pushContainers([one('b', 'x'), one('a', 'y'), one('a', 'x'), one(strange, 'z')])
  })
  const places = ({ json }: Answer) =>
    json.map((one: NamespaceRecommendation) => [one.Cluster, one.Namespace])

  test('come in order, and by filter', async () => {
    const all = [
      ['a', 'x'],
      ['a', 'y'],
      [strange, 'z'],
      ['b', 'x'],
    ]
    expect(places(await ask(key))).toEqual(all)
    expect(places(await ask(key, '&namespace=x'))).toEqual([all[0], all[3]])
    expect(places(await ask(key, `&cluster=${encodeURIComponent(strange)}`))).toEqual([all[2]])
    expect(places(await ask(key, '&cluster=&namespace='))).toEqual(all)
  })

  test('page by page', async () => {
    const seen: string[][] = []
    let next: string | undefined = `/v1/namespace_recommendations?${window}&limit=3`
    while (next !== undefined) {
      const page: Answer = await service.request(next, { key })
      expect(page.json.length).toBeLessThanOrEqual(3)
      seen.push(...places(page))
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual(places(await ask(key)))
  })

  test('with slashes and unicode in a path', async () => {
    const path = `/v1/namespace_recommendations/${encodeURIComponent(strange)}/z/manifests?${window}`
    const { status, text } = await service.request(path, { key })
    expect(status).toBe(200)
    expect(text).toContain(`of cluster ${strange}.`)
    const none = await service.request(`/v1/namespace_recommendations/a/none/manifests?${window}`, { key })
    expect(none.status).toBe(200)
    expect(none.text).toBe('# No usage of namespace none of cluster a in this period.\n')
  })
})

test('a node has the price of its instance type, and the spend of a full one is its price', async () => {
  const node = nodeSeries({ name: 'ip-10-0-0-1', cores: 4, gib: 16, labels: m5 }, toMs)
  const identity = {
    cluster: 'c1',
    node: 'ip-10-0-0-1',
    provider_id: 'aws:///us-east-1a/i-0123456789abcdef0',
  }
  const info = seriesOf('kube_node_info', identity, [{ timeMs: toMs, value: 1 }])
  const full = { ...web('web-1'), node: 'ip-10-0-0-1', requests: { cpu: 4, memoryGib: 16 } }
  const key = await pushContainers([full], [...node, info])
  // m5.xlarge in us-east-1: 0.192 an hour, a core weighing 7.5 GiB: 0.192 / (4 x 7.5 + 16) a GiB.
  const gibUsd = 0.192 / 46
  const { json } = await ask(key, '&profile=krr-simple')
  expect(json[0].CurrentSpend).toBeCloseTo(hours * 0.192, 5)
  expect(json[0]).toMatchObject({ EstimatedSpend: 0, Notes: [] })
  expect(json[0].Prices).toEqual([
    { Source: 'list', Date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), Nodes: 1 },
  ])
  // The limit equals the request, so the request of 0.5 cores is raised to the peak plus 15%.
  expect(json[0].NewSpend).toBeCloseTo(hours * (0.575 * 7.5 * gibUsd + 1.150391 * gibUsd), 5)
})

const m5 = {
  label_node_kubernetes_io_instance_type: 'm5.xlarge',
  label_topology_kubernetes_io_region: 'us-east-1',
  label_topology_kubernetes_io_zone: 'us-east-1a',
  label_kubernetes_io_os: 'linux',
}

describe('unusual situations', () => {
  test('the spend is not more than the price of the nodes, whatever is requested or used', async () => {
    const greedy = (pod: string, namespace: string) => ({
      pod,
      namespace,
      cores: 1.5,
      gib: 2,
      requests: { cpu: 64, memoryGib: 256 },
    })
    const key = await pushContainers(
      [greedy('a-1', 'a'), greedy('b-1', 'b'), { pod: 'c-1', namespace: 'c', cores: 1.5, gib: 6 }],
      nodeSeries({ name: 'n1', cores: 4, gib: 8 }, toMs),
    )
    const nodeUsd = hours * (4 * baseCore + 8 * baseGib)
    const sum = (found: NamespaceRecommendation[], of: 'CurrentSpend' | 'NewSpend') =>
      found.reduce((all, one) => all + one[of], 0)
    for (const profile of ['balanced', 'krr-simple', 'kubecost']) {
      const { json } = await ask(key, `&profile=${profile}`)
      expect(sum(json, 'CurrentSpend')).toBeCloseTo(nodeUsd, 4)
      for (const { NewSpend } of json) expect(NewSpend).toBeLessThanOrEqual(nodeUsd + 1e-5)
      // Before a day of history ours cuts nothing. What a namespace costs if it alone changes does not add up then.
      if (profile !== 'balanced') expect(sum(json, 'NewSpend')).toBeLessThanOrEqual(nodeUsd + 1e-5)
    }
    const all = (await ask(key)).json as NamespaceRecommendation[]
    const alone = (await ask(key, '&namespace=a')).json[0]
    expect(alone.CurrentSpend).toBeCloseTo(all[0]!.CurrentSpend, 5)
  })

  test('a container without requests or limits', async () => {
    const key = await pushContainers([{ pod: 'bare', owner: '<none>/<none>', cores: 0.2, gib: 0.25 }])
    const { json } = await ask(key, '&profile=krr-simple')
    expect(json[0].CurrentSpend).toBeCloseTo(hours * (0.2 * baseCore + 0.25 * baseGib), 5)
    expect(json[0]).toMatchObject({ TotalCPURequests: 0, TotalCPULimits: 0, TotalCPULimitsSavings: 0 })
    expect(json[0].TotalCPURequestsSavings).toBeCloseTo(-0.2, 6)
    expect(json[0].ContainerRecommendations['Pod/bare/app'].CPU.Requests).toMatchObject({
      Current: null,
      Recommended: 0.2,
    })
  })

  test('a renamed namespace has its part of the spend under each name, and no replicas under the old one', async () => {
    const key = await newKey()
    const half = fromMs + 5 * hourMs
    await push(service, key, [
      ...containerSeries({ ...web('web-1'), namespace: 'old' }, { fromMs, toMs: half }),
      ...containerSeries({ ...web('web-2'), namespace: 'new' }, { fromMs: half, toMs }),
    ])
    const found = await eventually(async () => {
      const { json } = await ask(key)
      return json.length === 2 && (json as NamespaceRecommendation[])
    })
    expect(found.map(({ Namespace, TotalCPURequests }) => [Namespace, TotalCPURequests])).toEqual([
      ['new', 2],
      ['old', 0],
    ])
    for (const { CurrentSpend } of found)
      expect(CurrentSpend).toBeCloseTo(5 * (2 * baseCore + 4 * baseGib), 5)
  })

  test('clusters whose clocks differ by an hour each have their own replicas', async () => {
    const key = await newKey()
    await push(service, key, [
      ...containerSeries({ ...web('web-1'), cluster: 'late' }, { fromMs, toMs: toMs - hourMs }),
      ...containerSeries({ ...web('web-1'), cluster: 'right' }, { fromMs, toMs }),
    ])
    const found = await eventually(async () => {
      const { json } = await ask(key)
      return json.length === 2 && (json as NamespaceRecommendation[])
    })
    expect(found.map(({ Cluster, TotalCPURequests }) => [Cluster, TotalCPURequests])).toEqual([
      ['late', 2],
      ['right', 2],
    ])
  })
})

test('volumes are listed with their price, use and a cheaper disk, on the day on which they were seen', async () => {
  const key = await newKey(['gateway:read', 'usage:write', 'pricing:read'])
  const claim = { namespace: 'shop', persistentvolumeclaim: 'data-db-0' }
  const volume = { persistentvolume: 'pvc-1', namespace: 'kube-state-metrics' }
  const lost = { ...volume, persistentvolume: 'pvc-2' }
  const at = (name: string, labels: Record<string, string>, value: number) =>
    seriesOf(name, labels, [{ timeMs: Date.now() - 60_000, value }])
  await push(service, key, [
    at(
      'kube_node_labels',
      {
        node: 'n1',
        label_node_kubernetes_io_instance_type: 'm5.large',
        label_topology_kubernetes_io_region: 'us-east-1',
      },
      1,
    ),
    at('kube_persistentvolumeclaim_info', { ...claim, storageclass: 'gp2', volumename: 'pvc-1' }, 1),
    at('kube_persistentvolumeclaim_resource_requests_storage_bytes', claim, 100 * 2 ** 30),
    at('kube_pod_spec_volumes_persistentvolumeclaims_info', { ...claim, pod: 'db-0', volume: 'data' }, 1),
    at('kubelet_volume_stats_used_bytes', claim, 20 * 2 ** 30),
    at('kube_persistentvolume_capacity_bytes', lost, 50 * 2 ** 30),
    at('kube_persistentvolume_info', { ...lost, storageclass: 'gp3' }, 1),
    at('kube_persistentvolume_status_phase', { ...lost, phase: 'Released' }, 1),
    at('kube_persistentvolume_status_phase', { ...lost, phase: 'Bound' }, 0),
    at('kube_service_spec_type', { namespace: 'shop', service: 'web', type: 'LoadBalancer' }, 1),
    at('kube_service_spec_type', { namespace: 'shop', service: 'db', type: 'ClusterIP' }, 1),
    at('kube_pod_owner', { namespace: 'shop', pod: 'db-0', owner_kind: 'StatefulSet', owner_name: 'db' }, 1),
    seriesOf(
      'container_network_transmit_bytes_total',
      { namespace: 'shop', pod: 'db-0', interface: 'eth0' },
      [1, 3].map((gib, index) => ({ timeMs: Date.now() - 60_000 + index, value: gib * 2 ** 30 })),
    ),
  ])
  const listed = () => service.request('/v1/volumes', { key })
  await eventually(async () => (await listed()).json.totals.cost_per_month > 0)
  const { volumes, totals } = (await listed()).json
  expect(totals).toMatchObject({ count: 2, size_gib: 150, cost_per_month: 14, savings_per_month: 1.88 })
  expect(volumes[0]).toMatchObject({
    volume: 'pvc-2',
    claim: null,
    state: 'without-claim',
    cost_per_month: 4,
  })
  expect(volumes[1]).toMatchObject({
    ...{ namespace: 'shop', claim: 'data-db-0', state: 'used', size_gib: 100, used_gib: 20 },
    ...{ provider: 'AWS', region: 'us-east-1', disk_type: 'gp2', cost_per_month: 10 },
    better: { type: 'gp3', savings_per_month: 1.88 },
  })
  expect((await service.request('/v1/volumes?state=lost', { key })).status).toBe(422)
  const query = 'step=month&group_by=namespace,storage_class'
  const costs = (await service.request(`/v1/costs?${query}`, { key })).json as Record<string, unknown>[]
  // An hour of 50 GiB of gp3, one of a load balancer without a price, and one of 100 GiB of gp2.
  expect(
    costs.map((row) => [
      row.namespace,
      row.storage_class,
      row.cost_usd,
      row.other_cost_usd,
      row.unpriced_hours,
    ]),
  ).toEqual([
    [null, 'gp3', 0.005479, 0.005479, 0],
    ['shop', null, 0, 0, 1],
    ['shop', 'gp2', 0.013699, 0.013699, 0],
  ])
  const ofKinds = async (more = '') =>
    (
      (await service.request(`/v1/costs?step=month&group_by=kind${more}`, { key })).json as Record<
        string,
        unknown
      >[]
    ).map((row) => [row.kind, row.cost_usd, row.unpriced_hours])
  expect((await ofKinds()).at(-1)).toEqual(['Service', 0, 1])
  const { organisation } = (await service.request('/key', { key })).json
  const set = (body: object) =>
    service.request(`/admin/organisations/${organisation}/cost_sharing`, { method: 'PUT', body })
  await set({ load_balancer_usd_per_month: 18.25 })
  expect((await ofKinds()).at(-1)).toEqual(['Service', 0.025, 0])
  // Two GiB are at most $0.18, beside the costs, until it is said that half of them went to the internet.
  const network = { load_balancer_usd_per_month: 18.25, network_usd_per_gib: 0.09 }
  const ofPod = async () => {
    const { json } = await service.request('/v1/costs?step=month&group_by=kind', { key })
    return [json.at(-1).kind, json.at(-1).cost_usd, json.at(-1).network_at_most_usd]
  }
  await set(network)
  expect(await ofPod()).toEqual(['StatefulSet', 0, 0.18])
  await set({ ...network, network_internet_percent: 50 })
  expect(await ofPod()).toEqual(['StatefulSet', 0.09, 0])
  await set({ load_balancer_usd_per_month: 18.25 })
  expect((await ofKinds('&without=load_balancers')).map(([kind]) => kind)).toEqual([
    'PersistentVolume',
    'PersistentVolumeClaim',
  ])
  const { recommendations, totals: sums } = (
    await service.request('/v1/recommendations?kind=volume&idle_days=1', { key })
  ).json
  expect(recommendations.map(({ title }: { title: string }) => title)).toEqual([
    'Change claim data-db-0 from gp2 to gp3',
  ])
  expect(sums.savings).toMatchObject({ volumes_per_month: 1.88, total_per_month: 1.88 })
})
