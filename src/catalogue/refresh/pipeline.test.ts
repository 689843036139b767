import { afterEach, describe, expect, test } from 'vitest'
import type { ProviderManifest } from '../../domain/manifest.ts'
import { offerKey } from '../../providers/describe-offers.ts'
import type { FakeCatalogue } from '../../providers/fetching/fake-catalogue.case.ts'
import { offersIn } from '../columns/offer-view.ts'
import { decodeSnapshot, type Snapshot } from '../snapshot/snapshot.ts'
import {
  type FakeProviders,
  defaultFakeCatalogues as fakeCatalogues,
  hundredfoldCheaper,
  optionsFor,
  runFakeProviders,
  shippedSnapshot,
} from './fake-providers.case.ts'
import { refreshCatalogue } from './pipeline.ts'
import { unpackChanges } from './price-changes.ts'
import type { RefreshedCatalogue } from './provider-prices.ts'

const importers = fakeCatalogues.map(({ importer }) => importer)

const opened: FakeProviders[] = []
afterEach(async () => void (await Promise.all(opened.splice(0).map((running) => running.close()))))

async function start(change?: (fakeCatalogue: FakeCatalogue) => FakeCatalogue): Promise<FakeProviders> {
  const running = await runFakeProviders(change)
  opened.push(running)
  return running
}

const first = '2026-11-15T06:00:00.000Z'
const second = '2026-11-16T06:00:00.000Z'

const pricesIn = (snapshot: Snapshot): Record<string, number> =>
  Object.fromEntries(
    [...offersIn(snapshot.columns)].map((o) => [
      `${o.provider} ${offerKey(o).replaceAll('\n', ' ')}`,
      o.pricePerHourUsd,
    ]),
  )

const manifestOf = ({ manifest }: RefreshedCatalogue, key: string): ProviderManifest =>
  manifest.providers.find(({ provider }) => provider === key)!

test('all six providers are published together, with the prices computed by hand', async () => {
  const running = await start()
  const refreshed = await refreshCatalogue(importers, shippedSnapshot, optionsFor(running, first))
  const prices = pricesIn(decodeSnapshot(refreshed.bytes))
  for (const { importer, worked } of fakeCatalogues)
    for (const [key, price] of Object.entries(worked))
      expect(prices[`${importer.provider.key} ${key}`], key).toBeCloseTo(price, 9)
  expect(refreshed.fresh).toBe(6)
  expect(refreshed.manifest).toMatchObject({
    builtAt: first,
    exchange: { from: 'EUR', rate: 1.1567, day: '2026-11-13' },
  })
  for (const { provider, refresh, offers } of refreshed.manifest.providers) {
    expect(refresh, provider).toMatchObject({ at: first, outcome: 'fresh', reason: '', freshAt: first })
    expect(Object.keys(prices).filter((key) => key.startsWith(`${provider} `))).toHaveLength(offers)
  }
  for (const secret of Object.values(running.secrets).filter((text) => text !== 'AKIDTEST'))
    expect(JSON.stringify(refreshed.manifest)).not.toContain(secret)
})

test('a second refresh reads no unchanged list and reports that', async () => {
  const running = await start()
  const once = await refreshCatalogue(importers, shippedSnapshot, optionsFor(running, first))
  const server = running.servers.get('aws')!
  const asked = server.asked.length
  const again = await refreshCatalogue(importers, decodeSnapshot(once.bytes), optionsFor(running, second))
  expect(pricesIn(decodeSnapshot(again.bytes))).toEqual(pricesIn(decodeSnapshot(once.bytes)))
  const conditional = server.asked
    .slice(asked)
    .filter(({ headers }) => headers['if-none-match'] !== undefined)
  expect(conditional).toHaveLength(4)
  expect(again.changes).toEqual([])

  const noSpot = { ...optionsFor(running, second), secret: () => undefined }
  const quiet = await refreshCatalogue([importers[0]!], decodeSnapshot(once.bytes), noSpot)
  expect(manifestOf(quiet, 'aws').refresh).toMatchObject({
    outcome: 'unchanged',
    freshAt: second,
    notes: ['spot prices are the previous ones: no credential'],
  })
  expect(Object.keys(manifestOf(quiet, 'aws').refresh!.validators)).toHaveLength(4)
})

describe('all or nothing', () => {
  const before = pricesIn(shippedSnapshot)
  const oldOf = (key: string) => Object.entries(before).filter(([name]) => name.startsWith(`${key} `))

  test.each(fakeCatalogues.map(({ importer }) => importer.provider.key))(
    '%s fails: its prices stay, all others are new',
    async (key) => {
      const running = await start()
      running.servers.get(key)!.fail('html', (n) => n >= 1 || key === 'ovhcloud')
      const others = { ...optionsFor(running, first) }
      // OVHcloud's fake server also provides the exchange rates that Hetzner needs.
      const refreshed = await refreshCatalogue(
        importers.filter(({ provider }) => key !== 'ovhcloud' || provider.key !== 'hetzner'),
        shippedSnapshot,
        others,
      )
      const prices = pricesIn(decodeSnapshot(refreshed.bytes))
      const kept = Object.entries(prices).filter(([name]) => name.startsWith(`${key} `))
      expect(kept).toEqual(oldOf(key))
      expect(manifestOf(refreshed, key).refresh).toMatchObject({
        outcome: 'failed',
        reason: expect.stringMatching(/answered with an HTML page/),
        freshAt: null,
      })
      expect(refreshed.fresh).toBe(key === 'ovhcloud' ? 4 : 5)
      expect(refreshed.changes.every((change) => change.provider !== key)).toBe(true)
    },
  )

  test('prices a hundred times too low are refused, with the reason', async () => {
    const running = await start(hundredfoldCheaper)
    const refreshed = await refreshCatalogue(importers, shippedSnapshot, optionsFor(running, first))
    expect(pricesIn(decodeSnapshot(refreshed.bytes))).toEqual(before)
    for (const { provider, refresh } of refreshed.manifest.providers) {
      expect(refresh, provider).toMatchObject({ outcome: 'refused', freshAt: null, validators: {} })
      expect(refresh!.reason).toMatch(/median ONDEMAND price is 0\.0\d+ times what it was/)
    }
    expect([refreshed.fresh, refreshed.manifest.builtAt]).toEqual([0, shippedSnapshot.manifest.builtAt])
    const accepted = await refreshCatalogue(
      importers,
      shippedSnapshot,
      optionsFor(running, first, { accept: true }),
    )
    expect(accepted.fresh).toBe(6)
  })

  test('without credentials, providers that need one keep their prices', async () => {
    const running = await start()
    const options = optionsFor(running, first, { secret: () => undefined })
    const refreshed = await refreshCatalogue(importers, shippedSnapshot, options)
    const outcomes = Object.fromEntries(
      refreshed.manifest.providers.map(({ provider, refresh }) => [provider, refresh!.outcome]),
    )
    expect(outcomes).toEqual({
      aws: 'fresh',
      azure: 'fresh',
      gcp: 'needs-credential',
      digitalocean: 'needs-credential',
      hetzner: 'needs-credential',
      ovhcloud: 'fresh',
    })
  })

  test('a failure after a success keeps the prices of the success', async () => {
    const running = await start()
    const once = await refreshCatalogue(importers, shippedSnapshot, optionsFor(running, first))
    for (const server of running.servers.values()) server.fail('reset', () => true)
    const again = await refreshCatalogue(importers, decodeSnapshot(once.bytes), optionsFor(running, second))
    expect(pricesIn(decodeSnapshot(again.bytes))).toEqual(pricesIn(decodeSnapshot(once.bytes)))
    for (const { refresh } of again.manifest.providers)
      expect(refresh).toMatchObject({ at: second, outcome: 'failed', freshAt: first })
    for (const { provider, refresh } of once.manifest.providers)
      expect(manifestOf(again, provider).refresh!.validators).toEqual(refresh!.validators)
  })
})

test('price changes are recorded, but not the additions of a first list', async () => {
  const running = await start()
  const once = await refreshCatalogue(importers, shippedSnapshot, optionsFor(running, first))
  const moved = once.changes.find(({ instanceType }) => instanceType === 's-4vcpu-8gb')!
  expect(moved).toMatchObject({ provider: 'digitalocean', usageType: 'ONDEMAND', at: Date.parse(first) })
  expect(unpackChanges(moved.packed)).toEqual([
    { region: 'fra1', zone: '', operatingSystem: 'Linux', term: '', before: 0.07, after: 0.07143 },
  ])
  expect(
    once.changes.flatMap(({ packed }) => unpackChanges(packed)).filter(({ before }) => before === null),
  ).toEqual([])
})

test('the same answers give the same catalogue', async () => {
  const running = await start()
  const one = await refreshCatalogue(importers, shippedSnapshot, optionsFor(running, first))
  const other = await refreshCatalogue(importers, shippedSnapshot, optionsFor(running, first))
  const plain = ({ manifest }: RefreshedCatalogue) =>
    manifest.providers.map(({ refresh: _, ...rest }) => rest)
  expect(plain(other)).toEqual(plain(one))
  expect(pricesIn(decodeSnapshot(other.bytes))).toEqual(pricesIn(decodeSnapshot(one.bytes)))
})

test('a signal stops it without a result', async () => {
  const running = await start()
  const stop = new AbortController()
  stop.abort()
  const stopped = refreshCatalogue(
    importers,
    shippedSnapshot,
    optionsFor(running, first, { signal: stop.signal }),
  )
  await expect(stopped).rejects.toMatchObject({ code: 'stopped' })
})
