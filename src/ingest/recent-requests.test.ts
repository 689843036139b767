import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hourMs } from '../domain/time.ts'
import type { Store } from '../store/port.ts'
import { withTestStore } from '../store/test-store.case.ts'
import type { StoredEntry, UsageStore } from '../usage/port.ts'
import { Digester } from './digester.ts'
import type { IngestDeps } from './ingest-deps.ts'
import { Ingester } from './pipeline.ts'
import { podSample } from './pod-series.case.ts'
import { RecentRequests } from './recent-requests.ts'
import type { MessageFormat } from './remote-write/decode.ts'
import { encodeRequest, type SeriesToWrite } from './remote-write/encode.case.ts'

let store: Store
withTestStore((opened) => {
  store = opened
})

let organisations = 0
const startMs = 20_000 * 24 * hourMs
const pods = ['a', 'b', 'c', 'd'] as const

interface SampleToSend {
  readonly pod: string
  readonly value: number | 'stale'
  readonly isUseful: boolean
}

interface RequestToSend {
  readonly format: MessageFormat
  readonly cluster: string
  /** Minutes since the request before; after two hours without a sample a series is forgotten. */
  readonly pause: number
  readonly samples: readonly SampleToSend[]
  readonly isDigested: boolean
}

const sampleOf: fc.Arbitrary<SampleToSend> = fc.record({
  pod: fc.constantFrom(...pods),
  value: fc.oneof(fc.integer({ min: 0, max: 1e9 }), fc.constant('stale' as const)),
  isUseful: fc.integer({ min: 0, max: 4 }).map((n) => n > 0),
})
const requestOf: fc.Arbitrary<RequestToSend> = fc.record({
  format: fc.constantFrom('remote-write-1' as const, 'remote-write-2' as const),
  cluster: fc.constantFrom('one', 'two'),
  pause: fc.constantFrom(1, 1, 1, 30, 200),
  samples: fc.array(sampleOf, { minLength: 1, maxLength: 8 }),
  isDigested: fc.boolean(),
})

function seriesOf({ pod, value, isUseful }: SampleToSend, timeMs: number) {
  const { labels } = podSample(pod, timeMs)
  const named = isUseful ? labels : ([['__name__', 'go_goroutines'], ...labels.slice(1)] as const)
  return { labels: named, samples: [{ timeMs, value }] } satisfies SeriesToWrite
}

/**
 * Sends requests and digests the journal in between. Returns what is stored, what was counted, and what was read from
 * the journal.
 */
async function ingest(requests: readonly RequestToSend[], recent: RecentRequests | undefined) {
  const organisation = `org${++organisations}`
  const partition = { organisation, source: 'push' }
  const read: StoredEntry[] = []
  const usage: UsageStore = {
    ...store.usage,
    journal: async (...args) => {
      const entries = await store.usage.journal(...args)
      read.push(...entries)
      return entries
    },
  }
  let nowMs = startMs
  const deps: IngestDeps = {
    store: { usage, leases: store.leases },
    holder: 'me',
    now: () => nowMs,
    log: () => undefined,
    ...(recent && { recent }),
  }
  // The scheduler is never started, because the test decides when the journal is read.
  const ingester = new Ingester(deps, 3)
  const digester = await Digester.open(usage, partition, [], recent)
  for (const { format, cluster, pause, samples, isDigested } of requests) {
    nowMs += pause * 60_000
    const body = encodeRequest(
      samples.map((sample) => seriesOf(sample, nowMs)),
      format,
    ).slice()
    await ingester.receive({ organisation, format, cluster, body })
    if (isDigested) await digester.digest()
  }
  while ((await digester.digest()) > 0);
  await digester.commit()
  const stored: unknown[] = []
  const query = { kind: 'container', fromHour: 0, toHour: 1e9 } as const
  for await (const subject of store.usage.digests(organisation, query)) stored.push(subject)
  return { stored, counts: { ...digester.writer.accumulator.counts }, read }
}

test('digests from memory equal digests from the journal', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(requestOf, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(32 << 20, 600),
      async (requests, maxBytes) => {
        const slow = await ingest(requests, undefined)
        const fast = await ingest(requests, new RecentRequests(maxBytes))
        expect(fast.stored).toEqual(slow.stored)
        expect(fast.counts).toEqual(slow.counts)
      },
    ),
    { numRuns: 60 },
  )
})

test('a request that was received here is not read from the journal, unless it does not fit', async () => {
  const requests = [1, 2, 3].map((pause) => ({
    format: 'remote-write-1' as const,
    cluster: 'one',
    pause,
    samples: [{ pod: 'a', value: pause, isUseful: true }],
    isDigested: false,
  }))
  const lengths = ({ read }: Awaited<ReturnType<typeof ingest>>) => read.map(({ body }) => body.length > 0)
  expect(lengths(await ingest(requests, new RecentRequests()))).toEqual([false, false, false])
  expect(lengths(await ingest(requests, new RecentRequests(200)))).toEqual([false, true, true])
})

test('digested requests free their memory', () => {
  const recent = new RecentRequests(1000)
  const partition = { organisation: 'acme', source: 'push' }
  const samples = {
    highs: new Uint32Array(),
    lows: new Uint32Array(),
    timesMs: new Float64Array(),
    values: new Float64Array(),
    staleMarkers: 0,
  }
  for (let sequence = 1; sequence < 20; sequence++) {
    recent.keep(partition, sequence, { body: new Uint8Array(400), samples })
    recent.keep({ ...partition, organisation: 'other' }, 100 + sequence, {
      body: new Uint8Array(400),
      samples,
    })
    expect([...recent.requestsOf(partition).keys()]).toEqual([sequence])
    recent.forget(partition, sequence)
    recent.forget({ ...partition, organisation: 'other' }, 100 + sequence)
  }
  expect(recent.requestsOf(partition).size).toBe(0)
})
