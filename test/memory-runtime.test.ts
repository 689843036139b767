import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { SeriesToWrite } from '../src/ingest/remote-write/encode.case.ts'
import type { ContainerRecommendation } from '../src/recommendations/containers/schema.ts'
import { containerSeries, gib, hourMs, type PushedContainer, push, seriesOf } from './pushed-cluster.ts'
import { eventually, runCommand, type SharedService, sharedService } from './service.ts'

/** Complete hours in the past, with a sample every five minutes. Nothing is cut in the first day. */
const hours = 26
const toMs = Math.floor(Date.now() / hourMs) * hourMs - hourMs
const fromMs = toMs - hours * hourMs
const window = { fromMs, toMs }
const times = Array.from({ length: hours * 12 + 1 }, (_, step) => fromMs + step * 300_000)

const sizes = { requests: { cpu: 2, memoryGib: 8 }, limits: { cpu: 4, memoryGib: 10 } }
const java: PushedContainer = { pod: 'web-1', cores: 0.5, gib: 4.5, ...sizes }
const sawTooth: PushedContainer = {
  pod: 'node-0',
  owner: 'StatefulSet/node',
  cores: 0.5,
  gib: Array.from({ length: 12 }, (_, step) => 1 + step / 11),
  requests: { cpu: 2, memoryGib: 4 },
}
const reader: PushedContainer = { pod: 'log-0', owner: 'StatefulSet/log', cores: 0.5, gib: 4, ...sizes }

/** The same memory by pool, as Micrometer reports it. */
function heapSeries(): SeriesToWrite[] {
  const place = { cluster: 'c1', namespace: 'shop', pod: 'web-1', container: 'app' }
  const one = (name: string, labels: Record<string, string>, gibAt: (step: number) => number) =>
    seriesOf(
      name,
      { ...place, ...labels },
      times.map((timeMs, step) => ({ timeMs, value: gibAt(step) === -1 ? -1 : gibAt(step) * gib })),
    )
  const heap = (id: string) => ({ area: 'heap', id })
  return [
    one('jvm_memory_used_bytes', heap('G1 Eden Space'), (step) => (step % 3) * 0.8),
    one('jvm_memory_used_bytes', heap('G1 Old Gen'), (step) => 1 + (step % 10) * 0.2),
    one('jvm_memory_max_bytes', heap('G1 Eden Space'), () => -1),
    one('jvm_memory_max_bytes', heap('G1 Old Gen'), () => 4),
    one('jvm_memory_used_bytes', { area: 'nonheap', id: 'Metaspace' }, () => 0.2),
    one('jvm_memory_used_bytes', { area: 'nonheap', id: 'CodeCache' }, () => 0.1),
  ]
}

function cacheSeries(): SeriesToWrite[] {
  const place = { cluster: 'c1', namespace: 'shop', pod: 'log-0', container: 'app' }
  const one = (name: string, gibs: number) =>
    seriesOf(
      name,
      place,
      times.map((timeMs) => ({ timeMs, value: gibs * gib })),
    )
  return [
    one('container_memory_rss', 1),
    one('container_memory_cache', 3.5),
    one('container_memory_mapped_file', 0.1),
  ]
}

let service: SharedService
beforeAll(async () => {
  service = await sharedService()
  const containers = [java, sawTooth, reader].flatMap((one) => containerSeries(one, window))
  await push(service, service.key, [...containers, ...heapSeries(), ...cacheSeries()])
  await eventually(async () => Object.keys(await sized()).length === 3)
})

const period = `start_date=${new Date(fromMs).toISOString()}&end_date=${new Date(toMs).toISOString()}`

async function sized(more = ''): Promise<Record<string, ContainerRecommendation>> {
  const { json } = await service.request(
    `/v1/namespace_recommendations?${period}&profile=cost&explain=true${more}`,
  )
  return json[0]?.ContainerRecommendations ?? {}
}

test('a Java heap is sized by its limit, and its need is reported', async () => {
  const { Memory, Reasons, Explanation } = (await sized())['Deployment/web/app']!
  expect(Explanation!.MemoryFacts).toMatchObject({ HeapAfterCollection: 1, HeapLimit: 4, NonHeap: 0.3 })
  // 4 GiB of heap, 0.3 GiB outside it, and a tenth of the heap for what no metric shows.
  expect(Memory.Requests.Recommended).toBeCloseTo(4.7, 2)
  expect(Reasons.join(' ')).toMatch(/Java heap of at most 4 GiB \(-Xmx\) with 1 GiB in use/)
  expect(Reasons.join(' ')).toMatch(/with -Xmx at 2 GiB the container would need only 2.5 GiB/)
})

test('memory with a sawtooth pattern of constant height is not reduced', async () => {
  const { Memory, Reasons } = (await sized())['StatefulSet/node/app']!
  expect(Memory.Requests.Recommended).toBe(4)
  expect(Reasons.join(' ')).toMatch(/garbage-collected heap at its limit/)
})

test('page cache counts half', async () => {
  const { Memory, Reasons } = (await sized())['StatefulSet/log/app']!
  expect(Memory.Requests.Recommended).toBeLessThan(4)
  expect(Memory.Requests.Recommended).toBeGreaterThan(2.4)
  expect(Reasons.join(' ')).toMatch(/3 GiB of 4 GiB is page cache/)
})

test('constraints of a request, in answers and manifests', async () => {
  const { CPU, Reasons, Explanation } = (await sized('&limits=none&min_cpu=1.5'))['Deployment/web/app']!
  expect([CPU.Requests.Recommended, CPU.Limits]).toEqual([
    1.5,
    { Current: 4, Recommended: null, LowerBound: null, UpperBound: null },
  ])
  expect(Reasons.join(' ')).toMatch(/the limit is removed, as limits=none requires/)
  expect(Explanation!.Constraints).toEqual([
    { Name: 'limits', Value: 'none', From: 'request' },
    { Name: 'min_cpu', Value: '1.5', From: 'request' },
  ])
  const manifest = async (format: string) =>
    (
      await service.request(
        `/v1/namespace_recommendations/c1/shop/manifests?${period}&format=${format}&limits=none`,
      )
    ).text
  expect(await manifest('kustomize')).toMatch(/limits:\n\s+cpu: null\n\s+memory: /)
  expect(await manifest('patch')).toContain(
    `kubectl -n 'shop' patch 'Deployment/web' --patch '{"spec":{"template":{"spec":{"containers":[{"name":"app","resources":{"limits":{"cpu":null}}}]}}}}'`,
  )
  const { status, json } = await service.request(
    `/v1/namespace_recommendations?${period}&cpu_memory_ratio=x&min_cpu=2&max_cpu=1`,
  )
  expect([status, json.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
    422,
    ['?min_cpu', '?cpu_memory_ratio'],
  ])
})

test('rules of the organisation, by namespace, over HTTP and from the command line', async () => {
  const path = `/admin/organisations/${service.organisation}/sizing_rules`
  const rules = [{ limits: 'none' }, { namespace: 'sh*', max_memory: 3, cpu_memory_ratio: '1-6' }]
  const put = (body: unknown) => service.request(path, { method: 'PUT', body })
  expect((await put({ rules })).json).toMatchObject({ organisation: service.organisation, rules })
  expect((await service.request('/v1/sizing_rules')).json.rules).toEqual(rules)
  const { Memory, Explanation } = (await sized('&limits=ratio'))['Deployment/web/app']!
  expect(Memory.Requests.Recommended).toBe(3)
  expect(Explanation!.Constraints).toEqual([
    { Name: 'limits', Value: 'ratio', From: 'request' },
    { Name: 'max_memory', Value: '3', From: 'rule 2' },
    { Name: 'cpu_memory_ratio', Value: '1-6', From: 'rule 2' },
  ])
  const wrong = await put({ rules: [{ namespace: 'x' }, { min_cpu: 2, max_cpu: 1 }] })
  expect([wrong.status, wrong.json.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
    422,
    ['/rules/0', '/rules/1/min_cpu'],
  ])

  const run = (...words: string[]) =>
    runCommand(words, { CHEAPSIDE_SERVER: service.url, CHEAPSIDE_KEY: service.key })
  const added = await run('sizing', 'rules', '--namespace', 'sh*', '--min-cpu', '1', '--json')
  expect(JSON.parse(added.out).rules).toEqual([{ limits: 'none' }, { namespace: 'sh*', min_cpu: 1 }])
  expect((await run('sizing', 'rules')).out).toMatch(/2 +namespace=sh\* +min_cpu=1/)
  const directory = mkdtempSync(join(tmpdir(), 'rules-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'rules.yaml')
  writeFileSync(file, '# checkout keeps its class\n- workload: web\n  qos: guaranteed\n  min_cpu: 3\n')
  const dry = await run('sizing', 'rules', '--file', file, '--dry-run')
  expect(dry.out).toMatch(/Nothing is saved\. \d+ containers? would get another size/)
  expect(dry.out).toMatch(/per month +\$[\d,]+\.\d\d +\$[\d,]+\.\d\d +\+\$[\d,]+\.\d\d \(\+[\d.]+%\)/)
  expect(dry.out).toMatch(/CPU requests, cores +[\d.]+ +[\d.]+ +\+[\d.]+ /)
  expect((await service.request('/v1/sizing_rules')).json.rules).toHaveLength(2)
  await Promise.all(['a', 'b'].map((name) => run('sizing', 'rules', '--namespace', name, '--min-cpu', '2')))
  const { rules: all } = JSON.parse((await run('sizing', 'rules', '--json')).out) as { rules: object[] }
  expect(all).toHaveLength(4)
  const hours = String((Date.now() - fromMs) / (24 * hourMs))
  expect((await run('namespaces', '--days', hours, '--explain', '--min-cpu', '2.5')).out).toMatch(
    /Constraint: min_cpu=2.5 \(request\)/,
  )
  expect((await run('sizing', 'rules', '--clear')).out).toContain(
    `${service.organisation} has no sizing rules.`,
  )
  expect((await run('sizing', 'rules', '--namespace', 'x')).code).toBe(2)
})
