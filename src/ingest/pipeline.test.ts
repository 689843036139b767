import { expect, test, vi } from 'vitest'
import type { Store } from '../store/port.ts'
import { withTestStore } from '../store/test-store.case.ts'
import { Overloaded } from './group-commit.ts'
import { Ingester } from './pipeline.ts'
import { podSample } from './pod-series.case.ts'
import { encodeRequest } from './remote-write/encode.case.ts'

let store: Store
withTestStore((opened) => {
  store = opened
})

const request = (organisation: string, pod: string, timeMs = Date.now()) => ({
  organisation,
  format: 'remote-write-1' as const,
  cluster: 'c',
  body: encodeRequest([podSample(pod, timeMs)]).slice(),
})

const newIngester = (isMemoryShort = () => false) =>
  new Ingester({ store, holder: 'me', now: Date.now, log: () => undefined }, 100, isMemoryShort)

test('a sender ahead of digestion is delayed, others are not', async () => {
  const ingester = newIngester()
  ingester.scheduler.backlogBytesOf = (organisation) => (organisation === 'behind' ? 2 ** 30 : 0)
  await expect(ingester.receive(request('behind', 'a'))).rejects.toThrow(Overloaded)
  expect(await ingester.receive(request('other', 'a'))).toMatchObject({ understood: 1 })
  await ingester.stop()
})

test('known series are accepted while memory is short', async () => {
  let isShort = false
  const ingester = newIngester(() => isShort)
  expect(await ingester.receive(request('acme', 'a'))).toMatchObject({ understood: 1 })
  isShort = true
  expect(await ingester.receive(request('acme', 'a'))).toMatchObject({ understood: 1, refused: 0 })
  expect(await ingester.receive(request('acme', 'b'))).toMatchObject({
    understood: 0,
    refused: 1,
    refusal: { code: 'overloaded' },
  })
  expect(ingester.figures().received).toMatchObject({ understood: 2, refused: 1 })
  await ingester.stop()
})

test('nodes, jobs and other objects of two days are limited, not only their active series', async () => {
  const hourMs = 3_600_000
  let now = Date.now() - 6 * hourMs
  const ingester = new Ingester({ store, holder: 'me', now: () => now, log: () => undefined }, 100)
  ingester.scheduler.start()
  const push = (first: number, count: number) => {
    const series = Array.from({ length: count }, (_, n) => ({
      labels: [
        ['__name__', 'kube_job_owner'],
        ['job_name', `job-${first + n}`],
        ['owner_kind', 'CronJob'],
        ['owner_name', 'nightly'],
      ] as const,
      samples: [{ timeMs: now, value: 1 }],
    }))
    const body = encodeRequest(series).slice()
    return ingester.receive({ organisation: 'jobs', format: 'remote-write-1', cluster: 'c', body })
  }
  for (const first of [0, 50]) {
    expect(await push(first, 50)).toMatchObject({ understood: 50, refused: 0 })
    await vi.waitFor(() => expect(ingester.scheduler.entitiesOf('jobs')).toBe(first + 50), 120_000)
    now += 3 * hourMs
  }
  expect(await push(100, 5)).toMatchObject({
    understood: 0,
    refused: 5,
    refusal: { code: 'too-many-series' },
  })
  await ingester.stop()
})

test('a request with only samples that are too old or in the future is counted and acknowledged, not stored', async () => {
  const ingester = newIngester()
  const hourMs = 3_600_000
  expect(await ingester.receive(request('late', 'a', Date.now() - 49 * hourMs))).toMatchObject({ tooOld: 1 })
  expect(await ingester.receive(request('late', 'a', Date.now() + hourMs))).toMatchObject({ inTheFuture: 1 })
  expect(ingester.figures()).toMatchObject({
    transactions: 0,
    received: { understood: 2 },
    outcomes: { too_old: 1, in_the_future: 1 },
  })
  expect(await ingester.receive(request('late', 'a'))).toMatchObject({ understood: 1, tooOld: 0 })
  expect(ingester.figures().transactions).toBe(1)
  await ingester.stop()
})

test('names that are too long are reported, whatever the default cluster', async () => {
  const ingester = newIngester()
  const long = request('long', 'x'.repeat(1500))
  for (const cluster of ['c', 'ü'.repeat(200)])
    expect(await ingester.receive({ ...long, cluster })).toMatchObject({
      understood: 0,
      ignored: 0,
      oversized: 1,
    })
  const fits = { ...request('long', 'x'.repeat(1480)), cluster: '\u{1f600}'.repeat(200) }
  expect(await ingester.receive(fits)).toMatchObject({ understood: 1, oversized: 0 })
  await ingester.stop()
})
