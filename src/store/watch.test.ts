import { expect, test, vi } from 'vitest'
import type { ChangeFeed } from './port.ts'
import { watchChanges } from './watch.ts'

/** A watch over versions and a clock that the test controls. */
function check(initial: Record<string, number> = {}) {
  const versions = new Map(Object.entries(initial))
  const heard: string[] = []
  const errors: unknown[] = []
  const state = { clock: 100, reads: 0, fail: undefined as Error | undefined, subscribers: 0 }
  let hint = () => {}
  const changes: ChangeFeed = {
    async versions() {
      state.reads++
      if (state.fail) throw state.fail
      return new Map(versions)
    },
    subscribe(onHint) {
      hint = onHint
      state.subscribers++
      return () => {
        state.subscribers--
      }
    },
  }
  const start = (onChange: (topic: string) => void | Promise<void> = () => {}, pollMs = 3_600_000) =>
    watchChanges(changes, {
      pollMs,
      now: () => state.clock,
      onError: (error) => errors.push(error),
      onChange(topic) {
        heard.push(topic)
        return onChange(topic)
      },
    })
  return { versions, heard, errors, state, start, hint: () => hint() }
}

test('at the first read every topic counts as changed, later only those that changed', async () => {
  const { versions, heard, start } = check({ keys: 3, 'marketplace/a': 1 })
  const watch = start()
  await watch.checkNow()
  expect(heard).toEqual(['keys', 'marketplace/a'])
  await watch.checkNow()
  versions.set('marketplace/a', 2).set('__proto__', 1)
  await watch.checkNow()
  expect(heard.slice(2)).toEqual(['marketplace/a', '__proto__'])
  watch.stop()
})

test('a version that decreased or disappeared counts as changed, because a backup was restored', async () => {
  const { versions, heard, start } = check({ keys: 3, gone: 2 })
  const watch = start()
  await watch.checkNow()
  versions.set('keys', 1).delete('gone')
  await watch.checkNow()
  await watch.checkNow()
  expect(heard.slice(2).toSorted()).toEqual(['gone', 'keys'])
  watch.stop()
})

test('many hints make few reads, and the last hint is always followed by a read', async () => {
  const { versions, heard, state, start, hint } = check({ keys: 1 })
  const watch = start()
  for (let n = 0; n < 100; n++) hint()
  versions.set('keys', 2)
  await watch.checkNow()
  expect(state.reads).toBeLessThanOrEqual(3)
  await vi.waitFor(() => expect(heard).toEqual(['keys', 'keys']), 120_000)
  watch.stop()
})

test('without hints polling finds a change', async () => {
  const { versions, heard, start } = check({ keys: 1 })
  const watch = start(() => {}, 1)
  await watch.checkNow()
  versions.set('keys', 2)
  await vi.waitFor(() => expect(heard).toEqual(['keys', 'keys']), 120_000)
  watch.stop()
})

test('errors are reported and survived; the time of the last read is that of a successful one', async () => {
  const { versions, heard, errors, state, start } = check({ keys: 1 })
  const watch = start()
  expect(watch.lastReadAt).toBeUndefined()
  await watch.checkNow()
  expect(watch.lastReadAt).toBe(100)
  state.clock = 200
  state.fail = new Error('away')
  await watch.checkNow()
  expect([watch.lastReadAt, watch.freshAt('keys'), watch.freshAt('unknown')]).toEqual([100, 100, 100])
  expect(errors).toEqual([state.fail])
  state.fail = undefined
  versions.set('keys', 2)
  await watch.checkNow()
  expect(watch.freshAt('keys')).toBe(200)
  expect(heard).toEqual(['keys', 'keys'])
  watch.stop()
})

const failures = {
  'throws at once': () => {
    throw new Error('no')
  },
  'rejects later': () => Promise.reject(new Error('no')),
}
test.each(Object.entries(failures))(
  'a listener that %s is called again, and its topic is not fresh',
  async (_, fail) => {
    const { errors, heard, state, start } = check({ bad: 1, good: 1 })
    let failing = true
    const watch = start((topic) => (topic === 'bad' && failing ? fail() : undefined))
    await watch.checkNow()
    expect([watch.lastReadAt, watch.freshAt('bad'), watch.freshAt('good')]).toEqual([100, undefined, 100])
    failing = false
    state.clock = 200
    await watch.checkNow()
    expect([watch.lastReadAt, watch.freshAt('bad'), watch.freshAt('good')]).toEqual([200, 200, 200])
    expect(heard.filter((topic) => topic === 'good')).toHaveLength(1)
    expect(heard.filter((topic) => topic === 'bad')).toHaveLength(errors.length + 1)
    watch.stop()
  },
)

test('a slow listener delays neither reads nor other topics, and is notified of changes meanwhile', async () => {
  const { versions, heard, state, start, hint } = check({ slow: 1 })
  const finish = Promise.withResolvers<void>()
  const watch = start((topic) => (topic === 'slow' ? finish.promise : undefined))
  await vi.waitFor(() => expect(heard).toEqual(['slow']), 120_000)
  state.clock = 200
  versions.set('slow', 2).set('quick', 1)
  hint()
  await vi.waitFor(() => expect(heard).toEqual(['slow', 'quick']), 120_000)
  expect([watch.lastReadAt, watch.freshAt('slow'), watch.freshAt('quick')]).toEqual([200, undefined, 200])
  finish.resolve()
  await vi.waitFor(() => expect(heard).toEqual(['slow', 'quick', 'slow']), 120_000)
  await watch.checkNow()
  expect(watch.freshAt('slow')).toBe(200)
  watch.stop()
})

test('after stop nothing is read and no listener is called', async () => {
  const { versions, heard, state, start, hint } = check({ keys: 1 })
  const watch = start()
  watch.stop()
  versions.set('keys', 2)
  hint()
  await watch.checkNow()
  expect(heard).toEqual([])
  expect(state).toMatchObject({ reads: 1, subscribers: 0 })
})
