import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Catalogue } from '../../catalogue/catalogue.ts'
import { snapshotBytes } from '../../catalogue/refresh/fake-providers.case.ts'
import { priceChangesBetween } from '../../catalogue/refresh/price-changes.ts'
import { decodeSnapshot } from '../../catalogue/snapshot/snapshot.ts'
import type { BuildManifest } from '../../domain/manifest.ts'
import { orProblem } from '../../domain/not-found.ts'
import type { Offer } from '../../domain/offer.ts'
import { Problem } from '../../domain/problem.ts'
import { oldOffer } from '../../providers/fetching/old-offer.case.ts'
import { findProvider, providers } from '../../providers/providers.ts'
import type { Store } from '../../store/port.ts'
import { openSqliteStore } from '../../store/sqlite/store.ts'
import { noOwnPrices } from '../market.ts'
import { type PriceHistoryDeps, priceHistory } from './price-history.ts'
import type { PriceHistoryQuery } from './schema.ts'

const now = Date.parse('2026-11-15T06:00:00Z')
const day = 86_400_000
const onDemand = (usd: number): Offer => oldOffer('aws', 'us-east-1', 'm5.xlarge', usd)
const spot = (usd: number, zone = 'use1-az1'): Offer =>
  oldOffer('aws', 'us-east-1', 'm5.xlarge', usd, { usageType: 'SPOT_PREEMPTIBLE', zone })
const reserved = oldOffer('aws', 'us-east-1', 'm5.xlarge', 0.12, { usageType: 'RESERVED', term: '1y' })
const elsewhere = (usd: number) => oldOffer('aws', 'eu-west-1', 'm5.xlarge', usd)

/** Prices of another type for which no refresh recorded a change: on demand, spot, and one that a release changed. */
const still = (usd: number, over: Partial<Offer> = {}) => oldOffer('aws', 'us-east-1', 'c5.large', usd, over)
const stillSpot = still(0.03, { usageType: 'SPOT_PREEMPTIBLE', zone: 'use1-az1' })
const released = (usd: number) => still(usd, { usageType: 'RESERVED', term: '1y' })

/** The offers in force in the past, oldest first, each with the number of days ago. */
const past: [number, Offer[]][] = [
  [100, [onDemand(0.18), spot(0.05), elsewhere(0.2), released(0.06)]],
  [60, [onDemand(0.2), spot(0.06), reserved, elsewhere(0.21), released(0.05)]],
  [20, [onDemand(0.19), spot(0.08), reserved, elsewhere(0.21), released(0.05)]],
  [10, [onDemand(0.19), spot(0.07), spot(0.03, 'use1-az2'), reserved, elsewhere(0.22), released(0.05)]],
]
const current = past.at(-1)![1].filter(({ instanceType }) => instanceType === 'm5.xlarge')

const scratch = mkdtempSync(join(tmpdir(), 'cheapside-history-'))
let store: Store
beforeAll(async () => {
  store = await openSqliteStore({ directory: scratch })
  let builtOn: string | null = null
  for (const [i, [ago, offers]] of past.entries()) {
    if (i === 0) continue
    const at = now - ago * day
    const changes = priceChangesBetween(past[i - 1]![1], offers, { provider: 'aws', at, withAdditions: true })
    await store.prices.publish({ id: `c${i}`, publishedAt: at, bytes: Uint8Array.of(1) }, builtOn, changes)
    builtOn = `c${i}`
  }
})
afterAll(async () => {
  await store.close()
  rmSync(scratch, { recursive: true, force: true })
})

const { manifest } = decodeSnapshot(snapshotBytes(current))
const catalogue = Catalogue.from([...current, still(0.08), stillSpot, released(0.055)], { id: 'test' })

/** The manifest of a provider whose price changes have been recorded for some days. */
const recordedFor = (days: number): BuildManifest => {
  const at = ago(0)
  const refresh = { at, outcome: 'fresh', reason: '', freshAt: at, notes: [], validators: {} } as const
  return {
    ...manifest,
    providers: manifest.providers.map((of) => ({ ...of, refresh: { ...refresh, historySince: ago(days) } })),
  }
}

function ask(more: Partial<PriceHistoryQuery> = {}, of: BuildManifest = manifest) {
  const deps: PriceHistoryDeps = {
    store,
    providers,
    findProvider,
    catalogue: () => catalogue,
    own: () => noOwnPrices,
    manifest: () => of,
    now: () => now,
  }
  return priceHistory(deps, 'acme', {
    provider: 'AWS',
    region: 'us-east-1',
    instance_type: 'm5.xlarge',
    ...more,
  }).then(orProblem)
}

const ago = (days: number) => new Date(now - days * day).toISOString()

describe('how a price changed', () => {
  test('on demand, over ninety days: the first price and each later one', async () => {
    const answer = await ask({ usage_type: 'on-demand' })
    expect(answer).toMatchObject({ provider: 'AWS', region: 'us-east-1', start_date: ago(90) })
    expect(answer.series).toEqual([
      {
        usage_type: 'ONDEMAND',
        term: '',
        availability_zone: '',
        operating_system: 'Linux',
        cost_per_hour: 0.19,
        points: [
          { from: ago(90), cost_per_hour: 0.18 },
          { from: ago(60), cost_per_hour: 0.2 },
          { from: ago(20), cost_per_hour: 0.19 },
        ],
      },
    ])
  })

  test('spot, by zone, with its spread over thirty days', async () => {
    const { series } = await ask({ usage_type: 'spot' })
    expect(series.map((one) => [one.availability_zone, one.cost_per_hour, one.last_30_days])).toEqual([
      // 0.06 for 10 days, 0.08 for 10, 0.07 for 10
      ['use1-az1', 0.07, { minimum: 0.06, median: 0.07, maximum: 0.08 }],
      ['use1-az2', 0.03, { minimum: 0.03, median: 0.03, maximum: 0.03 }],
    ])
    expect(series[1]!.points).toEqual([{ from: ago(10), cost_per_hour: 0.03 }])
  })

  test('the spread reaches back beyond a shorter period', async () => {
    const { series } = await ask({ usage_type: 'spot', availability_zone: 'USE1-AZ1', start_date: ago(5) })
    expect(series).toMatchObject([
      { points: [{ from: ago(10), cost_per_hour: 0.07 }], last_30_days: { minimum: 0.06, maximum: 0.08 } },
    ])
  })

  test('all of a type: by usage type, then system, term, zone', async () => {
    const { series } = await ask({ instance_type: 'M5.XLARGE', operating_system: 'ubuntu' })
    expect(series.map((one) => `${one.usage_type} ${one.term} ${one.availability_zone}`)).toEqual([
      'ONDEMAND  ',
      'RESERVED 1y ',
      'SPOT_PREEMPTIBLE  use1-az1',
      'SPOT_PREEMPTIBLE  use1-az2',
    ])
    expect((await ask({ term: '1Y', usage_type: 'reserved' })).series).toHaveLength(1)
  })

  test('a period of the past', async () => {
    const { series } = await ask({ usage_type: 'ONDEMAND', start_date: ago(70), end_date: ago(30) })
    expect(series[0]!.points).toEqual([
      { from: ago(70), cost_per_hour: 0.18 },
      { from: ago(60), cost_per_hour: 0.2 },
    ])
  })
})

describe('a price that did not change in the period', () => {
  const rows: [string, number, Partial<PriceHistoryQuery>, string, number][] = [
    ['held since its last move', 200, { usage_type: 'reserved', start_date: ago(40) }, ago(60), 0.12],
    ['also in a period of the past', 200, { usage_type: 'reserved', start_date: ago(50), end_date: ago(45) }, ago(60), 0.12], // biome-ignore format: one line
    ['though elsewhere it moved since', 200, { usage_type: 'ondemand', start_date: ago(15) }, ago(20), 0.19],
    [
      'or since moves are recorded',
      200,
      { instance_type: 'c5.large', usage_type: 'ondemand' },
      ago(200),
      0.08,
    ],
    [
      'no longer than they are kept',
      2_000,
      { instance_type: 'c5.large', usage_type: 'ondemand' },
      ago(1_100),
      0.08,
    ],
    ['spot less long', 2_000, { instance_type: 'c5.large', usage_type: 'spot' }, ago(120), 0.03],
    ['a release brought it: its day', 200, { instance_type: 'c5.large', usage_type: 'reserved', start_date: ago(40) }, '2026-08-01', 0.055], // biome-ignore format: one line
  ]
  for (const [what, days, request, from, usd] of rows)
    test(what, async () => {
      const { series } = await ask(request, recordedFor(days))
      expect(series.map(({ points }) => points)).toEqual([[{ from, cost_per_hour: usd }]])
    })
})

describe('refuses', () => {
  const rows: [string, Partial<PriceHistoryQuery>, string][] = [
    ['an unknown provider', { provider: 'cloudia' }, 'unknown-provider'],
    ['an unknown region', { region: 'us-east-9' }, 'unknown-region'],
    ['an unknown type', { instance_type: 'm5.huge' }, 'unknown-instance-type'],
    ['a system it was never offered with', { operating_system: 'Windows' }, 'no-price'],
    ['words that stand for nothing', { usage_type: 'rented', term: '5y' }, 'invalid'],
    ['a time that is none', { start_date: 'yesterday' }, 'invalid'],
    ['a period that ends before it begins', { start_date: ago(1), end_date: ago(2) }, 'invalid'],
  ]
  for (const [what, request, code] of rows)
    test(what, async () => {
      const error = await ask(request).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(Problem)
      expect((error as Problem).code).toBe(code)
    })
})
