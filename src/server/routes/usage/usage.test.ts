import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hourMs } from '../../../domain/time.ts'
import { encodeRequest, type SeriesToWrite } from '../../../ingest/remote-write/encode.case.ts'
import { type AskedAnswer, startTestService, type TestService } from '../../service.case.ts'

const end = Math.floor(Date.now() / hourMs) * hourMs
const start = end - 3 * hourMs
const window = `start_date=${new Date(start).toISOString()}&end_date=${new Date(end).toISOString()}`
const vms = ['db-1', 'db-2', 'web-1']
const namespaces = ['blog', 'shop', 'site']

let service: TestService
beforeAll(async () => {
  service = await startTestService({ CHEAPSIDE_USAGE_SERIES: '100' })
  const processes = vms.flatMap((vm) =>
    usage('cheapside_process', { vm, process: 'p', group: 'system', cgroup: '/p' }),
  )
  const containers = namespaces.flatMap((namespace) =>
    usage('container', { namespace, pod: 'p', container: 'app' }),
  )
  expect((await push([...processes, ...containers])).status).toBe(204)
  await listedAre(`/v1/vm_summaries?${window}`, 'vm', vms)
  await listedAre(`/v1/namespace_recommendations?${window}`, 'Namespace', namespaces)
})
afterAll(() => service?.stop())

/** Retries, because samples are digested a moment after they were pushed. */
const listedAre = (path: string, field: string, names: readonly string[]) =>
  vi.waitFor(
    async () => {
      const { json } = await service.ask(path)
      expect(json.map((one: Record<string, string>) => one[field])).toEqual(names)
    },
    { timeout: 40_000 },
  )

/** Usage of half a core and one GiB, sampled every five minutes. */
function usage(kind: 'container' | 'cheapside_process', labels: Record<string, string>): SeriesToWrite[] {
  const isProcess = kind === 'cheapside_process'
  const times = Array.from({ length: 37 }, (_, step) => start + step * 300_000)
  const cpu = times.map((timeMs) => ({ timeMs, value: (timeMs - start) / 2000 }))
  const memory = times.map((timeMs) => ({ timeMs, value: 2 ** 30 }))
  return [
    seriesOf(isProcess ? `${kind}_cpu_seconds_total` : 'container_cpu_usage_seconds_total', labels, cpu),
    seriesOf(isProcess ? `${kind}_memory_bytes` : 'container_memory_working_set_bytes', labels, memory),
  ]
}

const seriesOf = (
  name: string,
  labels: Record<string, string>,
  samples: SeriesToWrite['samples'],
): SeriesToWrite => ({
  labels: Object.entries({ __name__: name, ...labels }).sort(([a], [b]) => (a < b ? -1 : 1)),
  samples,
})

const snappy = { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' }
const push = (series: readonly SeriesToWrite[], path = '/api/v1/write') =>
  service.ask(path, { body: encodeRequest(series), headers: snappy })
const written = ({ headers }: AskedAnswer) => headers.get('x-prometheus-remote-write-samples-written')

describe('remote write', () => {
  const memory = (timeMs: number, pod = 'p', more = {}) =>
    seriesOf('container_memory_working_set_bytes', { namespace: 'shop', pod, container: 'app', ...more }, [
      { timeMs, value: 1 },
    ])

  test('counts the samples that are stored, and reports those that never will be', async () => {
    const mixed = await push([
      memory(end),
      memory(end - 1000 * hourMs),
      memory(end + 1000 * hourMs),
      memory(end, 'x'.repeat(70_000)),
    ])
    expect([mixed.status, mixed.json.code, written(mixed)]).toEqual([400, 'bad-request', '1'])
    expect(mixed.json.detail).toMatch(
      /^Some of 4 samples were rejected; the others are stored: 1 with a label of more than \d+ bytes.*; 1 older than \d+ hours; 1 more than \d+ minutes ahead/,
    )
    expect(mixed.headers.get('retry-after')).toBeNull()
    const old = await push([memory(end), memory(end - 1000 * hourMs)])
    expect(old.json.detail).toMatch(
      /^Some of 2 samples were rejected; the others are stored: 1 older than [\d.]+ hours\.$/,
    )
    const none = await push([memory(end - 1000 * hourMs)])
    expect(none.json.detail).toMatch(/^None of 1 samples is stored: 1 older than [\d.]+ hours\.$/)
    const whole = await push([memory(end)])
    expect([whole.status, whole.text, written(whole)]).toEqual([204, '', '1'])
  })

  test('refuses other formats and broken bodies', async () => {
    const text = await service.ask('/api/v1/write', { body: 'a', headers: { 'content-type': 'text/plain' } })
    expect([text.status, text.json.code]).toEqual([415, 'unsupported-media-type'])
    for (const body of ['not snappy', undefined]) {
      const broken = await service.ask('/api/v1/write', { method: 'POST', body, headers: snappy })
      expect([broken.status, broken.json.code, written(broken)]).toEqual([400, 'bad-request', '0'])
    }
  })

  test('names the cluster of series without one', async () => {
    expect(
      (
        await push(
          usage('container', { namespace: 'far', pod: 'p', container: 'app' }),
          '/api/v1/write?cluster=away',
        )
      ).status,
    ).toBe(204)
    await listedAre(`/v1/namespace_recommendations?${window}`, 'Cluster', [
      'away',
      'default',
      'default',
      'default',
    ])
    expect((await push([memory(end)], '/api/v1/write?cluster=')).status).toBe(422)
  })

  test('asks to retry later if there is no capacity for new series', async () => {
    const many = Array.from({ length: 140 }, (_, n) => memory(end, `new-${n}`))
    const full = await push(many)
    expect([full.status, full.json.code, full.headers.get('retry-after')]).toEqual([
      429,
      'too-many-series',
      '60',
    ])
    expect(full.json.detail).toMatch(
      /^\d+ of 140 samples belong to new series and were rejected: .*\. The others are stored\.$/,
    )
    expect(Number(written(full)) + Number(/^\d+/.exec(full.json.detail)![0])).toBe(140)
  })
})

describe.each([
  ['/v1/vm_summaries', vms, 'vm'],
  ['/v1/vm_recommendations', vms, 'vm'],
  ['/v1/namespace_recommendations', namespaces, 'Namespace'],
])('%s', (path, names, field) => {
  const only = field === 'Namespace' ? '&cluster=default' : ''

  test('is read page by page', async () => {
    const found: string[] = []
    const sizes: number[] = []
    let next: string | undefined = `${path}?${window}${only}&limit=2`
    while (next !== undefined) {
      const page: AskedAnswer = await service.ask(next)
      expect(page.status).toBe(200)
      found.push(...page.json.map((one: Record<string, string>) => one[field]))
      sizes.push(page.json.length)
      next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
      if (next !== undefined) expect(next).toContain('limit=2')
    }
    expect(found).toEqual(names)
    expect(sizes).toEqual([2, 1])
  })

  test('is an array, or NDJSON for callers that ask for it', async () => {
    const whole = await service.ask(`${path}?${window}${only}`)
    expect(whole.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(whole.headers.get('link')).toBeNull()
    const sameTime = (text: string) => text.replace(/("creationTime":)"[^"]+"/gi, '$1"now"')
    const lines = await service.ask(`${path}?${window}${only}`, {
      headers: { accept: 'application/x-ndjson' },
    })
    expect(lines.headers.get('content-type')).toBe('application/x-ndjson')
    expect(
      sameTime(lines.text)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(JSON.parse(sameTime(whole.text)))
  })
})

test('manifests are files of their format', async () => {
  const path = '/v1/namespace_recommendations/default/shop/manifests'
  const patch = await service.ask(`${path}?${window}&format=patch`)
  expect([patch.status, patch.headers.get('content-type')]).toEqual([200, 'application/yaml; charset=utf-8'])
  expect(patch.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+\.yaml"$/)
  const table = await service.ask(`${path}?${window}&format=csv`)
  expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(table.text).toContain('shop')
})

test('the sizing profile of an organisation is stored', async () => {
  const path = '/admin/organisations/default/sizing_profile'
  const before = await service.ask(path)
  expect((await service.ask('/v1/sizing_profile')).json).toEqual(before.json)
  const set = await service.ask(path, { method: 'PUT', body: { profile: 'safe' } })
  expect([set.status, set.json.profile]).toEqual([200, 'safe'])
  expect((await service.ask('/v1/sizing_profile')).json.profile).toBe('safe')
})
