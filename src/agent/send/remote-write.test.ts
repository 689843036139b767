import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Answer, listen } from '../receiver.case.ts'
import { type DeliveryResult, remoteWrite } from './remote-write.ts'

const directory = mkdtempSync(join(tmpdir(), 'cheapside-key-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const keyFile = join(directory, 'key')
writeFileSync(keyFile, 'csk_secret\n')
const never = new AbortController().signal
const to = (url: string, more: { keyFile?: string; timeoutMs?: number } = {}) =>
  remoteWrite({ url: new URL('/api/v1/write', url), keyFile, userAgent: 'test', ...more })

async function check(answer: Answer, expected: DeliveryResult['kind'], more: object = {}) {
  const server = await listen(() => answer)
  try {
    const result = await to(server.url)(Buffer.from('x'), never)
    expect(result).toMatchObject({ kind: expected, ...more })
    expect(JSON.stringify(result)).not.toContain('csk_secret')
  } finally {
    await server.close()
  }
}

describe('a response', () => {
  test.each([[200], [202], [204]])('%d: the request is accepted', (status) => check({ status }, 'taken'))
  test.each([[400], [413], [415], [422]])('%d: the request is refused', (status) =>
    check({ status }, 'refused'),
  )
  test.each([[401], [403], [404], [405], [301], [307]])('%d: needs the operator', (status) =>
    check({ status }, 'later', { needsOperator: true }),
  )
  test.each([[408], [429], [500], [502], [503], [504]])('%d: retry later', async (status) => {
    await check({ status }, 'later')
    await check({ status, headers: { 'retry-after': '7' } }, 'later', { retryAfterMs: 7000 })
  })
  test('Retry-After with a date', async () => {
    const server = await listen(() => ({
      status: 503,
      headers: { 'retry-after': new Date(Date.now() + 600_000).toUTCString() },
    }))
    const result = await to(server.url)(Buffer.from('x'), never)
    await server.close()
    expect(result.kind === 'later' && result.retryAfterMs).toBeGreaterThan(500_000)
    expect(result.kind === 'later' && result.retryAfterMs).toBeLessThanOrEqual(600_000)
  })
  test('the detail of a problem is reported', () =>
    check({ status: 400, body: '{"title":"Bad","detail":"a sample has no\\u001bvalue"}' }, 'refused', {
      reason: 'the server answered 400: a sample has no\ufffdvalue',
    }))
})

test('the request follows the protocol', async () => {
  const seen: unknown[] = []
  const server = await listen(({ method, url, headers }, body) => {
    seen.push([method, url, body.toString()], headers)
    return { status: 200 }
  })
  await to(server.url)(Buffer.from('body'), never)
  await server.close()
  expect(seen[0]).toEqual(['POST', '/api/v1/write', 'body'])
  expect(seen[1]).toMatchObject({
    'content-type': 'application/x-protobuf',
    'content-encoding': 'snappy',
    'x-prometheus-remote-write-version': '0.1.0',
    'x-api-key': 'csk_secret',
  })
})

test('a replaced key takes effect', async () => {
  const own = join(directory, 'own')
  writeFileSync(own, 'old')
  const keys: unknown[] = []
  const server = await listen(({ headers }) => {
    keys.push(headers['x-api-key'])
    return { status: headers['x-api-key'] === 'new' ? 200 : 401 }
  })
  const deliver = to(server.url, { keyFile: own })
  expect((await deliver(Buffer.from('x'), never)).kind).toBe('later')
  writeFileSync(own, 'new')
  expect((await deliver(Buffer.from('x'), never)).kind).toBe('taken')
  await server.close()
  expect(keys).toEqual(['old', 'new'])
})

test('no key file, connection refused, no response: retry later', async () => {
  const server = await listen(() => ({ status: 200, hang: true }))
  const without = await to(server.url, { keyFile: join(directory, 'none') })(Buffer.from('x'), never)
  expect(without).toMatchObject({ kind: 'later', needsOperator: true })
  expect(await to(server.url, { timeoutMs: 100 })(Buffer.from('x'), never)).toMatchObject({
    kind: 'later',
    reason: expect.stringContaining('no response in time'),
  })
  await server.close()
  expect(await to(server.url)(Buffer.from('x'), never)).toMatchObject({
    kind: 'later',
    reason: expect.stringContaining('connection refused'),
  })
})

test('a request is sent again if the server closed the idle connection', async () => {
  const first = await listen(() => ({ status: 200 }))
  const deliver = to(first.url)
  expect((await deliver(Buffer.from('x'), never)).kind).toBe('taken')
  await first.close()
  const second = await listen(() => ({ status: 200 }), first.port)
  expect((await deliver(Buffer.from('x'), never)).kind).toBe('taken')
  await second.close()
})
