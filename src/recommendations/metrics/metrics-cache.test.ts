import { once } from 'node:events'
import { expect, test } from 'vitest'
import { Exposition } from './families.ts'
import { MetricsCache } from './metrics-cache.ts'

const minuteMs = 60_000
const query = { days: 14, cluster: undefined, limit: 10 }
const counted = { name: 'made', help: 'How often.', labels: ['organisation'] }

function cacheOf(maxBytes?: number) {
  const state = { nowMs: 0, made: 0, failures: 0, hold: undefined as Promise<void> | undefined }
  const cache = new MetricsCache(
    async (organisation) => {
      await state.hold
      if (organisation === 'broken') throw new Error('no database')
      const metrics = new Exposition([counted])
      metrics.add(counted, [organisation], ++state.made)
      return metrics
    },
    () => state.nowMs,
    () => state.failures++,
    maxBytes,
  )
  const ask = async (organisation = 'acme', limit = 10) => {
    let text = ''
    for await (const piece of await cache.text(organisation, { ...query, limit })) text += piece
    return Number(/ (\d+)\n$/.exec(text)![1])
  }
  return { cache, state, ask }
}

test('is computed once for some minutes, for each organisation and query', async () => {
  const { state, ask } = cacheOf()
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1])
  state.nowMs = 4 * minuteMs
  expect([await ask(), await ask('other'), await ask('acme', 5)]).toEqual([1, 2, 3])
})

test('the last text is returned while it is computed again, unless it is an hour old', async () => {
  const { cache, state, ask } = cacheOf()
  await ask()
  state.nowMs = 6 * minuteMs
  const held = Promise.withResolvers<void>()
  state.hold = held.promise
  expect([await ask(), await ask()]).toEqual([1, 1])
  held.resolve()
  await cache.idle()
  expect([await ask(), state.made]).toEqual([2, 2])
  state.nowMs = 80 * minuteMs
  expect(await ask()).toBe(3)
})

test('a failure is reported to waiting callers and retried; memory is bounded', async () => {
  const { state, ask } = cacheOf(2500)
  await expect(ask('broken')).rejects.toThrow('no database')
  expect(state.failures).toBe(1)
  expect([await ask('a'), await ask('b'), await ask('c')]).toEqual([1, 2, 3])
  expect([await ask('c'), await ask('a')]).toEqual([3, 4])
})

test('of the first texts that nobody waits for any more, the last two are finished', async () => {
  const made: number[] = []
  const ended: number[] = []
  const finish = Promise.withResolvers<void>()
  const cache = new MetricsCache(
    async (organisation, { limit }, signal) => {
      const stopped = once(signal, 'abort').then(() => ended.push(limit))
      await Promise.race([finish.promise, stopped])
      signal.throwIfAborted()
      made.push(limit)
      const metrics = new Exposition([counted])
      metrics.add(counted, [organisation], limit)
      return metrics
    },
    () => 0,
    () => expect.unreachable('what is ended did not fail'),
  )
  const callers = [1, 2, 3, 4, 5].map((limit) => {
    const gone = new AbortController()
    return { gone, answer: cache.text('acme', { ...query, limit }, gone.signal) }
  })
  const other = cache.text('other', { ...query, limit: 6 })
  for (const { gone, answer } of callers.slice(0, 4)) {
    gone.abort(new Error('gone'))
    await expect(answer).rejects.toThrow('gone')
  }
  await expect.poll(() => ended).toEqual([1, 2])
  finish.resolve()
  await Promise.all([callers[4]!.answer, other])
  await cache.idle()
  expect([made.sort(), ended]).toEqual([
    [3, 4, 5, 6],
    [1, 2],
  ])
})
