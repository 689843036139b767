import { afterAll, beforeAll, expect, test } from 'vitest'
import { hourMs } from '../../domain/time.ts'
import { openTestMarket, type TestMarket } from '../../pricing/test-market.case.ts'
import { type StoredModel, StoreUnavailable } from '../../store/port.ts'
import { ModelCache } from './model-cache.ts'
import { encodeModel } from './model-codec.ts'

const model = (mark: number) => ({ risks: { cpu: [mark] } })

let fixture: TestMarket
let organisations = 0
beforeAll(async () => {
  fixture = await openTestMarket()
})
afterAll(() => fixture.close())

/** A real store that can be made unavailable and that counts reads, and two new organisations. */
function shelf() {
  const state = { away: false, reads: 0 }
  const { models } = fixture.store
  return {
    state,
    a: `org-${++organisations}`,
    b: `org-${++organisations}`,
    keep: (organisation: string, kept: StoredModel) => models.write(organisation, kept),
    models: {
      trainedAt: async (organisation: string) => {
        if (state.away) throw new StoreUnavailable('away')
        return models.trainedAt(organisation)
      },
      read: (organisation: string) => {
        state.reads++
        return models.read(organisation)
      },
    },
  }
}

test('a model is due after the first request, and again after a day', async () => {
  let now = 1000 * hourMs
  const store = shelf()
  const { a, b } = store
  const cache = new ModelCache(store, () => now)
  expect(cache.due()).toEqual([])
  expect(await cache.modelOf(a)).toEqual({})
  expect((await cache.versionOf(a)).version).toBeUndefined()
  expect(cache.due()).toEqual([a])
  await store.keep(a, encodeModel(model(1), now))
  expect(await cache.renew(a)).toBe(true)
  expect((await cache.versionOf(a)).version).toBe(new Date(now).toISOString())
  expect(cache.due()).toEqual([])
  expect(await cache.modelOf(a)).toEqual(model(1))
  await cache.modelOf(b)
  now += 25 * hourMs
  expect(cache.due()).toEqual([b, a])
  expect(await cache.renew(a)).toBe(false)
  cache.failed(b)
  expect(cache.due()).toEqual([a])
  now += 2 * hourMs
  expect(cache.due()).toEqual([b, a])
  now += 8 * 24 * hourMs
  expect(cache.due()).toEqual([])
})

test('a model trained by another node, or by this node before a restart, is found and read once', async () => {
  const now = 1000 * hourMs
  const store = shelf()
  const { a } = store
  await store.keep(a, encodeModel(model(7), now - hourMs))
  const cache = new ModelCache(store, () => now)
  const asked = await Promise.all([cache.modelOf(a), cache.modelOf(a), cache.modelOf(a)])
  expect(asked).toEqual([model(7), model(7), model(7)])
  expect(store.state.reads).toBe(1)
  expect(cache.due()).toEqual([])
})

test('a model of another version is not used, and is trained again', async () => {
  const store = shelf()
  const { a } = store
  await store.keep(a, { ...encodeModel(model(7), 1000 * hourMs), format: 'of other features' })
  const cache = new ModelCache(store, () => 1000 * hourMs)
  expect(await cache.modelOf(a)).toEqual({})
  expect(cache.due()).toEqual([a])
})

test('the built-in model is used while the store is unavailable', async () => {
  const store = shelf()
  const { a } = store
  await store.keep(a, encodeModel(model(7), 1000 * hourMs))
  store.state.away = true
  const cache = new ModelCache(store, () => 1000 * hourMs)
  expect(await cache.modelOf(a)).toEqual({})
  store.state.away = false
  expect(await cache.modelOf(a)).toEqual(model(7))
})
