import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { bodyBytes, type FuzzRequest, targetOf } from './request.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly ms: number
}

/** The connection ended, or the time was up, before a complete answer. */
export interface NoAnswer {
  readonly failure: string
  readonly ms: number
}

export interface Sender {
  send(request: FuzzRequest, key: string): Promise<Answer | NoAnswer>
  close(): void
}

const maxWaitMs = 60_000
/** A complete message is answered within this time. */
const cutOffMs = 500

/** Sends over a few connections that stay open. */
export function createSender(url: string, connections: number): Sender {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    send: (request, key) =>
      request.message === undefined
        ? sendRequest(request, key, { agent, hostname, port: Number(port) })
        : sendMessage(request.message, key, Number(port), hostname),
    close: () => agent.destroy(),
  }
}

interface Target {
  readonly agent: Agent
  readonly hostname: string
  readonly port: number
}

function sendRequest(request: FuzzRequest, key: string, target: Target): Promise<Answer | NoAnswer> {
  const started = performance.now()
  const ms = () => performance.now() - started
  const body = bodyBytes(request)
  const names = new Set(request.headers.map(([name]) => name))
  const headers = [
    ...(names.has('host') ? [] : ['host', `${target.hostname}:${target.port}`]),
    ...(key === '' ? [] : ['x-api-key', key]),
    ...request.headers.flatMap(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
    ...(body === undefined ? [] : ['content-length', String(body.length)]),
  ]
  return new Promise((resolve) => {
    const sent = httpRequest({
      ...target,
      method: request.method,
      path: targetOf(request),
      headers,
      timeout: maxWaitMs,
    })
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', (error) => resolve({ failure: `answer cut off: ${error.message}`, ms: ms() }))
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body: Buffer.concat(chunks),
          ms: ms(),
        }),
      )
    })
    sent.on('timeout', () => sent.destroy(new Error(`no answer in ${maxWaitMs} ms`)))
    sent.on('error', (error) => resolve({ failure: error.message, ms: ms() }))
    sent.end(body)
  })
}

/** Sends bytes, which need not be HTTP, on a new connection. */
function sendMessage(message: Buffer, key: string, port: number, host: string): Promise<Answer | NoAnswer> {
  const started = performance.now()
  const ms = () => performance.now() - started
  const text = message.toString('latin1').replaceAll('KEY', key)
  return new Promise((resolve) => {
    const socket = connect({ port, host, allowHalfOpen: true })
    let received = ''
    socket.setEncoding('latin1')
    socket.setTimeout(maxWaitMs, () => socket.destroy(new Error(`no answer in ${maxWaitMs} ms`)))
    socket.on('data', (chunk) => {
      received += chunk
      const answer = parseAnswer(received, ms())
      if (answer === undefined) return
      resolve(answer)
      socket.destroy()
    })
    socket.on('end', () => {
      resolve({ failure: `closed after ${received.length} bytes`, ms: ms() })
      socket.destroy()
    })
    socket.on('error', (error) => resolve({ failure: error.message, ms: ms() }))
    socket.write(Buffer.from(text, 'latin1'))
    // Otherwise the server would wait for the rest of an incomplete message until the request timeout.
    setTimeout(() => socket.end(), cutOffMs).unref()
  })
}

/** The first final answer in the received text; undefined until it is complete. */
function parseAnswer(received: string, ms: number): Answer | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [statusLine = '', ...lines] = received.slice(0, end).split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  const body = received.slice(end + 4)
  if (status < 200) return parseAnswer(body, ms)
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':')[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const length = Number(headers['content-length'] ?? 0)
  if (headers['transfer-encoding'] === undefined && body.length < length) return undefined
  if (headers['transfer-encoding'] !== undefined && !body.endsWith('0\r\n\r\n')) return undefined
  return { status, headers, body: Buffer.from(body.slice(0, length || body.length), 'latin1'), ms }
}
