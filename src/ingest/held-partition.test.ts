import { afterEach, expect, test, vi } from 'vitest'
import type { Store } from '../store/port.ts'
import { withTestStore } from '../store/test-store.case.ts'
import { HeldPartition, SampleOutcomeCounts } from './held-partition.ts'
import { podSample } from './pod-series.case.ts'
import { encodeRequest } from './remote-write/encode.case.ts'

let store: Store
withTestStore((opened) => {
  store = opened
})
afterEach(() => vi.restoreAllMocks())

test('requests that arrive soon after a turn are digested together', async () => {
  let clockMs = 1e6
  vi.spyOn(performance, 'now').mockImplementation(() => clockMs)
  const partition = { organisation: 'acme', source: 'push' }
  const deps = { store, holder: 'me', now: Date.now, log: () => undefined }
  const held = (await HeldPartition.take(deps, partition, new SampleOutcomeCounts()))!
  let sent = 0
  const receive = async () => {
    const timeMs = Date.now() + ++sent * 1000
    const body = encodeRequest([podSample('a', timeMs)]).slice()
    const format = 'remote-write-1' as const
    await store.usage.append([{ partition, receivedAt: timeMs, format, cluster: 'c', body }])
    held.backlogBytes += body.length
  }
  const turn = async () => {
    await held.renewLease()
    await held.digest()
    await held.checkpointIfDue()
  }
  await receive()
  expect(held.isDue).toBe(true)
  await turn()
  expect(held.isDue).toBe(false)

  const journal = vi.spyOn(store.usage, 'journal')
  for (let request = 0; request < 3; request++) await receive()
  clockMs += 999
  expect(held.isDue).toBe(false)
  clockMs += 1
  expect(held.isDue).toBe(true)
  await turn()
  expect(journal).toHaveBeenCalledTimes(1)
  expect(held.backlogBytes).toBe(0)

  held.backlogBytes = 1 << 20
  expect(held.isDue, 'a large backlog does not wait').toBe(true)
  await turn()
  expect(held.backlogBytes, 'nothing was left to read').toBe(0)
  await receive()
  await turn()
  clockMs += 60_000
  expect(held.isDue, 'digested samples are committed').toBe(true)
})
