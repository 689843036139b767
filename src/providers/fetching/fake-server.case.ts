import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface Answer {
  readonly status?: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Iterable<Uint8Array>
}

/** A fake provider that answers in the real formats. `origin` is its own address, for links to next pages. */
export type Fake = (asked: Asked, origin: string) => Answer

export const faults = [
  'html', // an HTML page with that content type
  'html-as-json', // an HTML page with the content type of JSON
  'cut-connection', // fewer bytes than announced
  'cut-json', // a whole answer of half a document
  'reset', // no answer at all
  429,
  500,
  401,
] as const
export type Fault = (typeof faults)[number]

export interface FakeServer {
  readonly url: string
  readonly asked: Asked[]
  /** Makes some of the next requests fail; positions are counted from the next one. */
  fail(fault: Fault, which: (position: number) => boolean): void
  close(): Promise<void>
}

export async function startFake(fake: Fake): Promise<FakeServer> {
  const asked: Asked[] = []
  let failing: { fault: Fault; which: (position: number) => boolean; from: number } | undefined
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url!, url())
      const one: Asked = {
        method: request.method!,
        path: pathname,
        query: searchParams,
        headers: request.headers,
        body,
      }
      const position = asked.push(one) - 1
      const fault = failing?.which(position - failing.from) ? failing.fault : undefined
      answer(response, fake(one, url()), fault)
    })
  })
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: url(),
    asked,
    fail(fault, which) {
      failing = { fault, which, from: asked.length }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const page = '<!DOCTYPE html>\n<html><body>We will be back soon</body></html>'

function answer(
  response: ServerResponse,
  { status = 200, type, headers, body }: Answer,
  fault?: Fault,
): void {
  const contentType = type ?? 'application/json'
  if (fault === 'reset') response.destroy()
  else if (fault === 'html') response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  else if (fault === 'html-as-json') response.writeHead(200, { 'content-type': 'application/json' }).end(page)
  else if (typeof fault === 'number')
    response
      .writeHead(fault, { 'content-type': 'application/json', ...(fault === 429 && { 'retry-after': '7' }) })
      .end('{"error":"no"}')
  else if (fault === 'cut-connection') {
    const whole = Buffer.from(typeof body === 'string' ? body : Buffer.concat([...body]))
    response.writeHead(status, { 'content-type': contentType, 'content-length': whole.length })
    response.write(whole.subarray(0, whole.length >> 1), () => response.destroy())
  } else if (fault === 'cut-json') {
    const whole = Buffer.from(typeof body === 'string' ? body : Buffer.concat([...body]))
    response.writeHead(status, { 'content-type': contentType }).end(whole.subarray(0, whole.length >> 1))
  } else {
    response.writeHead(status, { 'content-type': contentType, ...headers })
    if (typeof body === 'string') response.end(body)
    else void pump(response, body)
  }
}

/** Writes as fast as the client reads, no faster. */
async function pump(response: ServerResponse, chunks: Iterable<Uint8Array>): Promise<void> {
  for (const chunk of chunks) {
    if (response.destroyed) return
    if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve))
  }
  response.end()
}

/** Answers 304 if the client already has this version. */
export function tagged(asked: Asked, etag: string, body: string | Iterable<Uint8Array>): Answer {
  if (asked.headers['if-none-match'] === etag) return { status: 304, body: '' }
  return { headers: { etag }, body }
}

export const notFound: Answer = { status: 404, body: '{"error":"not found"}' }
export const unauthorised: Answer = { status: 401, body: '{"error":"unauthorized"}' }
export const json = (value: unknown): Answer => ({ body: JSON.stringify(value) })
