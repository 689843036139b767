import { gzipSync } from 'node:zlib'
import { halves, type JsonNode, smallerJson, smallerList, writeJson } from './json-node.ts'
import type { Operation } from './operations.ts'

export type FuzzBody = { readonly json: JsonNode } | { readonly bytes: Buffer }

/** A request in parts, so that it can be minimised before it is written. */
export interface FuzzRequest {
  readonly method: string
  /** The path, percent-encoded correctly or not. */
  readonly path: string
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: FuzzBody | undefined
  /** Name of the caller whose key is sent; '' for no key. */
  readonly caller: string
  /** The operation that the request is for; undefined if no documented one has its path and method. */
  readonly operation: Operation | undefined
  /** A client library would not write such a message, so the server may refuse it as malformed. */
  readonly malformed?: boolean
  /** Written to the socket unchanged instead of the other parts. */
  readonly message?: Buffer
}

export function targetOf({ path, query }: FuzzRequest): string {
  const pairs = query.map(([name, value]) => `${name}=${value}`)
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

export function bodyBytes({ body }: FuzzRequest): Buffer | undefined {
  if (body === undefined) return undefined
  return 'bytes' in body ? body.bytes : Buffer.from(writeJson(body.json))
}

/** Encodes unpaired surrogates as three bytes that UTF-8 forbids, because encodeURIComponent throws for them. */
export function percentEncode(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    return encodeURIComponent(text.replace(/\p{Surrogate}/gu, 'half')).replaceAll('half', '%ED%A0%80')
  }
}

/** Variants of the request in which one part is missing or shorter; the largest reductions come first. */
export function* smallerRequests(request: FuzzRequest): Generator<FuzzRequest> {
  if (request.message !== undefined) {
    yield* smallerList(
      request.message.toString('latin1').split('\r\n'),
      (lines) => ({ ...request, message: Buffer.from(lines.join('\r\n'), 'latin1') }),
      halves,
    )
    return
  }
  const { body } = request
  yield* smallerPaths(request)
  if (body !== undefined) yield { ...request, body: undefined }
  yield* smallerList(
    request.headers,
    (headers) => ({ ...request, headers }),
    function* ([name, value]) {
      for (const shorter of halves(value)) yield [name, shorter] as const
    },
  )
  yield* smallerList(
    request.query,
    (query) => ({ ...request, query }),
    function* ([name, value]) {
      for (const shorter of halves(value)) yield [name, shorter] as const
    },
  )
  if (body === undefined) return
  if ('json' in body) {
    for (const json of smallerJson(body.json)) yield { ...request, body: { json } }
  } else {
    yield* smallerList(
      [...halves(body.bytes.toString('latin1'))],
      ([text = '']) => ({ ...request, body: { bytes: Buffer.from(text, 'latin1') } }),
      () => [],
    )
  }
}

/** Shortens only parameters in the path, because the rest determines the operation. */
function* smallerPaths(request: FuzzRequest): Generator<FuzzRequest> {
  const template = request.operation?.path.split('/') ?? []
  const segments = request.path.split('/')
  for (const [index, segment] of segments.entries()) {
    if (!template[index]?.startsWith('{') || segment.length < 2) continue
    for (const shorter of halves(segment))
      if (shorter !== '') yield { ...request, path: segments.with(index, shorter).join('/') }
  }
}

/** A shell command that sends the request again. $URL is the service and $KEY the caller's key. */
export function asCommand(request: FuzzRequest, keyHeader: string): string {
  if (request.message !== undefined) {
    return `${unpack(request.message)} | sed "s/KEY/$KEY/" | curl -s --max-time 2 "telnet${'$'}{URL#http}"`
  }
  const target = shellQuote(targetOf(request)).replace(/^'/, "$URL'")
  const key = request.caller === '' ? [] : [`-H "${keyHeader}: $KEY"`]
  const headers = request.headers.map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`)
  const body = bodyBytes(request)
  const isPlain = body !== undefined && body.length < 2_000 && /^[\x20-\x7e]*$/.test(body.toString('latin1'))
  const data =
    body === undefined ? [] : isPlain ? [`--data-raw ${shellQuote(body.toString())}`] : ['--data-binary @-']
  const curl = ['curl --path-as-is -g -i -X', request.method, target, ...key, ...headers, ...data].join(' ')
  return body === undefined || isPlain ? curl : `${unpack(body)} | ${curl}`
}

const unpack = (bytes: Buffer): string =>
  `echo ${gzipSync(bytes, { level: 9 }).toString('base64')} | base64 -d | gunzip`

const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
