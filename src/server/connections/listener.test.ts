import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { testWith } from '../../../test/peers/test-with.ts'
import { createLog } from '../log.ts'
import { addressMatcher, ConnectionLimits } from './connection-limits.ts'
import { createListener, type ListenerOptions } from './listener.ts'
import { maxWaiting, type RequestHandler } from './request-queue.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function listen(handle: RequestHandler, bounds = {}, options: Partial<ListenerOptions> = {}) {
  const limits = new ConnectionLimits(
    { connections: 0, addressConnections: 0, ...bounds },
    addressMatcher([]),
  )
  let refused = 0
  const server = createListener(handle, {
    requestSeconds: 30,
    writeSeconds: 1,
    limits,
    log: createLog('silent'),
    onRefused: () => refused++,
    ...options,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { limits, refused: () => refused, connect: () => connect(port, '127.0.0.1') }
}

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

test('requests of a connection are handled one after another', async () => {
  const waiting: ServerResponse[] = []
  const { connect } = await listen((_, response) => waiting.push(response))
  const client = connect()
  client.write(get.repeat(3))
  for (let n = 1; n <= 3; n++) {
    while (waiting.length < n) await new Promise(setImmediate)
    await new Promise(setImmediate)
    expect(waiting).toHaveLength(n)
    waiting.at(-1)!.end(`${n}`)
  }
  client.end()
  expect((await text(client)).replace(/\d+ \w+ \d+ [\d:]+/g, '').match(/\n(\d)(?=HTTP|$)/g)).toEqual([
    '\n1',
    '\n2',
    '\n3',
  ])
})

test('pipelined requests beyond the limit are not parsed', async () => {
  let handled = 0
  const { connect } = await listen((_, response) => {
    handled++
    response.end()
  })
  const client = connect()
  client.write(get.repeat(2000))
  expect(await text(client)).toContain('HTTP/1.1 429')
  expect(handled).toBe(maxWaiting + 1)
})

test('a client that does not read is disconnected, one that waits for a slow answer is not', async () => {
  const answers = new Map<string, ServerResponse>()
  const { connect } = await listen((request, response) => {
    answers.set(request.url!, response)
    if (request.url === '/large') response.end(Buffer.alloc(64 * 1024 * 1024))
  })
  const patient = connect()
  patient.write(get.replace('/', '/late'))
  const unread = connect().pause()
  unread.write(get.replace('/', '/large'))
  while (answers.size < 2) await new Promise(setImmediate)
  const cutOff = once(answers.get('/large')!, 'close')
  const late = answers.get('/late')!
  await cutOff
  expect(answers.get('/large')!.writableFinished).toBe(false)
  late.end('done')
  patient.end()
  expect(await text(patient)).toContain('done')
  unread.destroy()
})

testWith('openssl')('a client that does not read is disconnected also if it uses TLS', async () => {
  const words =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=a -keyout - -out -'
  const pem = execFileSync('openssl', words.split(' '), { stdio: ['ignore', 'pipe', 'ignore'] })
  const closed = Promise.withResolvers<boolean>()
  const serve: RequestHandler = (_, response) => {
    response.once('close', () => closed.resolve(response.writableFinished))
    response.end(Buffer.alloc(64 * 1024 * 1024))
  }
  const { connect } = await listen(serve, {}, { tls: { cert: pem, key: pem } })
  const unread = connectTls({ socket: connect(), rejectUnauthorized: false }).pause()
  unread.write(get)
  expect(await closed.promise).toBe(false)
  unread.destroy()
})

test('a connection without a request is closed without an answer', async () => {
  const { connect } = await listen((_, response) => response.end(), {}, { requestSeconds: 1 })
  expect(await text(connect())).toBe('')
})

test('a connection with an incomplete request gets an answer', async () => {
  const { connect } = await listen((_, response) => response.end(), {}, { requestSeconds: 1 })
  const client = connect()
  client.write('GET / HTTP/1.1\r\n')
  expect(await text(client)).toContain('HTTP/1.1 408')
})

test('an answer that was given before the whole request arrived is sent, even if the rest is malformed', async () => {
  const body = 'x'.repeat(16 << 20)
  const { connect } = await listen(
    (_, response) => response.writeHead(413, { 'Content-Length': body.length }).end(body),
    {},
    { writeSeconds: 30 },
  )
  const client = connect()
  client.pause()
  client.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n')
  // The answer is larger than the buffers of the kernel, so that a part of it waits here.
  await once(client, 'readable')
  client.write('not a chunk')
  const answer = await text(client)
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  expect(answer.endsWith(body)).toBe(true)
  expect(answer.split('HTTP/1.1')).toHaveLength(2)
})

test('the total of connections is limited, and they count until they are closed', async () => {
  const { connect, limits, refused } = await listen((_, response) => response.end('served'), {
    connections: 2,
  })
  const first = connect()
  const second = connect()
  await Promise.all([once(first, 'connect'), once(second, 'connect')])
  while (limits.open < 2) await new Promise(setImmediate)
  expect(await text(connect())).toContain('"code":"too-many-connections"')
  expect(refused()).toBe(1)
  first.destroy()
  while (limits.open > 1) await new Promise(setImmediate)
  const third = connect()
  third.end(get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
  third.resume()
  await once(third, 'close')
  second.destroy()
  while (limits.open > 0) await new Promise(setImmediate)
})

test('the log of a malformed request does not contain its key', async () => {
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => void lines.push(line) })
  const { connect } = await listen(() => {}, {}, { log })
  const client = connect()
  client.write('GET / HTTP/1.1\r\nHost: a\r\nX-API-KEY: csk_secret\r\nbad header\r\n\r\n')
  await text(client)
  expect(lines.map((line) => Object.keys(JSON.parse(line)))).toEqual([
    ['level', 'time', 'pid', 'hostname', 'code', 'reason', 'msg'],
  ])
})
