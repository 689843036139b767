import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeRequest } from '../ingest/remote-write/decode.ts'
import { type LabelPairs, Resolver } from '../ingest/remote-write/resolver.ts'
import { Batch } from '../ingest/remote-write/samples.ts'
import { defaultLimits } from '../ingest/remote-write/wire.ts'

export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly timeMs: number
  readonly value: number
}

/** The samples of a request, decoded as the service does. */
export function readRequest(body: Uint8Array): Sample[] {
  const known: LabelPairs[] = []
  const resolver = new Resolver(
    { mayUnderstand: () => true, number: (labels) => known.push(labels) - 1 },
    1e6,
  )
  const batch = new Batch()
  decodeRequest(body, 'remote-write-1', resolver, defaultLimits, batch)
  return Array.from({ length: batch.count }, (_, index) => ({
    labels: Object.fromEntries(known[batch.series[index]!]!),
    timeMs: batch.timesMs[index]!,
    value: batch.values[index]!,
  }))
}

export interface Answer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string
  /** Accept the request and never answer. */
  readonly hang?: boolean
}

/** Starts a server on a free port. `answer` is called when a request has been read, and returns the answer to send. */
export async function listen(
  answer: (request: IncomingMessage, body: Buffer) => Answer,
  port = 0,
): Promise<{ url: string; port: number; close(): Promise<void> }> {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { status, headers, body, hang } = answer(request, Buffer.concat(chunks))
      if (!hang) response.writeHead(status, headers).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Resolves when the check returns a result. It has no time limit other than that of the test. */
export async function eventually<Result>(find: () => Result | undefined | false): Promise<Result> {
  for (;;) {
    const result = find()
    if (result !== undefined && result !== false) return result
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
