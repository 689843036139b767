import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { readSettings } from '../config.ts'
import { startService } from './wiring/service.ts'

/** The whole service in this process, with its own database. */
export interface TestService {
  readonly url: string
  /** A key with every scope. */
  readonly key: string
  /** Sends a request with the first key unless another is given. A body that is an object is sent as JSON. */
  ask(path: string, options?: AskOptions): Promise<AskedAnswer>
  /** Sends raw bytes. Resolves to everything that was received until the server closed the connection. */
  raw(...pieces: (string | Buffer)[]): Promise<string>
  /**
   * Waits until `/metrics` reports this value of a series, because a scrape may get metrics that were written for an
   * earlier one.
   */
  metricIs(series: string, value: number): Promise<void>
  /** Refuses new requests and waits for those in progress. */
  stop(): Promise<boolean>
}

export interface AskOptions {
  readonly method?: string
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface AskedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any
}

export async function startTestService(env: Readonly<Record<string, string>> = {}): Promise<TestService> {
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-http-'))
  const settings = readSettings({
    CHEAPSIDE_LISTEN: '127.0.0.1:0',
    CHEAPSIDE_DATA: directory,
    CHEAPSIDE_LOG_LEVEL: 'silent',
    CHEAPSIDE_WATCH_SELF: 'false',
    CHEAPSIDE_REFRESH_HOURS: '0',
    CHEAPSIDE_DRAIN_SECONDS: '0',
    CHEAPSIDE_KEY_TRUST_SECONDS: '120',
    CHEAPSIDE_RATE_LIMIT: '0',
    CHEAPSIDE_ADDRESS_LIMIT: '0',
    CHEAPSIDE_OPEN_LIMIT: '0',
    ...env,
  })
  const service = await startService(settings)
  const key = (await service.ready)!
  const ask = (path: string, options: AskOptions = {}) => askAt(service.url, key, path, options)
  return {
    url: service.url,
    key,
    ask,
    raw: async (...pieces) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
      await once(socket, 'connect')
      for (const piece of pieces) socket.write(piece)
      return await text(socket)
    },
    metricIs: async (series, value) => {
      let found: string | undefined
      for (let tries = 0; tries < 100 && Number(found) !== value; tries++) {
        const lines = (await ask('/metrics')).text.split('\n')
        found = lines.find((line) => line.startsWith(`${series} `))?.slice(series.length)
        await setTimeout(20)
      }
      if (Number(found) !== value) throw new Error(`${series} is${found ?? ' missing'}, expected ${value}`)
    },
    stop: async () => {
      const isFinished = await service.stop()
      rmSync(directory, { recursive: true, force: true })
      return isFinished
    },
  }
}

async function askAt(url: string, first: string, path: string, options: AskOptions): Promise<AskedAnswer> {
  const { key = first, headers = {}, body } = options
  const isText = typeof body === 'string' || body instanceof Uint8Array
  const answer = await fetch(`${url}${path}`, {
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    headers: {
      ...(key === null ? {} : { 'x-api-key': key }),
      ...(body === undefined || isText ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isText ? (body as string) : JSON.stringify(body) }),
  })
  const content = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json') && content !== ''
  return {
    status: answer.status,
    headers: answer.headers,
    text: content,
    json: isJson && !answer.headers.get('content-type')!.includes('ndjson') ? JSON.parse(content) : undefined,
  }
}
