import fc from 'fast-check'
import { expect, test } from 'vitest'
import { subjectKey } from '../../domain/subject.ts'
import type { Store } from '../../store/port.ts'
import { withTestStore } from '../../store/test-store.case.ts'
import { digestBytes, firstHour, type SyntheticPod, subjectOf } from '../../usage/reading/pods.case.ts'
import { NodeLoadCache } from './node-load-cache.ts'

let store: Store
withTestStore((opened) => {
  store = opened
})

const hours = { from: firstHour, to: firstHour + 200 }
let now = (firstHour + 100) * 3_600_000

async function keep(organisation: string, pods: readonly SyntheticPod[]): Promise<void> {
  const partition = { organisation, source: 'push' }
  const { epoch } = await store.usage.open(partition)
  const subjects = pods.map((pod) => {
    const subject = subjectOf(pod)
    const { from = firstHour, hours: length = 1 } = pod
    const digests = Array.from({ length }, (_, index) => ({
      hour: from + index,
      part: 0,
      bytes: digestBytes({ ...pod, from: from + index, hours: 1 }),
    }))
    return { key: subjectKey(subject), subject, state: new Uint8Array(), digests }
  })
  await store.usage.commit(partition, epoch, {
    subjects,
    entities: [],
    consumed: [],
    forgotten: [],
    resume: '',
  })
}

test('loads include everything on a node, of its cluster and organisation only', async () => {
  const cache = new NodeLoadCache(store, () => now)
  await keep('a', [
    { pod: 'x', hours: 2, cpuRequest: 1, memoryRequest: 2 },
    { pod: 'y', hours: 1, namespace: 'other', cores: 3, gib: 1 },
    { pod: 'z', cluster: 'elsewhere', cpuRequest: 9 },
    { pod: 'nowhere', node: null, cpuRequest: 9 },
  ])
  await keep('b', [{ pod: 'x', cpuRequest: 7 }])
  const { loads, endAt } = await cache.loadsOf('a', 'c', hours)
  expect(loads.at('n1', firstHour)).toEqual({ cores: 4, gib: 3 })
  expect(loads.at('n1', firstHour + 1)).toEqual({ cores: 1, gib: 2 })
  expect(endAt).toBe((firstHour + 2) * 3600 - 60)
  expect((await cache.loadsOf('a', 'unknown', hours)).endAt).toBe(0)
})

test('cached loads are reloaded: recent hours soon, everything after an hour', async () => {
  const cache = new NodeLoadCache({ usage: { ...store.usage, nodeLoadsChangedAt } }, () => now)
  const at = async (hour: number) =>
    (await cache.loadsOf('c', 'c', hours)).loads.at('n1', firstHour + hour).cores
  const [old, recent] = [1, 99]
  await keep('c', [{ pod: 'p', from: firstHour + old, cpuRequest: 1 }])
  expect(await at(recent)).toBe(0)
  await keep('c', [
    { pod: 'q', from: firstHour + old, cpuRequest: 2 },
    { pod: 'r', from: firstHour + recent, cpuRequest: 4 },
  ])
  now += 61_000
  expect([await at(old), await at(recent)]).toEqual([1, 4])
  now += 61_000
  expect([await at(old), await at(recent)]).toEqual([1, 4])
  now += 3_600_000
  expect([await at(old), await at(recent)]).toEqual([3, 4])
})

/** Usage of settled days never changes, whatever the clock of the database says about the synthetic hours. */
const nodeLoadsChangedAt = async () => 0

/** The store, with the first hour and the end of each reading. */
function watched() {
  const from: number[] = []
  const to: number[] = []
  const digests = (...asked: Parameters<Store['usage']['digests']>) => {
    from.push(asked[1].fromHour - firstHour)
    to.push(asked[1].toHour - firstHour)
    return store.usage.digests(...asked)
  }
  return { from, to, usage: { ...store.usage, digests, nodeLoadsChangedAt } }
}

test('concurrent requests share one read', async () => {
  const reading = watched()
  const cache = new NodeLoadCache(reading, () => now)
  await Promise.all(Array.from({ length: 20 }, () => cache.loadsOf('a', 'c', hours)))
  expect(reading.from).toHaveLength(1)
})

test('loads that were returned do not change', async () => {
  const cache = new NodeLoadCache(store, () => now)
  await keep('d', [{ pod: 'p', from: firstHour + 99, cpuRequest: 1 }])
  const first = await cache.loadsOf('d', 'c', hours)
  await keep('d', [{ pod: 'q', from: firstHour + 99, cpuRequest: 2 }])
  now += 61_000
  const second = await cache.loadsOf('d', 'c', hours)
  expect([first, second].map(({ loads }) => loads.at('n1', firstHour + 99).cores)).toEqual([1, 3])
})

test('the cache drops expired pages first, then the least recently requested ones', async () => {
  for (const organisation of ['e', 'f', 'g', 'h'])
    await keep(organisation, [{ pod: 'p', hours: 90, cpuRequest: 1 }])
  const { nodeHours } = (await new NodeLoadCache(store, () => now).loadsOf('e', 'c', hours)).loads
  const reading = watched()
  const cache = new NodeLoadCache(reading, () => now, 2 * nodeHours)
  /** Whether nothing of the organisation's loads was cached. */
  const isReadWhole = async (organisation: string) => {
    await cache.loadsOf(organisation, 'c', hours)
    return reading.from.at(-1) === 0
  }
  const minute = 60_000
  expect(await isReadWhole('e')).toBe(true)
  now += 30 * minute
  expect(await isReadWhole('f')).toBe(true)
  now += 29 * minute
  expect(await isReadWhole('e')).toBe(false)
  now += 2 * minute
  expect(await isReadWhole('g')).toBe(true)
  now += 2 * minute
  expect(await isReadWhole('f')).toBe(false)
  expect(await isReadWhole('h')).toBe(true)
  now += 2 * minute
  expect(await isReadWhole('f')).toBe(false)
  expect(await isReadWhole('g')).toBe(true)
})

test('a page larger than the capacity is cached alone', async () => {
  const reading = watched()
  const cache = new NodeLoadCache(reading, () => now, 1)
  for (const organisation of ['e', 'f', 'f', 'e']) {
    await cache.loadsOf(organisation, 'c', hours)
    now += 61_000
  }
  expect(reading.from.map((from) => from === 0)).toEqual([true, true, false, true])
})

test('the latest hours are reloaded first, then those of two days, then all', async () => {
  now = (firstHour + 150) * 3_600_000
  await keep('i', [{ pod: 'p', hours: 150, cpuRequest: 1 }])
  const reading = watched()
  const cache = new NodeLoadCache(reading, () => now)
  for (const minutes of [0, 2, 7, 2, 60]) {
    now += minutes * 60_000
    await cache.loadsOf('i', 'c', hours)
  }
  expect(reading.from).toEqual([0, 148, 148, 101, 0])
})

test('only the hours of a window that are not cached are read, from the start of a day', async () => {
  await keep('j', [{ pod: 'p', hours: 190, cpuRequest: 1 }])
  now = (firstHour + 500) * 3_600_000
  const reading = watched()
  const cache = new NodeLoadCache(reading, () => now)
  const ask = (from: number, to: number) =>
    cache.loadsOf('j', 'c', { from: firstHour + from, to: firstHour + to }).then(() => {})
  await ask(80, 100)
  await ask(85, 95)
  await ask(85, 120)
  await Promise.all([ask(70, 90), ask(60, 90)])
  await ask(160, 180)
  await ask(60, 120)
  expect(reading.from.map((from, index) => [from, reading.to[index]])).toEqual([
    [72, 100],
    [76, 120],
    [48, 96],
    [144, 180],
  ])
})

test('earlier requests do not change loads or the last sample', async () => {
  const pods = Array.from(
    { length: 12 },
    (_, index): SyntheticPod => ({
      pod: `p${index}`,
      from: firstHour + 13 * index,
      hours: 20 + 9 * (index % 5),
      cpuRequest: index % 3,
      memoryRequest: 1,
      cores: 0.3 * index,
      node: index % 4 === 0 ? 'n2' : 'n1',
      seconds: 3600 - 60 * index,
    }),
  )
  await keep('k', pods)
  now = (firstHour + 230) * 3_600_000
  const hour = fc.integer({ min: -10, max: 220 })
  const window = fc.tuple(hour, fc.integer({ min: 1, max: 90 }))
  await fc.assert(
    fc.asyncProperty(fc.array(window, { minLength: 2, maxLength: 6 }), async (windows) => {
      const cache = new NodeLoadCache(store, () => now)
      for (const [from, length] of windows) {
        const asked = { from: firstHour + from, to: firstHour + from + length }
        const [kept, fresh] = [
          await cache.loadsOf('k', 'c', asked),
          await new NodeLoadCache(store, () => now).loadsOf('k', 'c', asked),
        ]
        expect(kept.endAt).toBe(fresh.endAt)
        for (const node of ['n1', 'n2'])
          for (let at = asked.from; at < asked.to; at++)
            expect(kept.loads.at(node, at)).toEqual(fresh.loads.at(node, at))
      }
    }),
    { numRuns: 25 },
  )
})

test('loads of a large cluster are reused for minutes, but not for hours that are not cached', async () => {
  now = (firstHour + 10) * 3_600_000
  await keep(
    'l',
    Array.from({ length: 100 }, (_, pod) => ({ pod: `p${pod}`, from: firstHour + 9, hours: 1 })),
  )
  const reading = watched()
  const cache = new NodeLoadCache(reading, () => now)
  for (const minutes of [0, 2, 2, 2]) {
    now += minutes * 60_000
    await cache.loadsOf('l', 'c', hours)
  }
  expect(reading.from).toEqual([0, 8])
  now += 1
  await cache.loadsOf('l', 'c', { from: hours.from, to: hours.to + 5 })
  expect(reading.from.at(-1)).toBe(hours.to - firstHour - 24)
})

test('a request for known hours does not wait while further hours are read', async () => {
  now = (firstHour + 500) * 3_600_000
  await keep('known', [{ pod: 'x', hours: 190, cpuRequest: 1 }])
  const gate = Promise.withResolvers<void>()
  let reads = 0
  async function* digests(...asked: Parameters<typeof store.usage.digests>) {
    if (++reads > 1) await gate.promise
    yield* store.usage.digests(...asked)
  }
  const cache = new NodeLoadCache({ usage: { ...store.usage, digests, nodeLoadsChangedAt } }, () => now)
  const ask = (from: number, to: number) =>
    cache.loadsOf('known', 'c', { from: firstHour + from, to: firstHour + to })
  await ask(80, 100)
  const further = ask(10, 100)
  const evenFurther = ask(0, 100)
  const { loads } = await ask(85, 95)
  expect(loads.at('n1', firstHour + 90).cores).toBe(1)
  gate.resolve()
  expect((await further).loads.at('n1', firstHour + 20).cores).toBe(1)
  expect((await evenFurther).loads.at('n1', firstHour + 5).cores).toBe(1)
})
