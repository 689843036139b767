import { expect, test } from 'vitest'
import { Cache } from './cache.ts'

function cacheOf(options: { maxCount?: number; maxSize?: number } = {}) {
  const state = { nowMs: 0, made: 0 }
  const cache = new Cache<number>({
    ...{ maxCount: 10, sizeOf: (value) => value, clockMs: () => state.nowMs },
    ...options,
  })
  const make = async () => ++state.made
  return { cache, state, make }
}

test('callers at the same time share a load, and those during a reload share the next one', async () => {
  const { cache, state, make } = cacheOf()
  expect(await Promise.all([cache.load('a', make), cache.load('a', make)])).toEqual([1, 1])
  expect(cache.get('a')).toBe(1)
  const first = cache.reload('a', make)
  const [second, third] = [cache.reload('a', make), cache.reload('a', make)]
  expect([await first, await second, await third, state.made]).toEqual([2, 3, 3, 3])
  await cache.idle()
  expect(cache.get('a')).toBe(3)
})

test('the value before stays while a load runs and if it fails', async () => {
  const { cache, make } = cacheOf()
  await cache.load('a', make)
  const before: unknown[] = []
  const failing = cache.load('a', async (known) => {
    before.push(known)
    throw new Error('no database')
  })
  expect(cache.get('a')).toBe(1)
  await expect(failing).rejects.toThrow('no database')
  expect([cache.get('a'), before]).toEqual([1, [1]])
  expect(await cache.reload('b', () => Promise.reject(new Error('neither'))).catch(() => 'failed')).toBe(
    'failed',
  )
  expect(cache.has('b')).toBe(false)
})

test('a value that was deleted during its load does not come back', async () => {
  const { cache, make } = cacheOf()
  const loading = cache.load('a', make)
  cache.delete('a')
  expect([await loading, cache.get('a')]).toEqual([1, undefined])
})

test('a value is as old as the beginning of its load', async () => {
  const { cache, state } = cacheOf()
  await cache.load('a', async () => (state.nowMs += 5))
  state.nowMs = 9
  expect([cache.get('a', 10), cache.get('a', 9), cache.get('a', (value) => value + 5)]).toEqual([
    5,
    undefined,
    5,
  ])
})

test('the least recently used are dropped, but not the one that was used last', () => {
  const { cache } = cacheOf({ maxCount: 3, maxSize: 10 })
  for (const key of ['a', 'b', 'c']) cache.set(key, 1)
  cache.get('a')
  cache.set('d', 1)
  expect(['a', 'b', 'c', 'd'].filter((key) => cache.has(key))).toEqual(['a', 'c', 'd'])
  cache.set('a', 9)
  expect(['a', 'c', 'd'].filter((key) => cache.has(key))).toEqual(['a', 'd'])
  cache.set('huge', 100)
  expect(['a', 'd', 'huge'].filter((key) => cache.has(key))).toEqual(['huge'])
})
