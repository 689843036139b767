import { Problem, type ProblemCode, problemTable } from '../domain/problem.ts'
import { type Call, CommandFailure, UsageError } from './command.ts'

/** The API of a service: of a running one, or of the routes in this process on the database of this machine. */
export interface ServiceClient {
  /** Returns the JSON of the answer. Throws a problem as the operation itself would. */
  ask<Answer>(path: string, request?: ServerRequest): Promise<Answer>
  text(path: string, request?: ServerRequest): Promise<string>
  /** Sends a remote write request and returns the JSON of the answer. */
  write<Answer>(path: string, query: Query, body: Uint8Array): Promise<Answer>
  /** Returns the items of all pages of a list. The Link header names the next page. */
  pages<Item>(path: string, query: Query, onHeaders?: (headers: Headers) => void): Promise<Item[]>
}

interface ServerRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly query?: Query
  readonly accept?: string
  readonly body?: unknown
  /** The entity tag of what the request replaces. */
  readonly ifMatch?: string | undefined
}

/** Query parameters. Those that are undefined are left out. */
type Query = Readonly<Record<string, string | number | boolean | undefined>>

type Send = (path: string, request: SentRequest) => Promise<Response>

interface SentRequest {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

/** The service that --server, CHEAPSIDE_SERVER or a context names; undefined if there is none. */
export function serverOf({ settings }: Pick<Call, 'settings'>): ServiceClient | undefined {
  const { server, key } = settings
  if (server === '') return undefined
  if (key === '') throw new UsageError('CHEAPSIDE_KEY must contain an API key of the service')
  return remoteService(server, key)
}

export const remoteService = (server: string, key: string): ServiceClient =>
  clientOf((path, request) => sendTo(server, key, path, request))

export function clientOf(send: Send): ServiceClient {
  const ask = (path: string, request: ServerRequest = {}) =>
    send(path + written(request.query ?? {}), sentRequest(request))
  return {
    async ask<Answer>(path: string, request?: ServerRequest) {
      return (await ask(path, request)).json() as Promise<Answer>
    },
    text: async (path, request) => (await ask(path, request)).text(),
    async write<Answer>(path: string, query: Query, body: Uint8Array) {
      return (await ask(path, { query, body })).json() as Promise<Answer>
    },
    async pages<Item>(path: string, query: Query, onHeaders?: (headers: Headers) => void) {
      const items: Item[] = []
      let next: string | undefined = path + written(query)
      while (next !== undefined) {
        const response = await ask(next)
        onHeaders?.(response.headers)
        for (const item of (await response.json()) as Item[]) items.push(item)
        next = /<([^>]+)>; *rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
      }
      return items
    },
  }
}

function sentRequest({ method, body, accept = '*/*', ifMatch }: ServerRequest): SentRequest {
  const isRemoteWrite = body instanceof Uint8Array
  return {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      accept,
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      ...(isRemoteWrite ? remoteWriteHeaders : body === undefined ? {} : jsonHeaders),
    },
    ...(isRemoteWrite
      ? { body: body as Uint8Array<ArrayBuffer> }
      : body === undefined
        ? {}
        : { body: JSON.stringify(body) }),
  }
}

async function sendTo(server: string, key: string, path: string, request: SentRequest): Promise<Response> {
  const response = await fetch(server + path, {
    ...request,
    headers: { ...request.headers, 'x-api-key': key },
    // A redirect must not send the key to another address.
    redirect: 'error',
  }).catch((error: Error) => {
    const { cause } = error as { cause?: NodeJS.ErrnoException }
    const reason =
      cause?.code === 'ERR_SSL_WRONG_VERSION_NUMBER'
        ? 'it does not use TLS; try http://'
        : cause?.message || error.message
    throw new CommandFailure(`${server} cannot be reached: ${reason}`)
  })
  if (!response.ok) throw await problemIn(server, response)
  return response
}

const jsonHeaders = { 'content-type': 'application/json' }
const remoteWriteHeaders = { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' }

async function problemIn(server: string, response: Response): Promise<Error> {
  const problem = (await response.json().catch(() => null)) as { code?: unknown } | null
  if (problem === null || !Object.hasOwn(problemTable, String(problem.code)))
    return new CommandFailure(`${server} answered ${response.status}: is it a Cheapside service?`)
  if (problem.code === 'unauthenticated')
    return new CommandFailure(
      `${server} does not accept the key in CHEAPSIDE_KEY: it is of another service or database, revoked or expired`,
    )
  const { code, detail, errors, nearest } = problem as {
    code: ProblemCode
    detail: string
    errors?: { pointer: string; message: string }[]
    nearest?: unknown
  }
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new Problem(code, detail, {
    ...(errors === undefined ? {} : { errors }),
    ...(nearest === undefined ? {} : { extra: { nearest } }),
    ...(Number.isFinite(retryAfter) && retryAfter > 0 ? { retryAfterSeconds: retryAfter } : {}),
  })
}

function written(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
