import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { StoreUnavailable } from '../store/port.ts'
import { Overloaded } from './group-commit.ts'
import { type IngestThread, startIngestThread } from './ingest-thread.ts'
import { encodeRequest } from './remote-write/encode.case.ts'

const directory = mkdtempSync(join(tmpdir(), 'cheapside-usage-thread-'))
const threads: IngestThread[] = []
afterEach(() => Promise.all(threads.splice(0).map((thread) => thread.stop())))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function start(databaseUrl: string, maxBytes?: number): IngestThread {
  const work = {
    store: { dataDirectory: directory, databaseUrl },
    isSharded: false,
    holder: 'me',
    maxSeries: 1000,
    retention: { retentionDays: 30, retentionOf: {} },
    keptLabels: [],
    collections: [],
    collectMinutes: 15,
    collectParts: 1,
  }
  const thread = startIngestThread(
    work,
    () => undefined,
    () => undefined,
    maxBytes,
  )
  threads.push(thread)
  return thread
}

function request() {
  const labels = {
    __name__: 'container_memory_working_set_bytes',
    container: 'app',
    namespace: 'n',
    pod: 'p',
  }
  const samples = [{ timeMs: Date.now(), value: 1 }]
  const body = encodeRequest([{ labels: Object.entries(labels), samples }]).slice()
  return { organisation: 'acme', format: 'remote-write-1', cluster: 'c', body } as const
}

test('requests wait for the thread to start, within the byte budget, of which one organisation gets half', async () => {
  const thread = start('', 4 * (request().body.length + (64 << 10)))
  const ofOthers = { ...request(), organisation: 'other' }
  const calls = [request(), request(), request(), ofOthers].map((one) => thread.receive(one))
  await expect(calls[2]).rejects.toThrow(Overloaded)
  const taken = await Promise.all([calls[0], calls[1], calls[3]])
  expect(taken).toEqual(Array(3).fill(expect.objectContaining({ understood: 1 })))
  expect(await thread.receive(request())).toMatchObject({ understood: 1 })
})

test('a single request of any size is accepted', async () => {
  expect(await start('', 1).receive(request())).toMatchObject({ understood: 1 })
})

test('while the database cannot be reached requests are refused', async () => {
  const thread = start(`postgres://nobody@127.0.0.1:${await closedPort()}/none`)
  await expect(thread.receive(request())).rejects.toThrow(StoreUnavailable)
  await expect(thread.receive(request())).rejects.toThrow(StoreUnavailable)
})

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
