import { gzipSync } from 'node:zlib'
import type { Random } from './random.ts'
import { bodyBytes, type FuzzRequest } from './request.ts'

type Mutation = (request: FuzzRequest, random: Random) => FuzzRequest

/** Changes something in the request that no schema describes: method, path, header fields, encoding, framing. */
export const mutateRequest: Mutation = (request, random) => random.pick(mutations)(request, random)

const withHeader = (request: FuzzRequest, name: string, value: string): FuzzRequest => ({
  ...request,
  headers: [...request.headers.filter(([known]) => known !== name), [name, value]],
})

const contentTypes = [
  '',
  'application/json; charset=latin1',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'application/json;',
  'application/json, text/plain',
  'application/json; =',
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/x-protobuf;proto=prometheus.WriteRequest',
  'application/x-protobuf;proto=unknown',
  '/',
  'a'.repeat(5_000),
]
const codings = ['gzip', 'br', 'deflate', 'zstd', 'identity', 'snappy', 'gzip, gzip', 'x', '']
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']
const accepts = [
  'text/html',
  'application/*',
  '*/*;q=0',
  'application/json;q=x',
  ',,,',
  ';',
  'image/png',
  '*',
]
const oddHeaders: readonly (readonly [string, string])[] = [
  ['x-request-id', 'a'.repeat(65)],
  ['x-request-id', '"><script>'],
  ['x-forwarded-for', '1.2.3.4, ::1, unknown'],
  ['forwarded', 'for=nobody'],
  ['if-none-match', '*'],
  ['if-none-match', 'W/"x", "y'],
  ['origin', 'null'],
  ['range', 'bytes=0-0'],
  ['cookie', 'a='.repeat(3_000)],
  ['accept-encoding', 'gzip;q=1e9, br'],
  ['accept-language', 'ü'],
  ['authorization', 'Bearer '],
  ['authorization', `Bearer ${'x'.repeat(5_000)}`],
  ['authorization', 'Basic Og=='],
  ['x-prometheus-remote-write-version', '9.9.9'],
  ['x-http-method-override', 'DELETE'],
  ['host', ''],
  ['host', 'evil.example:99999'],
  ['user-agent', 'x'.repeat(15_000)],
  ['x-padding', 'x'.repeat(20_000)],
]
const oddPaths = ['%', '%zz', '%00', '%c0%ae', '%ed%a0%80', '%2f', '..%2f..%2fetc', ';a=b', '//', '%ff', '?']

/** A request for an address or a method that may not be documented. */
const elsewhere = (request: FuzzRequest, change: Partial<FuzzRequest>): FuzzRequest => ({
  ...request,
  ...change,
  operation: undefined,
})

const mutations: readonly Mutation[] = [
  (request, random) => withHeader(request, 'content-type', random.pick(contentTypes)),
  (request, random) => withHeader(request, 'content-encoding', random.pick(codings)),
  (request) => {
    const bytes = bodyBytes(request)
    if (bytes === undefined) return request
    return { ...withHeader(request, 'content-encoding', 'gzip'), body: { bytes: gzipSync(bytes) } }
  },
  (request, random) => withHeader(request, 'accept', random.pick(accepts)),
  (request, random) => {
    const [name, value] = random.pick(oddHeaders)
    return { ...request, headers: [...request.headers, [name, value]] }
  },
  (request, random) => elsewhere(request, { method: random.pick(methods) }),
  (request, random) => elsewhere(request, { path: request.path + random.pick(oddPaths) }),
  (request, random) => elsewhere(request, { path: request.path.replace(/[^/]+$/, random.pick(oddPaths)) }),
  (request, random) =>
    elsewhere(request, { path: `${request.path}/${random.pick(['', '.', 'x', '%2e%2e'])}` }),
  (request) => ({ ...request, query: [...request.query, ['%', '%zz'], ['%ff', '%c3%28']] }),
  (request) => ({ ...request, query: [...request.query, ...request.query] }),
  (request) => ({ ...request, body: { bytes: Buffer.alloc(0) } }),
  (request, random) => ({
    ...request,
    body: { bytes: spoilBytes(bodyBytes(request) ?? Buffer.from('{}'), random) },
  }),
  (request, random) => ({ ...request, body: { bytes: Buffer.from(random.pick(oddBodies)()) } }),
  // A body that the operation does not expect.
  (request) => ({
    ...withHeader(request, 'content-type', 'application/json'),
    body: { bytes: Buffer.from('[1') },
  }),
  (request, random) => rawMessage(request, random),
]

const oddBodies: readonly (() => string)[] = [
  () => 'null',
  () => '""',
  () => '[]',
  () => '\ufeff{}',
  () => '{"a":1,"a":2}',
  () => '{"a":NaN}',
  () => "{'a':1}",
  () => '{"a":1}{"b":2}',
  () => '['.repeat(20_000),
  () => `"${'\\ud800'.repeat(10_000)}"`,
  () => ' '.repeat(500_000),
  () => '{"__proto__":{"a":1}}',
]

export function spoilBytes(bytes: Buffer, random: Random): Buffer {
  const spoiled = Buffer.from(bytes)
  if (spoiled.length === 0) return spoiled
  for (let count = 1 + random.below(4); count > 0; count--)
    spoiled[random.below(spoiled.length)] = random.pick([0, 0xff, 0x80, 0xc0, 0x22, 0x7b, random.below(256)])
  return random.chance(0.3) ? spoiled.subarray(0, random.below(spoiled.length)) : spoiled
}

const startLines = [
  'GET /key HTTP/1.1',
  'GET /key HTTP/1.0',
  'GET /key HTTP/9.9',
  'GET  /key',
  'G\u0000T / HTTP/1.1',
  'GET * HTTP/1.1',
  'GET http://other/key HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'CONNECT a:1 HTTP/1.1',
  'GET /ü HTTP/1.1',
  '',
]
const rawHeaders = [
  'Host: a',
  'Host: a\r\nHost: b',
  'X-API-KEY: KEY',
  'A:b',
  ': x',
  'A\u0000: b',
  'A: \u0001',
  ' folded',
  'Content-Length: -1',
  'Content-Length: 1\r\nContent-Length: 2',
  'Content-Length: 0\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: gzip',
  'Transfer-Encoding: chunked',
  'Expect: 100-continue',
  'Expect: x',
  'Upgrade: h2c\r\nConnection: Upgrade',
  'Upgrade: websocket\r\nConnection: Upgrade',
  'Connection: x',
  'TE: trailers',
]

/**
 * Raw bytes for the socket, in which KEY is replaced by the caller's key. They end after the header fields or a small body.
 */
function rawMessage({ caller }: FuzzRequest, random: Random): FuzzRequest {
  const lines = [random.pick(startLines), random.chance(0.7) ? 'Host: a' : random.pick(rawHeaders)]
  for (let count = random.below(3); count > 0; count--) lines.push(random.pick(rawHeaders))
  const body = random.pick(['', '', '0\r\n\r\n', 'zz\r\n', '{}'])
  const message = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1')
  return {
    method: 'GET',
    path: '/key',
    query: [],
    headers: [],
    caller,
    operation: undefined,
    malformed: true,
    message,
  }
}
