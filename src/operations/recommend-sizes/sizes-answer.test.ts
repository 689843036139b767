import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactDays } from '../../ingest/retention.ts'
import { KeptAnswerBuilder, keptAnswerCodec } from '../../namespace-sizes/answer/kept-answer.ts'
import { SizesCache } from '../../namespace-sizes/answer/sizes-cache.ts'
import { openStore } from '../../store/open.ts'
import { type Store, type StoredAnswer, StoreUnavailable } from '../../store/port.ts'
import { StoredAnswers } from '../../store/stored-answers.ts'
import { firstHour, type SyntheticPod } from '../../usage/reading/pods.case.ts'
import { costsAnswer } from '../report-costs/costs-answer.ts'
import { parseCostsRequest } from '../report-costs/query.ts'
import type { SizesRequest } from './query.ts'
import { sizesAnswer } from './sizes-answer.ts'
import { depsAt, queryUntil, storePods } from './test-namespaces.case.ts'

const directory = mkdtempSync(join(tmpdir(), 'cheapside-sizes-cache-'))
const [organisation, days] = ['a', 5]
const toHour = firstHour + days * 24
const { signal } = new AbortController()
let store: Store

const pods: SyntheticPod[] = ['shop', 'till', 'bank', 'ünder'].flatMap((namespace, place) =>
  Array.from({ length: 9 }, (_, index) => ({
    cluster: place < 2 ? 'c' : 'd',
    namespace,
    pod: `p-${index}`,
    workload: `Deployment/w${index % 6}`,
    node: `n${index % 3}`,
    container: index % 4 === 0 ? 'side' : 'app',
    cores: (hour: number) => 0.2 + ((index * 7 + hour) % 11) / 20,
    gib: 0.3 + (index % 5) / 4,
    cpuRequest: index % 3 === 0 ? 1 : 0.1,
    memoryRequest: 0.5,
    from: firstHour + (index % 6),
    hours: days * 24 - (index % 9) - 6,
    oomEvents: (hour: number) => (index === 3 && hour % 40 === 0 ? 1 : 0),
    startsAt: (hour: number) => index === 5 && hour % 30 === 0,
    runsAt: (hour: number) => index !== 7 || hour % 5 < 2,
  })),
)

beforeAll(async () => {
  store = await openStore({ dataDirectory: directory })
  await storePods(store, organisation, pods, days)
})
afterAll(async () => {
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

const price = { corePerHourUsd: 0.03, gibPerHourUsd: 0.004, perHourUsd: 0.152 }
const fresh = () => depsAt(store, toHour, price)

const textOf = async ({ pieces, next }: { pieces: AsyncGenerator; next?: string | undefined }) => ({
  text: await text(pieces),
  next,
})

const ask = async (
  deps: ReturnType<typeof fresh>,
  words: Partial<SizesRequest> = {},
  until = toHour,
  format: 'json' | 'ndjson' = 'json',
) => textOf(await sizesAnswer(deps, organisation, queryUntil(until, words), format, signal))

/** A cache whose clock advances only when the test advances it. */
function keeping({
  basis = (): string => '',
  maxBytes = 1 << 20,
  minContainers = 24,
  nowMs = toHour * 3_600_000,
} = {}) {
  let clock = 0
  const sizesCache = new SizesCache({ basis: async () => basis(), now: () => nowMs }, undefined, {
    clockMs: () => clock,
    maxBytes,
    minContainers,
  })
  const pass = (ms: number): void => {
    clock += ms
  }
  return { deps: { ...fresh(), sizesCache }, sizesCache, pass }
}

const questions: Partial<SizesRequest>[] = [
  {},
  { cluster: 'c' },
  { namespace: 'bank' },
  { cluster: 'd', namespace: 'bank' },
  { cluster: 'c', namespace: 'bank' },
  { limit: 1 },
  { limit: 3 },
  { container_limit: 4 },
  { container_limit: 5, limit: 2 },
  { container_limit: 1000 },
]

test.each(questions)('a part of a cached answer equals the answer computed alone: %j', async (words) => {
  const { deps } = keeping()
  await ask(deps)
  for (const format of ['json', 'ndjson'] as const) {
    let cursor: string | undefined
    do {
      const page = { ...words, cursor }
      const one = await ask(deps, page, toHour, format)
      expect(one).toEqual(await ask(fresh(), page, toHour, format))
      cursor = one.next
    } while (cursor !== undefined)
  }
})

const isKept = async (
  { sizesCache }: ReturnType<typeof keeping>,
  words: Partial<SizesRequest> = {},
  until = toHour,
) => (await sizesCache.find(organisation, queryUntil(until, words))) !== undefined

test('an answer is cached for a while if it is neither small nor too large', async () => {
  const long = keeping()
  expect(await isKept(long)).toBe(false)
  const asked = await ask(long.deps)
  const containers = asked.text.split('"NewSpend"').length - 1 - 4
  expect(await isKept(long)).toBe(true)
  expect(await isKept(long, { profile: 'cost' })).toBe(false)
  expect(await isKept(long, { explain: true })).toBe(false)
  expect(await isKept(long, {}, toHour - 1)).toBe(false)
  long.pass(containers * 250 - 1)
  expect(await isKept(long)).toBe(true)
  long.pass(1)
  expect(await isKept(long)).toBe(false)
  for (const short of [keeping({ minContainers: 100 }), keeping({ maxBytes: 1000 })]) {
    await ask(short.deps)
    expect(await isKept(short)).toBe(false)
    expect(await short.sizesCache.isSettled(organisation, queryUntil(toHour))).toBe(true)
  }
})

test.each([
  [0.5, 1],
  [4, 1],
  [20, 5],
  [96, 24],
  [1000, 24],
])('an answer about a period that ended %d hours ago is cached %d times as long', async (hoursAgo, times) => {
  const cache = keeping({ nowMs: (toHour + hoursAgo) * 3_600_000 })
  const containers = (await ask(cache.deps)).text.split('"NewSpend"').length - 1 - 4
  cache.pass(times * containers * 250 - 1)
  expect(await isKept(cache)).toBe(true)
  cache.pass(1)
  expect(await isKept(cache)).toBe(false)
})

test('an answer is cached only while its basis is the same', async () => {
  let basis = 'one'
  const cache = keeping({ basis: () => basis })
  await ask(cache.deps)
  expect(await isKept(cache)).toBe(true)
  basis = 'other'
  expect(await isKept(cache)).toBe(false)
})

/** Simulates another process on the same database. It fails if it has to compute anything. */
function newProcess({ basis = 'one', at = toHour * 3_600_000, isIdle = true } = {}) {
  const archive = new StoredAnswers({ store, now: () => at, version: 'test' }, keptAnswerCodec)
  const options = { clockMs: () => 0, maxBytes: 1 << 20, minContainers: 24 }
  const sizesCache = new SizesCache({ basis: async () => basis, now: () => at }, archive, options)
  const nodePrices = isIdle ? () => Promise.reject(new Error('worked out again')) : fresh().nodePrices
  return { sizesCache, deps: { ...fresh(), nodePrices, sizesCache } }
}

test('another process answers from what one has computed, while it is valid and nothing it depends on has changed', async () => {
  await ask(newProcess({ isIdle: false }).deps)
  const isStored = () => newProcess().sizesCache.isSettled(organisation, queryUntil(toHour))
  await expect.poll(isStored, { timeout: 60_000 }).toBe(true)
  for (const words of questions)
    expect(await ask(newProcess().deps, words)).toEqual(await ask(fresh(), words))
  await expect(ask(newProcess({ basis: 'other' }).deps)).rejects.toThrow('worked out again')
  await expect(ask(newProcess().deps, {}, toHour - 1)).rejects.toThrow('worked out again')
  const later = toHour * 3_600_000 + 60_000
  await expect(ask(newProcess({ at: later }).deps)).rejects.toThrow('worked out again')
})

test('another process answers about a period that ended long ago for longer', async () => {
  const until = toHour - 1
  const at = (toHour + 39) * 3_600_000
  await ask(newProcess({ at, isIdle: false }).deps, {}, until)
  const isStored = () => newProcess({ at }).sizesCache.isSettled(organisation, queryUntil(until))
  await expect.poll(isStored, { timeout: 60_000 }).toBe(true)
  const later = at + 50_000
  expect(await ask(newProcess({ at: later }).deps, {}, until)).toEqual(await ask(fresh(), {}, until))
  await expect(ask(newProcess({ at: at + 600_000 }).deps, {}, until)).rejects.toThrow('worked out again')
})

test('a missing answer is looked up again after a while; an unreadable or outdated one is computed', async () => {
  const reads: number[] = []
  let [at, answers] = [1_000_000, { read: async () => undefined as StoredAnswer | undefined }]
  const read = () => {
    reads.push(at)
    return answers.read()
  }
  const away = () => Promise.reject(new StoreUnavailable('away'))
  const broken = { answers: { ...store.answers, read, computedAt: away, write: away } }
  const archive = new StoredAnswers({ store: broken, now: () => at, version: 'test' }, keptAnswerCodec)
  const key = { organisation, name: 'a', basis: '' }
  expect(await archive.read(key)).toBeUndefined()
  at += 29_999
  expect(await archive.read(key)).toBeUndefined()
  expect(reads).toEqual([1_000_000])
  at += 1
  answers = { read: async () => ({ computedAt: at, expiresAt: at + 9, bytes: Uint8Array.of(1, 2, 3) }) }
  expect(await archive.read(key)).toBeUndefined()
  expect(reads).toEqual([1_000_000, at])
  at += 30_000
  answers = { read: () => Promise.reject(new StoreUnavailable('away')) }
  expect(await archive.read(key)).toBeUndefined()
  expect(reads.length).toBe(3)
  const answer = new KeptAnswerBuilder().finish()
  await archive.write(key, answer, 1000)
  expect(await archive.computedAt(key)).toBeUndefined()
  at += 30_000
  const [computedAt, expiresAt] = [at + 3_600_000, at + 7_200_000]
  answers = {
    read: async () => ({ computedAt, expiresAt, bytes: await keptAnswerCodec.encode(answer) }),
  }
  expect(await archive.read(key)).toBeUndefined()
  at += 3_600_000
  expect(await archive.read(key)).toMatchObject({ answer: { namespaces: [] }, ttlMs: 3_600_000 })
})

test('an answer about some namespaces is not cached as one about all', async () => {
  for (const words of questions.slice(1)) {
    const cache = keeping()
    await ask(cache.deps, words)
    expect(await isKept(cache)).toBe(false)
  }
})

test('compacting days changes no answer', async () => {
  const costs = async (group_by: string, until: number) => {
    const window = {
      start_date: new Date((firstHour + 7) * 3_600_000).toISOString(),
      end_date: new Date(until * 3_600_000).toISOString(),
    }
    const query = parseCostsRequest({ ...window, group_by, step: 'day' }, fresh().now(), [])
    return textOf(await costsAnswer({ ...fresh(), labels: [] }, organisation, query, 'json', signal))
  }
  const all = async () => [
    ...(await Promise.all(
      [toHour, toHour - 5, toHour - 30, toHour + 9].map((until) => ask(fresh(), {}, until)),
    )),
    await ask(fresh(), { explain: true }),
    await ask(fresh(), { profile: 'vpa' }),
    await costs('workload', toHour),
    await costs('node', toHour - 29),
  ]
  const before = await all()
  const partition = { organisation, source: 'push' }
  const compacted = await compactDays(store.usage, partition, await store.usage.fence(partition), toHour - 24)
  expect(compacted).toBe(pods.length * (days - 1))
  expect(await all()).toEqual(before)
  await compactDays(store.usage, partition, await store.usage.fence(partition), toHour)
  expect(await all()).toEqual(before)
})
