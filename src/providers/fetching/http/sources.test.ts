import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Fake, type FakeServer, startFake } from '../fake-server.case.ts'
import { defaultBackoff, ImportFailure, retryAfterMs, waitMs } from './failure.ts'
import { recordInto } from './record.ts'
import { notModified, type SourceRequest, Sources, type SourcesOptions } from './sources.ts'

const opened: FakeServer[] = []
afterEach(async () => void (await Promise.all(opened.splice(0).map((server) => server.close()))))

async function start(fake: Fake, options: SourcesOptions = {}) {
  const server = await startFake(fake)
  opened.push(server)
  const waits: number[] = []
  const sources = new Sources({
    idleMs: 5_000,
    random: () => 1,
    pause: async (ms) => void waits.push(ms),
    ...options,
  })
  const ask = (more: Partial<SourceRequest> = {}) =>
    sources.json({ url: `${server.url}/list?q=word`, ...more })
  return { server, sources, waits, ask }
}

async function codeOf(run: Promise<unknown>): Promise<string> {
  const error = await run.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ImportFailure)
  expect((error as Error).message).not.toContain('word')
  return (error as ImportFailure).code
}

describe('waiting', () => {
  test('twice as long each time, up to a minute, with the attempts counted', async () => {
    const { waits, ask } = await start(() => ({ status: 503, body: '{}' }))
    expect(await codeOf(ask())).toBe('busy')
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000])
    expect(waitMs(defaultBackoff, 20, () => 0)).toBe(30_000)
  })

  test('as long as the server asks for, in seconds or as a date, up to a limit', () => {
    const now = Date.parse('2026-11-15T00:00:00Z')
    const rows: [string | null, number | undefined][] = [
      [null, undefined],
      ['7', 7_000],
      ['Sun, 15 Nov 2026 00:00:20 GMT', 20_000],
      ['Sat, 14 Nov 2026 00:00:00 GMT', 0],
      ['86400', 300_000],
      ['soon', undefined],
    ]
    for (const [header, expected] of rows) expect(retryAfterMs(header, now), String(header)).toBe(expected)
  })

  test('a minute after 429 where the provider says so and the answer does not', async () => {
    let asked = 0
    const { waits, ask } = await start(() =>
      asked++ === 0 ? { status: 429, body: '{}' } : { body: '{"a":1}' },
    )
    expect(await ask({ busyMs: 60_000 })).toEqual({ a: 1 })
    expect(waits).toEqual([60_000])
  })
})

describe('invalid responses', () => {
  const rows: [string, Parameters<typeof start>[0], string][] = [
    ['an HTML page', () => ({ type: 'text/html', body: '<html></html>' }), 'unexpected-type'],
    ['an HTML page in disguise', () => ({ body: '\n <!DOCTYPE HTML><p>' }), 'unexpected-type'],
    ['a page after a remark', () => ({ body: '<!-- x --><html>' }), 'unexpected-type'],
    ['words', () => ({ body: 'hello' }), 'malformed'],
    ['nothing', () => ({ body: '' }), 'truncated'],
    ['half of it', () => ({ body: '{"a":[1,2' }), 'truncated'],
    ['a missing page', () => ({ status: 404, body: '{}' }), 'unexpected-status'],
    ['an answer 304 to what was not asked', () => ({ status: 304, body: '' }), 'unexpected-status'],
    ['more than it may be', () => ({ body: `[${'1,'.repeat(600)}1]` }), 'too-large'],
    [
      'more than it may be, announced',
      () => ({ headers: { 'content-length': '2000' }, body: ' '.repeat(2000) }),
      'too-large',
    ],
  ]
  test.each(rows)('%s', async (_, fake, code) => {
    const { ask } = await start(fake)
    expect(await codeOf(ask({ maxBytes: 1_000 }))).toBe(code)
  })

  const silent: [string, string, string][] = [
    ['nothing at all', '', 'unreachable'],
    ['half an answer, then nothing', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"a"', 'truncated'],
  ]
  test.each(silent)('from a server that says %s', async (_, says, code) => {
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.write(says)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const sources = new Sources({ idleMs: 100, backoff: { attempts: 1, firstMs: 1, maxMs: 1 } })
    expect(await codeOf(sources.json({ url: `http://127.0.0.1:${port}/` }))).toBe(code)
    for (const socket of sockets) socket.destroy()
    server.close()
  })
})

describe('conditional requests', () => {
  const fake: Fake = ({ headers }) =>
    headers['if-none-match'] === '"v1"' || headers['if-modified-since'] !== undefined
      ? { status: 304, body: '' }
      : { headers: { etag: '"v1"' }, body: '{"a":1}' }

  test('validators are stored and sent with the next request', async () => {
    const { server, sources, ask } = await start(fake)
    expect(await ask({ conditional: true })).toEqual({ a: 1 })
    const url = `${server.url}/list?q=word`
    expect(sources.seen).toEqual({ [url]: { etag: '"v1"' } })
    const later = new Sources({ known: sources.seen })
    expect(await later.json({ url, conditional: true })).toBe(notModified)
    expect(later.seen).toEqual(sources.seen)
    expect(await later.json({ url })).toEqual({ a: 1 })
  })

  test('Last-Modified is used if there is no ETag', async () => {
    const { server, ask } = await start(fake)
    const known = { [`${server.url}/list?q=word`]: { lastModified: 'Sat, 14 Nov 2026 00:00:00 GMT' } }
    expect(await new Sources({ known }).json({ url: `${server.url}/list?q=word`, conditional: true })).toBe(
      notModified,
    )
    expect(await ask()).toEqual({ a: 1 })
  })
})

describe('a secret', () => {
  const secret = { secret: true, headers: () => ({ authorization: 'Bearer hush' }) }

  test('is not sent to another origin', async () => {
    const other = await start(() => ({ body: '{}' }))
    const { ask } = await start(() => ({
      status: 302,
      headers: { location: `${other.server.url}/x` },
      body: '',
    }))
    expect(await codeOf(ask(secret))).toBe('unexpected-status')
    expect(other.server.asked).toEqual([])
    expect(await ask()).toEqual({})
  })

  test('is not sent in clear text', async () => {
    const sources = new Sources()
    expect(await codeOf(sources.json({ url: 'http://prices.invalid/list', ...secret }))).toBe(
      'unexpected-status',
    )
  })

  test('redirect loops end', async () => {
    const { ask } = await start((_, origin) => ({ status: 301, headers: { location: origin }, body: '' }))
    expect(await codeOf(ask())).toBe('unexpected-status')
  })
})

test('no more than so many bytes are read in total', async () => {
  const { server, waits } = await start(() => ({ body: JSON.stringify('x'.repeat(600)) }))
  const limited = new Sources({ maxTotalBytes: 1_000 })
  await limited.json({ url: `${server.url}/one` })
  await expect(limited.json({ url: `${server.url}/two` })).rejects.toMatchObject({
    code: 'too-large',
    message: expect.stringContaining('reached the limit of'),
  })
  expect(waits).toEqual([])
})

test('what a server answers is recorded, and what it was asked is not', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-record-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const { server } = await start(({ path }) =>
    path === '/list'
      ? { headers: { etag: '"1"' }, body: '{"a":1}' }
      : { status: 404, body: '{"error":"gone"}' },
  )
  const sources = new Sources({ record: recordInto(directory) })
  const headers = () => ({ authorization: 'Bearer nobody-may-see' })
  await sources.json({ url: `${server.url}/list`, secret: true, headers })
  await codeOf(sources.json({ url: `${server.url}/other` }))
  const texts = readdirSync(directory)
    .sort()
    .map((name) => {
      const bytes = readFileSync(join(directory, name))
      return name.endsWith('.gz') ? gunzipSync(bytes).toString() : bytes.toString()
    })
  expect(texts).toEqual([
    '{"a":1}',
    expect.stringContaining('"etag": "\\"1\\""'),
    '{"error":"gone"}',
    expect.stringContaining('"status": 404'),
  ])
  expect(texts.join()).not.toContain('nobody-may-see')
})
