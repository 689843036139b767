import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'

export type DeliveryResult =
  | { readonly kind: 'taken' }
  /** The server will never accept this request. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Later again: the server is unreachable or busy, or (`needsOperator`) somebody must fix something first. */
  | {
      readonly kind: 'later'
      readonly reason: string
      readonly retryAfterMs?: number
      readonly needsOperator?: boolean
    }

export type Deliver = (body: Uint8Array, signal: AbortSignal) => Promise<DeliveryResult>

interface RemoteWriteOptions {
  readonly url: URL
  readonly keyFile: string
  readonly userAgent: string
  readonly timeoutMs?: number
}

/** prometheus.io/docs/specs/prw/remote_write_spec. The key is read each time; redirects would send it to another server. */
export function remoteWrite(options: RemoteWriteOptions): Deliver {
  const { url } = options
  const scheme = url.protocol === 'https:' ? https : http
  const agent = new scheme.Agent({ keepAlive: true, maxSockets: 1, timeout: idleMs })
  const send = (body: Uint8Array, key: string, signal: AbortSignal) =>
    new Promise<{ status: number; text: string; retryAfter: string | undefined }>((resolve, reject) => {
      const headers = {
        'Content-Type': 'application/x-protobuf',
        'Content-Encoding': 'snappy',
        'Content-Length': body.length,
        'X-Prometheus-Remote-Write-Version': '0.1.0',
        'X-API-KEY': key,
        'User-Agent': options.userAgent,
      }
      const request = scheme.request(url, { method: 'POST', agent, headers, signal }, (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => {
          if (text.length < maxAnswerBytes) text += chunk
        })
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, text, retryAfter: answer.headers['retry-after'] }),
        )
      })
      request.on('error', (error: NodeJS.ErrnoException) =>
        reject(
          Object.assign(error, { staleConnection: request.reusedSocket && error.code === 'ECONNRESET' }),
        ),
      )
      request.end(body)
    })

  return async (body, signal) => {
    let key: string
    try {
      key = readFileSync(options.keyFile, 'utf8').trim()
    } catch (error) {
      return {
        kind: 'later',
        reason: `the key file cannot be read: ${(error as Error).message}`,
        needsOperator: true,
      }
    }
    const limit = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs)])
    try {
      // The server may close an idle connection just as it is reused; this is not a failure of the server.
      const answer = await send(body, key, limit).catch((error) => {
        if (error.staleConnection) return send(body, key, limit)
        throw error
      })
      return deliveryResultOf(answer)
    } catch (error) {
      const reason = limit.aborted ? 'no response in time' : plainReason(error as NodeJS.ErrnoException)
      return { kind: 'later', reason: `${url.host}: ${reason}` }
    }
  }
}

function deliveryResultOf(answer: {
  status: number
  text: string
  retryAfter: string | undefined
}): DeliveryResult {
  const { status } = answer
  if (status >= 200 && status < 300) return { kind: 'taken' }
  const detail = detailOf(answer.text)
  const reason = `the server answered ${status}${detail === '' ? '' : `: ${detail}`}`
  if (rejectedStatuses.has(status)) return { kind: 'refused', reason }
  if (status === 401 || status === 403)
    return { kind: 'later', reason: `the key is not accepted (${reason})`, needsOperator: true }
  if (status >= 300 && status < 500 && status !== 408 && status !== 429)
    return { kind: 'later', reason: `${reason}; is this the address of the service?`, needsOperator: true }
  const retryAfterMs = parseRetryAfter(answer.retryAfter)
  return { kind: 'later', reason, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

/** Statuses which mean that the request itself is invalid. */
const rejectedStatuses = new Set([400, 413, 415, 422])

/** The header contains seconds or a date. */
function parseRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.min(maxRetryAfterMs, Math.max(0, ms)) : undefined
}

/** The detail of a problem document, otherwise the first line of the text. */
function detailOf(text: string): string {
  try {
    const { detail, title } = JSON.parse(text) as { detail?: string; title?: string }
    if (detail ?? title) return printable(String(detail ?? title))
  } catch {}
  return printable(text.trim().split('\n', 1)[0] ?? '')
}

const printable = (text: string): string => text.replace(/\p{Cc}/gu, '\ufffd').slice(0, 300)

const plainReason = (error: NodeJS.ErrnoException): string =>
  ({ ECONNREFUSED: 'connection refused', ENOTFOUND: 'no such host', ECONNRESET: 'the connection was reset' })[
    error.code ?? ''
  ] ?? error.message

const defaultTimeoutMs = 10_000
const idleMs = 60_000
const maxAnswerBytes = 4096
const maxRetryAfterMs = 3600_000
