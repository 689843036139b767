import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MarketplaceEntry } from '../../domain/marketplace.ts'
import { exampleEntry } from '../../store/contract/examples.case.ts'
import { openTestMarket, type TestMarket } from '../test-market.case.ts'
import { OwnPriceCache } from './own-prices.ts'

let fixture: TestMarket
beforeAll(async () => {
  fixture = await openTestMarket()
})
afterAll(() => fixture.close())

const entries = (count: number, provider = 'acme'): MarketplaceEntry[] =>
  Array.from({ length: count }, (_, i) =>
    exampleEntry(`t${i}`, { provider, service: provider, region: 'cellar' }),
  )

/** Returns the store, and counts the pages that are read from it. */
function countingStore() {
  const { changes, marketplace } = fixture.store
  const counted = { pages: 0, store: { changes, marketplace: { ...marketplace, page } } }
  function page(...args: Parameters<typeof marketplace.page>) {
    counted.pages++
    return marketplace.page(...args)
  }
  return counted
}

const countOf = async (node: OwnPriceCache, organisation: string) => (await node.of(organisation)).entries

test('prices that another node registered are shown after their topic changes, once they are completely read', async () => {
  const here = new OwnPriceCache({ store: fixture.store })
  expect(await countOf(here, 'moving')).toBe(0)
  await fixture.store.marketplace.register('moving', entries(5_000))
  expect(await countOf(here, 'moving')).toBe(0)
  const reloaded = here.onTopicChange('marketplace/moving')
  expect(await countOf(here, 'moving')).toBe(0)
  await reloaded
  expect(await countOf(here, 'moving')).toBe(5_000)
  await here.onTopicChange('keys')
  await here.onTopicChange('marketplace/never-asked')
})

test('concurrent requests share one read', async () => {
  const counted = countingStore()
  const here = new OwnPriceCache({ store: counted.store })
  await Promise.all(Array.from({ length: 50 }, () => here.of('shared')))
  expect(counted.pages).toBe(1)
  await here.refresh('shared')
  expect(counted.pages).toBe(1)
  await fixture.store.marketplace.register('shared', entries(1))
  await Promise.all(Array.from({ length: 50 }, () => here.refresh('shared')))
  expect(counted.pages).toBe(2)
})

test('a read that begins before a write never hides that write', async () => {
  const here = new OwnPriceCache({ store: fixture.store })
  const first = here.of('racing')
  await fixture.store.marketplace.register('racing', entries(10))
  await Promise.all([first, here.refresh('racing')])
  expect(await countOf(here, 'racing')).toBe(10)
})

test('the least recently used are evicted', async () => {
  const counted = countingStore()
  const here = new OwnPriceCache({ store: counted.store, maxEntries: 25 })
  for (const name of ['a', 'b', 'c']) {
    await fixture.store.marketplace.register(`room-${name}`, entries(10))
    await here.of(`room-${name}`)
  }
  expect(counted.pages).toBe(3)
  await here.of('room-b')
  await here.of('room-c')
  expect(counted.pages).toBe(3)
  await here.of('room-a')
  expect(counted.pages).toBe(4)
  await fixture.store.marketplace.register('room-huge', entries(100))
  expect(await countOf(here, 'room-huge')).toBe(100)
  expect(await countOf(here, 'room-huge')).toBe(100)
  expect(counted.pages).toBe(5)
})
