import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hourMs } from '../domain/time.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/port.ts'
import { decodeDigests } from '../usage/digest/codec.ts'
import { Overloaded } from './group-commit.ts'
import { type CollectedRequest, ReceivedCollections } from './received-collections.ts'
import { encodeRequest } from './remote-write/encode.case.ts'

const directory = mkdtempSync(join(tmpdir(), 'cheapside-received-'))
const nowMs = Date.parse('2026-11-15T12:00:00Z')
const startMs = nowMs - 90 * 24 * hourMs
let store: Store
beforeAll(async () => {
  store = await openStore({ dataDirectory: directory })
})
afterAll(async () => {
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

const nodeNamed = (holder: string, maxSeries = 1000) =>
  new ReceivedCollections({ store, holder, now: () => nowMs, log: () => undefined }, maxSeries)

/** A request with an hour of samples of each pod, one a minute. */
function hour(organisation: string, index: number, pods = 1): CollectedRequest {
  const fromMs = startMs + index * hourMs
  const series = Array.from({ length: pods }, (_, pod) => ({
    labels: Object.entries({
      __name__: 'container_memory_working_set_bytes',
      container: 'app',
      namespace: 'shop',
      pod: `web-${pod}`,
    }),
    samples: Array.from({ length: 60 }, (_, minute) => ({ timeMs: fromMs + minute * 60_000, value: 1e6 })),
  }))
  return {
    organisation,
    cluster: 'east',
    engine: 'prometheus:9090',
    format: 'remote-write-1',
    body: encodeRequest(series),
    untilMs: fromMs + hourMs,
    isComplete: true,
  }
}

async function samplesOf(organisation: string): Promise<number> {
  let samples = 0
  const always = { fromHour: 0, toHour: 2 ** 30 }
  for await (const { rows } of store.usage.digests(organisation, { kind: 'container', ...always }))
    for (const { bytes } of rows) for (const { memory } of decodeDigests(bytes)) samples += memory.count
  return samples
}

test('any node accepts any request; a superseded node asks to send it again, and nothing counts twice', async () => {
  const [a, b] = [nodeNamed('a'), nodeNamed('b')]
  expect(await a.receive({ ...hour('acme', 0), untilMs: undefined })).toMatchObject({ doneUntilMs: 0 })
  expect(await a.receive(hour('acme', 0))).toMatchObject({ samples: 60, doneUntilMs: startMs + hourMs })
  expect(await b.receive(hour('acme', 1))).toMatchObject({ doneUntilMs: startMs + 2 * hourMs, subjects: 1 })
  await expect(a.receive(hour('acme', 2))).rejects.toThrow(Overloaded)
  expect(await a.receive(hour('acme', 2))).toMatchObject({ doneUntilMs: startMs + 3 * hourMs })
  await a.receive(hour('acme', 1)).catch(() => a.receive(hour('acme', 1)))
  expect(await a.receive({ ...hour('acme', 2), isComplete: false })).toMatchObject({
    doneUntilMs: startMs + 3 * hourMs,
  })
  expect(await samplesOf('acme')).toBe(180)
})

test('history that is sent again counts once, also of pods that ended days before and after a restart', async () => {
  const history = async (node: ReceivedCollections) => {
    for (let index = 0; index < 60; index++) await node.receive(hour('hooli', index, index < 6 ? 2 : 1))
  }
  const node = nodeNamed('first')
  await history(node)
  expect(await samplesOf('hooli')).toBe(66 * 60)
  await history(node)
  expect(await samplesOf('hooli')).toBe(66 * 60)
  const restarted = nodeNamed('restarted')
  expect(await restarted.receive(hour('hooli', 0, 2))).toEqual({
    samples: 0,
    rejected: 0,
    refused: 0,
    refusal: undefined,
    doneUntilMs: startMs + 60 * hourMs,
    subjects: 1,
  })
  await history(restarted)
  expect(await samplesOf('hooli')).toBe(66 * 60)
})

test('samples that an engine returns late are written if they are in the last minutes that are queried again', async () => {
  const node = nodeNamed('late')
  const until = (minute: number) => startMs + minute * 60_000
  await node.receive(hour('umbrella', 0))
  await node.receive({ ...hour('umbrella', 1), body: encodeRequest([]), untilMs: until(65) })
  const late = hour('umbrella', 0, 2)
  expect(await node.receive(late)).toMatchObject({ samples: 120, doneUntilMs: until(65) })
  expect(await samplesOf('umbrella')).toBe(120)
  await node.receive({ ...hour('umbrella', 1), body: encodeRequest([]), untilMs: until(70) })
  expect(await node.receive(hour('umbrella', 0, 3))).toMatchObject({ samples: 0, doneUntilMs: until(70) })
  expect(await samplesOf('umbrella')).toBe(120)
})

test('one request of a collection at a time, and none from the future', async () => {
  const node = nodeNamed('c')
  const first = node.receive(hour('globex', 0))
  await expect(node.receive(hour('globex', 0))).rejects.toThrow(Overloaded)
  await first
  await expect(node.receive({ ...hour('globex', 1), untilMs: nowMs + hourMs })).rejects.toThrow('ahead')
  expect(await samplesOf('globex')).toBe(60)
})

test('more series than an organisation may have are refused as a whole', async () => {
  const node = nodeNamed('d', 2)
  expect(await node.receive(hour('initech', 0, 5))).toMatchObject({
    refused: 300,
    refusal: { code: 'too-many-series' },
  })
  expect(await samplesOf('initech')).toBe(0)
  expect(await node.receive(hour('initech', 0, 2))).toMatchObject({ refusal: undefined, subjects: 2 })
})

test('a collection forgets series as its time advances, even if another one is already further', async () => {
  const node = nodeNamed('forgetful', 100)
  await node.receive({ ...hour('ahead', 0), untilMs: nowMs })
  const churning = (index: number): CollectedRequest => {
    const labels = { container: 'app', namespace: 'shop', pod: `web-${index}` }
    const timeMs = startMs + index * hourMs
    const body = encodeRequest([
      {
        labels: Object.entries({ __name__: 'container_memory_working_set_bytes', ...labels }),
        samples: [{ timeMs, value: 1e6 }],
      },
    ])
    return { ...hour('behind', index), body }
  }
  for (let index = 0; index < 300; index++)
    expect((await node.receive(churning(index))).refusal, `hour ${index}`).toBeUndefined()
})

test('usage from before the retention is not written', async () => {
  const retention = { retentionDays: 1, retentionOf: { keeper: 10_000 } }
  const deps = { store, holder: 'short', now: () => startMs + 49 * hourMs, log: () => undefined, retention }
  const node = new ReceivedCollections(deps, 1000)
  expect(await node.receive(hour('forgetter', 0))).toMatchObject({ samples: 60, rejected: 60 })
  expect(await node.receive(hour('forgetter', 47))).toMatchObject({ samples: 60, rejected: 0 })
  expect(await node.receive(hour('keeper', 0))).toMatchObject({ samples: 60, rejected: 0 })
  expect(await samplesOf('forgetter')).toBe(60)
})
