import { expect, test } from 'vitest'
import { planMarket } from '../../../test/plans/market.ts'
import type { Charge, CostsSink } from '../../costs/parts/cost-part.ts'
import { Yielder } from '../../runtime/yielder.ts'
import { dailyName, type Entity, encodeEntity, entityKey, newEntity } from '../../usage/digest/entities.ts'
import type { EntityQuery } from '../../usage/port.ts'
import { volumeDays } from '../../usage/reading/volume-days.ts'
import { reportVolumes } from './report-volumes.ts'
import { volumeCosts } from './volume-costs.ts'

const today = 20_600
const nowHour = today * 24 + 12
const gib = 2 ** 30

/** An entity of a day, seen from the first to the last hour of it. */
function daily(
  kind: 'claim' | 'volume',
  name: string,
  day: number,
  attributes: Record<string, string | number>,
  [first, last]: readonly [number, number] = [0, day === today ? 12 : 23],
): Entity {
  const namespace = kind === 'claim' ? 'shop' : ''
  const entity = newEntity({ kind, cluster: 'c1', namespace, name: dailyName(name, day) }, day * 24 + first)
  entity.lastHour = day * 24 + last
  for (const [attribute, value] of Object.entries(attributes))
    entity.attributes.set(attribute, { at: (day * 24 + last) * 3600, value })
  return entity
}

const days = (from: number) => Array.from({ length: today - from + 1 }, (_, index) => from + index)
const claim = (name: string, from: number, attributes: Record<string, string | number>) =>
  days(from).map((day) =>
    daily('claim', name, day, { class: 'gp2', volume: `pvc-${name}`, requested: 100 * gib, ...attributes }),
  )

const node = newEntity({ kind: 'node', cluster: 'c1', namespace: '', name: 'n1' }, nowHour - 1)
for (const [name, value] of Object.entries({
  instanceType: 'm5.large',
  region: 'us-east-1',
  providerId: 'aws:///us-east-1a/i-1',
}))
  node.attributes.set(name, { at: nowHour * 3600, value })

const entities = [
  node,
  ...claim('data', today - 20, { pod: 'db-0', 'max/used': 90 * gib }),
  ...claim('large', today - 3, { pod: 'db-1', 'max/used': 2 * gib }),
  ...claim('old', today - 9, {}),
  ...claim('new', today - 2, {}),
  ...claim('gone', today - 9, { pod: 'x' }).slice(0, 4),
  ...claim('nfs', today - 9, { class: 'nfs-client', pod: 'web' }),
  ...days(today - 4).map((day) =>
    daily('volume', 'pvc-lost', day, {
      class: 'gp3',
      capacity: 50 * gib,
      phase: 'Released',
      claim: 'shop/lost',
    }),
  ),
  ...days(today - 4).map((day) =>
    daily('volume', 'pvc-data', day, {
      class: 'gp2',
      capacity: 120 * gib,
      phase: 'Bound',
      claim: 'shop/data',
    }),
  ),
]

const depsOf = (all: readonly Entity[], own: readonly object[] = []) => ({
  now: () => nowHour * 3_600_000,
  pricing: planMarket(),
  store: {
    settings: {
      read: async (_: string, name: string) => (name === 'disk_prices' ? JSON.stringify(own) : undefined),
      write: async () => undefined,
    } as never,
    nodePrices: {
      read: async () => [],
      write: async () => undefined,
      remove: async () => undefined,
      replace: async () => undefined,
    },
    usage: {
      entities: async (_: string, { kinds, fromHour = 0 }: EntityQuery) =>
        all
          .filter(({ ref, lastHour }) => kinds!.includes(ref.kind) && lastHour >= fromHour)
          .map((entity) => ({
            key: entityKey(entity.ref),
            kind: entity.ref.kind,
            cluster: entity.ref.cluster,
            lastHour: entity.lastHour,
            json: encodeEntity(entity),
          })),
    },
  },
})

const report = (query: object = {}, all: readonly Entity[] = entities, own: readonly object[] = []) =>
  reportVolumes(depsOf(all, own), 'acme', { limit: 1000, ...query })

test('claims are priced by their class, those without a pod for a week are unused, released volumes are listed', async () => {
  const { volumes, totals } = await report()
  expect(
    volumes.map((row) => [
      row.claim ?? row.volume,
      row.state,
      row.unused_days,
      row.size_gib,
      row.disk_type,
      row.cost_per_month,
      row.better?.type ?? null,
    ]),
  ).toEqual([
    ['old', 'unused', 9, 100, 'gp2', 10, 'gp3'],
    ['pvc-lost', 'without-claim', 4, 50, 'gp3', 4, null],
    ['data', 'used', null, 120, 'gp2', 12, 'gp3'],
    ['large', 'used', null, 100, 'gp2', 10, 'gp3'],
    ['new', 'unknown', 2, 100, 'gp2', 10, 'gp3'],
    ['nfs', 'used', null, 100, null, null, null],
  ])
  expect(volumes.find((row) => row.claim === 'large')!.smaller_saves_per_month).toBeGreaterThan(7)
  expect(volumes.find((row) => row.claim === 'nfs')!.without_price).toMatch(/nfs-client/)
  expect(totals).toMatchObject({ count: 6, cost_per_month: 46, without_price: 1, removable_per_month: 14 })
})

test('a filter, a page, and a cluster that does not report which claims pods use', async () => {
  const page = await report({ state: 'used', limit: 2 })
  expect([page.volumes.length, page.totals.count, page.next_cursor]).toEqual([2, 3, '2'])
  expect((await report({ state: 'used', limit: 2, cursor: '2' })).volumes).toHaveLength(1)
  expect((await report({ namespace: 'elsewhere' })).totals.count).toBe(0)
  const silent = await report({}, [node, ...claim('old', today - 9, {})])
  expect(silent.volumes[0]).toMatchObject({ state: 'unknown', unused_days: null })
  expect((await report({}, claim('old', today, {}))).volumes[0]).toMatchObject({
    cost_per_month: null,
    without_price: expect.stringMatching(/provider and region/),
  })
})

test('an own price of a type with the name of the class comes first', async () => {
  const row = {
    ...{ type: 'nfs-client', region: 'us-east-1', cost_per_gb_hour: 0.001, cost_per_iops_hour: 0 },
    ...{ provider: 'acme', service: 'acme', availability_zone: '', usage_type: 'ONDEMAND' },
    ...{ cost_per_throughput_mbps_hour: 0, min_capacity_gb: 0, max_capacity_gb: null, min_iops: 0 },
    ...{ max_iops: null, min_throughput_mbps: 0, max_throughput_mbps: null },
  }
  const { volumes } = await report({}, entities, [row, { ...row, type: 'gp3', cost_per_gb_hour: 0.0002 }])
  const of = (name: string) => volumes.find((one) => one.claim === name)!
  expect(of('nfs')).toMatchObject({ cost_per_month: 73, price_source: 'marketplace', better: null })
  // At the list price gp3 would be cheaper.
  expect(of('data').better).toBeNull()
  expect(volumes.find((one) => one.volume === 'pvc-lost')!.cost_per_month).toBe(7.3)
})

test('a volume counts by itself only from the hour after its claim', () => {
  const [claimed, alone] = volumeDays([
    daily('claim', 'a', today, { class: 'gp3', volume: 'v', requested: gib }, [0, 5]),
    daily('volume', 'v', today, { capacity: 2 * gib, phase: 'Released' }, [0, 12]),
  ])
  expect([claimed!.firstHour, claimed!.lastHour, claimed!.gib]).toEqual([today * 24, today * 24 + 5, 2])
  expect([alone!.firstHour, alone!.lastHour, alone!.claim]).toEqual([today * 24 + 6, today * 24 + 12, ''])
  expect(
    volumeDays([daily('volume', 'v', today, { capacity: gib, phase: 'Bound', claim: 'shop/a' })])[0],
  ).toMatchObject({ namespace: 'shop', claim: 'a', gib: 1 })
})

test('in costs, each volume is charged for the hours of each day in which it was there', async () => {
  const charges: Charge[] = []
  const sink = { addCharge: (charge: Charge) => charges.push(charge) } as unknown as CostsSink
  const query = { cluster: undefined, namespace: undefined, hours: { from: today * 24 - 12, to: nowHour } }
  await volumeCosts(depsOf(entities)).collect('acme', query, sink, new Yielder())
  const usd = Map.groupBy(charges, ({ place }) => place.workload)
  const sumOf = (name: string) =>
    usd
      .get(name)!
      .reduce(
        (sum, { units, unitPerHourUsd, hours: { from, to } }) =>
          sum + units * (unitPerHourUsd ?? 0) * (to - from),
        0,
      )
  // 12 hours of yesterday and 12 of today, of 100 GiB of gp2 at $10 a month
  expect(sumOf('PersistentVolumeClaim/old')).toBeCloseTo((24 * 10) / 730, 9)
  expect(sumOf('PersistentVolume/pvc-lost')).toBeCloseTo((24 * 4) / 730, 9)
  expect(usd.get('PersistentVolumeClaim/nfs')!.map(({ unitPerHourUsd }) => unitPerHourUsd)).toEqual([
    null,
    null,
  ])
  charges.length = 0
  await volumeCosts(depsOf(entities)).collect('acme', { ...query, namespace: 'other' }, sink, new Yielder())
  expect(charges).toEqual([])
})
