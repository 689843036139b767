import { afterAll, beforeAll, expect, test } from 'vitest'
import { Catalogue } from '../catalogue/catalogue.ts'
import { catalogueRules } from '../catalogue/load-catalogue.ts'
import { CostGroups } from '../costs/allocation/cost-groups.ts'
import { parseGroupBy } from '../costs/allocation/grouping.ts'
import { TimeSteps } from '../costs/allocation/time-steps.ts'
import { viewCostRow } from '../costs/allocation/view-cost-row.ts'
import { setSharing } from '../costs/report/organisation-sharing.ts'
import { baseRates } from '../domain/money.ts'
import { dayHours, dayMs } from '../domain/time.ts'
import { providers } from '../providers/providers.ts'
import { Yielder } from '../runtime/yielder.ts'
import {
  dailyName,
  type Entity,
  encodeEntity,
  entityKey,
  newEntity,
  setAttribute,
} from '../usage/digest/entities.ts'
import { closedPricesVersion, closePrices, nodePricesOver, recountPrices } from './closed-prices.ts'
import { volumeCosts } from './disks/volume-costs.ts'
import { loadBalancerCosts } from './load-balancer-costs.ts'
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
async function openCluster(types: Readonly<Record<string, string>>, daily: readonly Entity[] = []) {
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
  const dailyRows = daily.map((entity) => {
    const { ref, lastHour } = entity
    return { key: entityKey(ref), kind: ref.kind, cluster: 'c', lastHour, json: encodeEntity(entity) }
  })
  await store.usage.commit(partition, await store.usage.fence(partition), {
    ...{ subjects: [], entities: [...entities, ...dailyRows], consumed: [], forgotten: [], resume: '' },
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

/** What is reported of an object for the first 12 hours of the days around today. */
const onDays = (kind: 'claim' | 'load-balancer', name: string, attributes: Record<string, string | number>) =>
  [-1, 0, 1].map((later) => {
    const hour = (today + later) * dayHours
    const ref = { kind, cluster: 'c', namespace: 'shop', name: dailyName(name, today + later) }
    const entity = newEntity(ref, hour)
    for (const [attribute, value] of Object.entries(attributes)) {
      setAttribute(entity, attribute, value, hour * 3600)
      setAttribute(entity, attribute, value, (hour + 11) * 3600)
    }
    return entity
  })

test('volumes and load balancers keep their prices too, and without a price their hours are named', async () => {
  const { at, deps, organisation } = await openCluster({ n: 'm5.xlarge' }, [
    ...onDays('claim', 'data', { class: 'nfs', requested: 100 * 2 ** 30 }),
    ...onDays('load-balancer', 'web', { type: 'LoadBalancer' }),
  ])
  const { settings } = deps.store
  const price = async (ofGib: number, ofLoadBalancer: number | null) => {
    const disk = {
      ...{ type: 'nfs', region: 'us-east-1', usage_type: 'ONDEMAND', availability_zone: '' },
      ...{ provider: 'acme', service: 'acme', cost_per_gb_hour: ofGib, cost_per_iops_hour: 0 },
      ...{ cost_per_throughput_mbps_hour: 0, min_capacity_gb: 0, max_capacity_gb: null, min_iops: 0 },
      ...{ max_iops: null, min_throughput_mbps: 0, max_throughput_mbps: null },
    }
    await settings.write(organisation, 'disk_prices', JSON.stringify([disk]))
    await setSharing(deps, organisation, { load_balancer_usd_per_month: ofLoadBalancer })
  }
  const hours = { from: (today - 1) * dayHours, to: (today + 2) * dayHours }
  const rowsOf = async (namespace?: string, cluster?: string) => {
    const query = { keys: parseGroupBy('kind')!, hours, steps: new TimeSteps(hours, 'day'), namespace }
    const groups = new CostGroups(query, { priceOf: () => ({ ...baseRates, perHourUsd: null }) }, undefined)
    for (const part of [volumeCosts(deps), loadBalancerCosts(deps)])
      await part.collect(organisation, { hours, cluster, namespace }, groups, new Yielder())
    const rows = [...groups.rows()].map((row) => viewCostRow(row, query))
    return Object.fromEntries(
      [...Map.groupBy(rows, (row) => row.kind)].map(([kind, own]) => [
        kind,
        own.map((row) => [row.cost_usd, row.unpriced_hours]),
      ]),
    )
  }
  await price(0.001, null)
  at.day = today - 1
  expect((await rowsOf()).Service).toEqual([
    [0, 12],
    [0, 12],
    [0, 12],
  ])
  await price(0.001, 73)
  at.day = today
  await closePrices(deps, organisation)
  await price(0.002, 146)
  // 100 GiB and one load balancer for 12 hours: yesterday is over, today and tomorrow are not.
  const all = {
    PersistentVolumeClaim: [
      [1.2, 0],
      [2.4, 0],
      [2.4, 0],
    ],
    Service: [
      [1.2, 0],
      [2.4, 0],
      [2.4, 0],
    ],
  }
  expect(await rowsOf()).toEqual(all)
  expect(await rowsOf('shop', 'c')).toEqual(all)
  expect(await rowsOf('till')).toEqual({})
  expect(await rowsOf(undefined, 'd')).toEqual({})
  // A day that is over keeps its price also if there is none any more.
  await price(0.002, null)
  at.day = today + 1
  expect((await rowsOf()).Service).toEqual([
    [1.2, 0],
    [1.2, 0],
    [0, 12],
  ])
})
