import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compress } from '../src/ingest/remote-write/snappy.ts'
import {
  type Answer,
  ask,
  eventually,
  type RunningService,
  runProcess,
  smallCatalogue,
  startService,
} from './service.ts'
import { hourMs, push, series, usageOf, withStoreOf } from './usage-cluster.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService({
    env: {
      CHEAPSIDE_CATALOGUE: smallCatalogue,
      CHEAPSIDE_USAGE_SERIES: '1000',
      CHEAPSIDE_RATE_LIMIT: '0',
      CHEAPSIDE_RETENTION_OF: 'short=1',
    },
  })
})
afterAll(() => service.stop())

let organisations = 0
/** A key of a new organisation. */
async function newOrganisation(scopes = ['usage:write']): Promise<{ organisation: string; key: string }> {
  const organisation = `org${++organisations}`
  const body = { organisation, name: 'k', scopes }
  const { json } = await service.request('/admin/keys', { body })
  return { organisation, key: json.key }
}

const container = (pod: string) => ({ namespace: 'shop', pod, container: 'app' })
const memory = (pod: string, timeMs: number, value: number | 'stale', more = {}) =>
  series('container_memory_working_set_bytes', { ...container(pod), ...more }, { timeMs, value })

/** The stored usage, after all acknowledged samples are digested. */
const kept = (organisation: string) =>
  withStoreOf(service, async (store) => {
    await eventually(async () => (await store.usage.partitions()).every(({ pending }) => !pending))
    return usageOf(store, organisation)
  })

async function counted(reason: string): Promise<number> {
  const { text } = await service.request('/metrics')
  return Number(new RegExp(`"${reason}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
}

describe('requests that can never be accepted are refused permanently', () => {
  const tag = (field: number, type: number) => field * 8 + type
  const bodies: [string, Uint8Array, number, RegExp][] = [
    ['nothing', new Uint8Array(), 400, /not snappy/],
    ['not snappy', Buffer.from('hello, this is not snappy at all'), 400, /snappy/],
    ['random bytes', randomBytes(10_000), 400, /snappy|unpacks/],
    ['not protobuf', compress(Buffer.from('hello, this is not protobuf')), 400, /protobuf/],
    ['protobuf that is cut short', compress(Uint8Array.of(tag(1, 2), 100, 1)), 400, /cut short/],
    ['a bomb', Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f, 0xfe, 1, 0), 400, /unpacks to 4294967295 bytes/],
  ]
  test.each(bodies)('%s', async (_, body, status, detail) => {
    const answer = await push(service, body)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json'])
    expect(answer.json.detail).toMatch(detail)
    expect(answer.headers.get('retry-after')).toBeNull()
    expect(writtenOf(answer)).toEqual(['0', '0', '0'])
  })

  test('more than 16 MiB is refused before it is sent', async () => {
    const request = httpRequest(`${service.url}/api/v1/write`, {
      method: 'POST',
      headers: {
        'x-api-key': service.key,
        'content-type': 'application/x-protobuf',
        'content-encoding': 'snappy',
        'content-length': (16 << 20) + 1,
      },
    })
    request.on('error', () => {})
    request.flushHeaders()
    const [response] = await once(request, 'response')
    expect([response.statusCode, response.headers['content-type']]).toEqual([413, 'application/problem+json'])
    request.destroy()
  })

  const headers: [Record<string, string>, number][] = [
    [{ 'content-type': 'application/json' }, 415],
    [{ 'content-encoding': 'gzip' }, 415],
    [{ 'content-type': 'application/x-protobuf;proto=io.prometheus.write.v3.Request' }, 415],
    [{ 'content-type': 'application/x-protobuf;proto=prometheus.WriteRequest' }, 204],
  ]
  test.each(headers)('%j', async (more, status) => {
    expect((await push(service, [memory('a', Date.now(), 1)], { headers: more })).status).toBe(status)
  })

  test('an invalid name of a cluster; requests of others at the same time are accepted', async () => {
    const others = await Promise.all(Array.from({ length: 8 }, () => newOrganisation()))
    const send = (key: string, cluster: string) =>
      push(service, [memory('a', Date.now(), 1)], { key, path: `/api/v1/write?cluster=${cluster}` })
    const answers = await Promise.all(others.flatMap(({ key }) => [send(key, 'east'), send(key, 'a%00b')]))
    expect(answers.map(({ status }) => status)).toEqual(others.flatMap(() => [204, 422]))
  })

  test('without a key, and with one of another scope', async () => {
    expect((await push(service, [], { key: '' })).status).toBe(401)
    const { key } = await newOrganisation(['pricing:read'])
    expect((await push(service, [], { key })).status).toBe(403)
    expect((await ask(service.url, '/api/v1/write', { key: service.key })).status).toBe(405)
  })

  test('no other route reads such bodies', async () => {
    const answer = await push(service, [], { path: '/recommendations' })
    expect([answer.status, answer.json.code]).toEqual([415, 'unsupported-media-type'])
  })
})

describe('irregular samples are accepted or left out, and counted', () => {
  test('from 2001 and from tomorrow, NaN, infinities, below zero, stale', async () => {
    const { organisation, key } = await newOrganisation()
    const now = Date.now()
    const reasons = ['too_old', 'in_the_future', 'not_finite', 'negative', 'absurd', 'stale_marker']
    const before = await Promise.all(reasons.map(counted))
    const sent = [
      memory('a', Date.parse('2001-01-01'), 1),
      memory('b', now + 24 * hourMs, 1),
      memory('c', now, Number.NaN),
      memory('d', now, Number.POSITIVE_INFINITY),
      memory('e', now, Number.NEGATIVE_INFINITY),
      memory('f', now, -1),
      memory('g', now, 1e300),
      memory('h', now, 'stale'),
      memory('i', now, 5),
    ]
    const answer = await push(service, sent, { key, format: 'remote-write-2' })
    expect([answer.status, answer.headers.get('retry-after'), ...writtenOf(answer)]).toEqual([
      400,
      null,
      '7',
      '0',
      '0',
    ])
    expect(answer.json.detail).toMatch(
      /^Some of 9 samples .*: 1 older than 48 hours; 1 more than 10 minutes ahead/,
    )
    const found = await kept(organisation)
    expect([...found.keys()].filter((name) => found.get(name)!.samples > 0)).toEqual(['default/shop/i/app'])
    const grown = () => Promise.all(reasons.map(async (reason, n) => (await counted(reason)) - before[n]!))
    await eventually(async () => (await grown()).join() === '1,1,3,1,1,1')
  })

  test('a label of 1 MB is left out, the rest of the request is not', async () => {
    const { organisation, key } = await newOrganisation()
    const before = await counted('oversized')
    const long = memory('long', Date.now(), 1, { image: 'x'.repeat(1 << 20) })
    const answer = await push(service, [long, memory('fine', Date.now(), 7)], { key })
    expect([answer.status, ...writtenOf(answer)]).toEqual([400, '1', '0', '0'])
    expect(answer.json.detail).toMatch(/1 with a label of more than 8192 bytes/)
    expect([...(await kept(organisation)).keys()]).toEqual(['default/shop/fine/app'])
    await eventually(async () => (await counted('oversized')) === before + 1)
  })

  test('names that are too long to be stored, and names with special characters', async () => {
    const { organisation, key } = await newOrganisation()
    const odd = ["it's", '%_', 'a/b', 'Zürich', 'x'.repeat(300)]
    const sent = [...odd, 'y'.repeat(3000)].map((pod) => memory(pod, Date.now(), 1))
    const answer = await push(service, sent, { key })
    expect([answer.status, ...writtenOf(answer)]).toEqual([400, '5', '0', '0'])
    expect(answer.json.detail).toMatch(
      /Some of 6 samples .* 1 with .* names of more than 2300 bytes together/,
    )
    expect(new Set((await kept(organisation)).keys())).toEqual(
      new Set(odd.map((pod) => `default/shop/${pod}/app`)),
    )
  })

  test('unused metrics are only counted, however many there are', async () => {
    const { organisation, key } = await newOrganisation()
    const sent = Array.from({ length: 3000 }, (_, n) =>
      series('http_requests_total', { path: `/${n}` }, { timeMs: Date.now(), value: n }),
    )
    expect((await push(service, sent, { key })).status).toBe(204)
    await withStoreOf(service, async (store) => {
      const partitions = await store.usage.partitions()
      expect(partitions.filter((partition) => partition.organisation === organisation)).toEqual([])
    })
  })
})

const writtenOf = ({ headers }: Answer) =>
  ['samples', 'histograms', 'exemplars'].map((what) =>
    headers.get(`x-prometheus-remote-write-${what}-written`),
  )

test('remote write 2.0 reports the number of written samples, including unused ones', async () => {
  const { organisation, key } = await newOrganisation()
  const other = series('other', {}, { timeMs: Date.now(), value: 1 })
  const sent = [memory('a', Date.now(), 5), { ...other, histograms: 3, exemplars: 4 }]
  const answer = await push(service, sent, {
    key,
    format: 'remote-write-2',
    path: '/api/v1/write?cluster=east',
  })
  expect([answer.status, ...writtenOf(answer)]).toEqual([204, '2', '3', '4'])
  expect([...(await kept(organisation)).keys()]).toEqual(['east/shop/a/app'])
})

test('the same request twice, and an older one after a newer, count once', async () => {
  const { organisation, key } = await newOrganisation()
  const at = Date.now() - hourMs
  const requests = [0, 30_000, 60_000].map((after) => [
    memory('a', at + after, 1000 + after),
    series('container_cpu_usage_seconds_total', container('a'), { timeMs: at + after, value: after / 1000 }),
  ])
  for (const request of [requests[0]!, requests[2]!, requests[1]!, requests[2]!, requests[0]!])
    expect((await push(service, request, { key })).status).toBe(204)
  const usage = (await kept(organisation)).get('default/shop/a/app')!
  expect([usage.memory.count, Number(usage.cpu.sum)]).toEqual([2, 60_000_000])
})

test('two clusters with the same name: only one of them counts', async () => {
  const { organisation, key } = await newOrganisation()
  const at = Date.now() - hourMs
  for (let scrape = 0; scrape < 10; scrape++)
    for (const [instance, bytes] of [
      ['10.0.0.1:10250', 100],
      ['10.9.9.9:10250', 900],
    ] as const) {
      const labels = { cluster: 'prod', job: 'kubelet', instance }
      await push(service, [memory('db-0', at + 30_000 * scrape + bytes, bytes, labels)], { key })
    }
  const { memory: seen } = (await kept(organisation)).get('prod/shop/db-0/app')!
  expect([seen.count, seen.max]).toEqual([11, 900])
})

test('too many series: 429 only for that organisation, and its known series are still accepted', async () => {
  const flood = await newOrganisation()
  const other = await newOrganisation()
  const now = Date.now()
  const pods = (from: number, count: number, timeMs: number) =>
    Array.from({ length: count }, (_, n) => memory(`p${from + n}`, timeMs, 1))
  expect((await push(service, pods(0, 600, now - 2000), flood)).status).toBe(204)
  const refused = await push(service, pods(600, 5000, now - 2000), flood)
  expect([refused.status, refused.json.code]).toEqual([429, 'too-many-series'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(writtenOf(refused)).toEqual(['400', '0', '0'])
  const mixed = await push(service, [...pods(5600, 100, now), ...pods(0, 600, now)], flood)
  expect([mixed.status, ...writtenOf(mixed)]).toEqual([429, '600', '0', '0'])
  expect(mixed.json.detail).toMatch(/^100 of 700 samples belong to new series/)
  expect((await push(service, pods(0, 600, now), flood)).status).toBe(204)
  expect((await push(service, pods(0, 600, now), other)).status).toBe(204)
  const found = await kept(flood.organisation)
  expect(found.get('default/shop/p599/app')!.memory.count).toBe(2)
  expect([found.size, found.has('default/shop/p999/app'), found.has('default/shop/p1000/app')]).toEqual([
    1000,
    true,
    false,
  ])
})

test('many requests at once share a few writes to the disk', async () => {
  const { organisation, key } = await newOrganisation()
  const writes = async () =>
    Number(/transactions_total (\d+)/.exec((await service.request('/metrics')).text)?.[1] ?? 0)
  await eventually(async () => (await writes()) > 0)
  // Requests that are sent at once may not arrive at once on a busy machine, so this is repeated until they do.
  await eventually(async () => {
    const before = await writes()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => push(service, [memory(`p${n}`, Date.now(), n)], { key })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
    expect((await kept(organisation)).size).toBe(100)
    await eventually(async () => (await writes()) > before)
    return (await writes()) - before < 60
  })
})

test('invalid settings are reported in one line, without the password in them', async () => {
  const env = {
    CHEAPSIDE_COLLECT_FROM: 'prod=https://ops:hunter2@prometheus',
    CHEAPSIDE_LISTEN: '127.0.0.1:0',
    CHEAPSIDE_DATA: `${service.directory}/other`,
  }
  const { code, err } = await runProcess(['serve'], env)
  expect([code, err.trim().split('\n')]).toEqual([2, [expect.stringContaining('CHEAPSIDE_COLLECT_FROM')]])
  expect(err).not.toContain('hunter2')
})
