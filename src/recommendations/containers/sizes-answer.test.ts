import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { costsAnswer } from '../../costs/report/costs-answer.ts'
import { parseCostsRequest } from '../../costs/report/query.ts'
import { compactDays } from '../../ingest/retention.ts'
import { openStore } from '../../store/open.ts'
import type { Store } from '../../store/port.ts'
import { firstHour, type SyntheticPod } from '../../usage/reading/pods.case.ts'
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
    await ask(fresh(), { basis: 'window' }),
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
