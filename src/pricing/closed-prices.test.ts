import { afterAll, beforeAll, expect, test } from 'vitest'
import { Catalogue } from '../catalogue/catalogue.ts'
import { catalogueRules } from '../catalogue/load-catalogue.ts'
import { dayHours, dayMs } from '../domain/time.ts'
import { providers } from '../providers/providers.ts'
import { encodeEntity, entityKey, newEntity, setAttribute } from '../usage/digest/entities.ts'
import { closedPricesVersion, closePrices, nodePricesOver, recountPrices } from './closed-prices.ts'
import { openTestMarket, type TestMarket, testOffers } from './test-market.case.ts'

let fixture: TestMarket
beforeAll(async () => {
  fixture = await openTestMarket()
})
afterAll(() => fixture.close())

/** A Thursday. */
const today = 20_400
let organisations = 0

/** An organisation whose nodes have these types, on a day and with a catalogue that can change. */
async function openCluster(types: Readonly<Record<string, string>>) {
  const organisation = `closing${++organisations}`
  const { store } = fixture
  const partition = { organisation, source: 'push' }
  const entities = Object.entries(types).map(([name, instanceType]) => {
    const ref = { kind: 'node', cluster: 'c', namespace: '', name } as const
    const entity = newEntity(ref, 0)
    const facts = { instanceType, region: 'us-east-1', providerId: 'aws:///us-east-1a/i-1' }
    for (const [fact, value] of Object.entries(facts)) setAttribute(entity, fact, value, today * 86_400)
    return {
      key: entityKey(ref),
      kind: 'node',
      cluster: 'c',
      lastHour: today * 24,
      json: encodeEntity(entity),
    } as const
  })
  await store.usage.commit(partition, await store.usage.fence(partition), {
    ...{ subjects: [], entities, consumed: [], forgotten: [], resume: '' },
  })
  const at = { day: today, factor: 1 }
  const catalogue = () =>
    Catalogue.from(
      testOffers.map((offer) => ({ ...offer, pricePerHourUsd: offer.pricePerHourUsd * at.factor })),
      { ...catalogueRules(providers), id: `small${at.factor}` },
    )
  const deps = { pricing: { ...fixture.pricing, catalogue }, store, now: () => (at.day + 0.5) * dayMs }
  return {
    at,
    deps,
    organisation,
    /** Prices of a node by day, from its type's 0.192 an hour. */
    async pricesOf(node: string, from: number, to: number) {
      const hours = { from: from * dayHours, to: to * dayHours }
      const prices = await nodePricesOver(deps, organisation, 'c', hours)
      const earlier = prices.earlierOf!('c', node).map(({ untilHour, price }) => [
        untilHour / 24 - today,
        price.perHourUsd,
      ])
      return [...earlier, ['now', prices.priceOf('c', node).perHourUsd]]
    },
  }
}

test('a day that is over keeps its price, whenever it is first asked about', async () => {
  const { at, pricesOf } = await openCluster({ n: 'm5.xlarge' })
  expect(await pricesOf('n', today - 3, today + 1)).toEqual([['now', 0.192]])
  at.factor = 2
  expect(await pricesOf('n', today - 3, today + 1)).toEqual([
    [0, 0.192],
    ['now', 0.384],
  ])
  at.day = today + 1
  expect(await pricesOf('n', today - 3, today + 2)).toEqual([
    [0, 0.192],
    [1, 0.384],
    ['now', 0.384],
  ])
  at.factor = 3
  expect((await pricesOf('n', today, today + 2)).slice(0, 1)).toEqual([[1, 0.384]])
  expect((await pricesOf('n', today - 9, today)).slice(0, 1)).toEqual([[1, 0.192]])
})

test('the daily job closes a day that nobody asks about', async () => {
  const { at, deps, organisation, pricesOf } = await openCluster({ n: 'm5.xlarge' })
  expect(await closePrices(deps, organisation)).toBe(today)
  expect(await closePrices(deps, organisation)).toBe(today)
  at.factor = 2
  at.day = today + 1
  expect(await closePrices(deps, organisation)).toBe(today + 1)
  at.factor = 3
  expect(await pricesOf('n', today - 1, today + 2)).toEqual([
    [0, 0.192],
    [1, 0.384],
    ['now', 0.192 * 3],
  ])
})

test('base rates are estimates: a price that becomes known later applies to days that are over', async () => {
  const { deps, organisation, pricesOf } = await openCluster({ n: 'unheard-of' })
  await closePrices(deps, organisation)
  expect(await pricesOf('n', today - 1, today)).toEqual([['now', null]])
  expect(await deps.store.nodePrices.read(organisation, { from: 0, to: today })).toEqual([])
})

test('days are counted again only on request, and the days around them stay', async () => {
  const { at, deps, organisation, pricesOf } = await openCluster({ n: 'm5.xlarge', m: 'm5.large' })
  await closePrices(deps, organisation)
  at.factor = 2
  const version = await closedPricesVersion(deps.store.settings, organisation)
  const days = { from: today - 3, to: today - 1 }
  expect(await recountPrices(deps, organisation, days)).toEqual({ ...days, nodes: 2 })
  expect(await pricesOf('n', today - 5, today + 1)).toEqual([
    [-3, 0.192],
    [-1, 0.384],
    [0, 0.192],
    ['now', 0.384],
  ])
  expect(await closedPricesVersion(deps.store.settings, organisation)).not.toBe(version)
  expect(await recountPrices(deps, organisation, { from: today, to: today + 9 })).toMatchObject({ nodes: 0 })
})
