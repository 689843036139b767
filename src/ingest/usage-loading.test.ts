import { expect, test } from 'vitest'
import type { Store } from '../store/port.ts'
import { withTestStore } from '../store/test-store.case.ts'
import { UsageLoading } from './usage-loading.ts'

let store: Store
withTestStore((opened) => {
  store = opened
})

const startedAt = 1_800_000_000_000
const append = (organisation: string, receivedAt: number) =>
  store.usage.append([
    {
      partition: { organisation, source: 'push' },
      receivedAt,
      format: 'remote-write-1',
      cluster: 'c',
      body: Uint8Array.of(0),
    },
  ])
const digestAll = async (organisation: string) => {
  const partition = { organisation, source: 'push' }
  const entries = await store.usage.journal(partition, 0, 1 << 20)
  const consumed = entries.map(({ sequence }) => sequence)
  const rest = { subjects: [], entities: [], forgotten: [], resume: '' }
  await store.usage.commit(partition, await store.usage.fence(partition), { ...rest, consumed })
}

test('usage is loaded once the journal holds nothing from before the start, and stays so', async () => {
  const loading = new UsageLoading(store, startedAt, () => startedAt)
  await append('late', startedAt - 1)
  await append('late', startedAt + 1)
  await append('fresh', startedAt)
  expect(await loading.isLoaded('late')).toBe(false)
  expect(await loading.isLoaded('fresh')).toBe(true)
  expect(await loading.isLoaded('nobody')).toBe(true)
  await digestAll('late')
  expect(await loading.isLoaded('late')).toBe(true)
  await append('late', startedAt - 1)
  expect(await loading.isLoaded('late')).toBe(true)
})

test('a waiting request proceeds when usage is loaded, or ends when the client leaves', async () => {
  const loading = new UsageLoading(store, startedAt, () => startedAt)
  await append('waited', startedAt - 1)
  const gone = new AbortController()
  const leaving = loading.loaded('waited', gone.signal)
  gone.abort()
  await expect(leaving).rejects.toThrow()
  const waiting = loading.loaded('waited', new AbortController().signal)
  await digestAll('waited')
  await waiting
})

test.each([
  [2, 10_000, 30_000, true],
  [2, 10_000, 61_000, false],
  [2, 1_000, 30_000, false],
  [1, 10_000, 30_000, false],
])(
  'with %i nodes alive, %i ms after the start, an entry from %i ms before it is not waited for: %j',
  async (nodes, sinceMs, beforeMs, expected) => {
    const organisation = `peers-${nodes}-${sinceMs}-${beforeMs}`
    await append(organisation, startedAt - beforeMs)
    const leases = { held: async () => Array.from({ length: nodes }, (_, node) => `usage-node/${node}`) }
    const loading = new UsageLoading({ usage: store.usage, leases }, startedAt, () => startedAt + sinceMs)
    expect(await loading.isLoaded(organisation)).toBe(expected)
  },
)
