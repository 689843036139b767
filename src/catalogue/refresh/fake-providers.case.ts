import type { BuildManifest } from '../../domain/manifest.ts'
import type { Offer } from '../../domain/offer.ts'
import type { FakeCatalogue } from '../../providers/fetching/fake-catalogue.case.ts'
import { fakeCatalogues } from '../../providers/fetching/fake-catalogues.case.ts'
import { type FakeServer, startFake } from '../../providers/fetching/fake-server.case.ts'
import { decodeSnapshot, encodeSnapshot, type Snapshot } from '../snapshot/snapshot.ts'
import type { RefreshOptions } from './provider-prices.ts'

/** A catalogue of given offers, as a release ships it. */
export function snapshotBytes(offers: readonly Offer[], builtAt = '2026-08-02T00:00:00.000Z'): Buffer {
  const providers = [...new Set(offers.map(({ provider }) => provider))].map((provider) => ({
    provider,
    rows: 1,
    offers: offers.filter((offer) => offer.provider === provider).length,
    types: 1,
    regions: 1,
    currency: 'USD',
    sources: [],
    filled: [],
    unknownSizes: { offers: 0, types: [] },
    quarantined: [],
    dropped: [],
  }))
  const manifest: BuildManifest = { builtAt, exchange: null, providers }
  return encodeSnapshot(offers, [], manifest)
}

/** Those of the providers that are on by default: a release ships their prices, and a refresh reads their lists. */
export const defaultFakeCatalogues = fakeCatalogues.filter(({ importer }) => importer.provider.onByDefault)

export const shippedBytes = snapshotBytes(defaultFakeCatalogues.flatMap(({ lastGood }) => lastGood))
export const shippedSnapshot: Snapshot = decodeSnapshot(shippedBytes)

export interface FakeProviders {
  readonly servers: ReadonlyMap<string, FakeServer>
  readonly endpoints: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** Starts all providers on loopback. `change` may change the fake catalogue of any of them. */
export async function runFakeProviders(
  change: (fakeCatalogue: FakeCatalogue) => FakeCatalogue = (fakeCatalogue) => fakeCatalogue,
): Promise<FakeProviders> {
  const servers = new Map<string, FakeServer>()
  const endpoints: Record<string, string> = {}
  const secrets: Record<string, string> = {}
  for (const fakeCatalogue of fakeCatalogues.map(change)) {
    const { key } = fakeCatalogue.importer.provider
    const server = await startFake(fakeCatalogue.fake)
    servers.set(key, server)
    for (const name of Object.keys(fakeCatalogue.importer.endpoints))
      endpoints[`${key}.${name}`] = name === 'ec2' ? `${server.url}/ec2/{region}` : server.url
    if (key === 'ovhcloud') endpoints['exchange.rates'] = server.url
    Object.assign(secrets, fakeCatalogue.secrets)
  }
  return {
    servers,
    endpoints,
    secrets,
    close: async () => void (await Promise.all([...servers.values()].map((server) => server.close()))),
  }
}

/** A fake in which every price is a hundredth. */
export const hundredfoldCheaper = (fakeCatalogue: FakeCatalogue): FakeCatalogue => ({
  ...fakeCatalogue,
  fake: (asked, origin) => {
    const answer = fakeCatalogue.fake(asked, origin)
    const body = typeof answer.body === 'string' ? answer.body : Buffer.concat([...answer.body]).toString()
    return { ...answer, body: fakeCatalogue.cheapen(body) }
  },
})

export function optionsFor(
  running: FakeProviders,
  at: string,
  more: Partial<RefreshOptions> = {},
): RefreshOptions {
  return {
    endpoints: running.endpoints,
    secret: (name) => running.secrets[name],
    now: () => Date.parse(at),
    fetching: { idleMs: 5_000, random: () => 0, pause: async () => undefined },
    ...more,
  }
}
