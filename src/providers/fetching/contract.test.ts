import { afterEach, describe, expect, test } from 'vitest'
import { familyRates } from '../../pricing/current-offer.ts'
import { offerKey } from '../describe-offers.ts'
import { importers } from '../importers.ts'
import type { FakeCatalogue } from './fake-catalogue.case.ts'
import { fakeCatalogues } from './fake-catalogues.case.ts'
import { type FakeServer, type Fault, faults, startFake } from './fake-server.case.ts'
import { ImportFailure } from './http/failure.ts'
import { LastGood } from './importer.ts'
import { type Imported, type RunOptions, runImporter } from './run-importer.ts'

const opened: FakeServer[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()))
})

const now = Date.parse('2026-11-15T06:00:00Z')

/** Imports from a fake. Waits are recorded and not carried out. */
async function start(fakeCatalogue: FakeCatalogue, more: Partial<RunOptions> = {}) {
  const server = await startFake(fakeCatalogue.fake)
  opened.push(server)
  const waits: number[] = []
  const said: string[] = []
  const { key } = fakeCatalogue.importer.provider
  const endpoints = Object.fromEntries(
    Object.keys(fakeCatalogue.importer.endpoints).map((name) => [
      `${key}.${name}`,
      name === 'ec2' ? `${server.url}/ec2/{region}` : `${server.url}/`,
    ]),
  )
  const run = (over: Partial<RunOptions> = {}): Promise<Imported> =>
    runImporter(fakeCatalogue.importer, {
      lastGood: new LastGood(fakeCatalogue.lastGood),
      endpoints: { ...endpoints, 'exchange.rates': server.url },
      secret: (name) => fakeCatalogue.secrets[name],
      now: () => now,
      onProgress: (text) => said.push(text),
      fetching: {
        idleMs: 5_000,
        random: () => 0,
        pause: async (ms) => void waits.push(ms),
        onWait: ({ address, why }) => said.push(`${address} ${why}`),
      },
      ...more,
      ...over,
    })
  return { server, waits, said, run }
}

async function failure(run: Promise<unknown>): Promise<ImportFailure> {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ImportFailure)
  return error as ImportFailure
}

const nameOf = (key: string): string => key.replaceAll('\n', ' ')

test('custom types have a family of their own, so that the rates of the others stay exact', async () => {
  const { run } = await start(fakeCatalogues.find(({ importer }) => importer.provider.key === 'gcp')!)
  const families = new Map((await run()).offers.map((offer) => [offer.instanceType, offer.family]))
  expect(families.get('n2-custom-2-8192')).toBe('n2-custom')
  expect(families.get('n2-standard-4')).toBe('n2')
})

test('custom types of any size are priced at the rates of those that are listed', async () => {
  const { run } = await start(fakeCatalogues.find(({ importer }) => importer.provider.key === 'gcp')!)
  const custom = (await run()).offers.filter(
    ({ family, usageType, operatingSystem }) =>
      family === 'n2-custom' && usageType === 'ONDEMAND' && operatingSystem === 'Linux',
  )
  const rates = familyRates(custom)
  expect(rates?.corePerHourUsd).toBeCloseTo(0.033174, 8)
  expect(rates?.gibPerHourUsd).toBeCloseTo(0.004446, 8)
})

test('every importer has a fake price API', () => {
  expect(fakeCatalogues.map(({ importer }) => importer)).toEqual(importers)
})

describe.each(
  fakeCatalogues.map((fakeCatalogue) => [fakeCatalogue.importer.provider.key, fakeCatalogue] as const),
)('%s', (_, fakeCatalogue) => {
  const { importer } = fakeCatalogue
  const needed = importer.needs.credential

  test('states what it needs', () => {
    expect(importer.needs.limits).not.toBe('')
    expect(importer.needs.peculiarities.length).toBeGreaterThan(0)
    for (const name of [...needed, ...(importer.needs.optional?.credential ?? [])])
      expect(name).toMatch(/^[A-Z0-9_]+$/)
    for (const address of Object.values(importer.endpoints)) expect(address).toMatch(/^https:\/\/[^/]+$/)
  })

  test('makes the offers that were computed by hand, and no others of those types', async () => {
    const { run } = await start(fakeCatalogue)
    const { offers, manifest } = await run()
    const prices = Object.fromEntries(offers.map((offer) => [nameOf(offerKey(offer)), offer.pricePerHourUsd]))
    for (const [key, price] of Object.entries(fakeCatalogue.worked))
      expect(prices[key], key).toBeCloseTo(price, 9)
    for (const offer of offers) {
      expect(offer).toMatchObject({ provider: importer.provider.key, service: importer.provider.service })
      expect(offer.pricePerHourUsd).toBeGreaterThan(0)
      expect(offer.vcpus, offer.instanceType).toBeGreaterThan(0)
      expect(offer.day).toMatch(/^2026-11-1[45]$/)
    }
    expect(manifest).toMatchObject({ provider: importer.provider.key, offers: offers.length })
    expect(manifest.rows).toBeGreaterThan(0)
  })

  test('the same answers give the same offers', async () => {
    const { run } = await start(fakeCatalogue)
    expect(await run()).toEqual(await run())
  })

  test('requests only its own endpoints, and nothing twice', async () => {
    const { server, run } = await start(fakeCatalogue)
    await run()
    const asked = server.asked.map(({ path, query, body }) => `${path}?${query}${body}`)
    expect(asked.length).toBe(new Set(asked).size)
  })

  const passing: readonly Fault[] = ['cut-connection', 'cut-json', 'reset', 429, 500]
  test.each(passing)('recovers from %s once at any request', async (fault) => {
    const { server, run, waits } = await start(fakeCatalogue)
    const expected = await run()
    const requests = server.asked.length
    for (let position = 0; position < requests; position++) {
      waits.length = 0
      server.fail(fault, (n) => n === position)
      expect({ ...(await run()), bytes: 0 }, `request ${position}`).toEqual({ ...expected, bytes: 0 })
      expect(waits).toHaveLength(1)
      if (fault === 429) expect(waits[0]).toBeGreaterThanOrEqual(7_000)
    }
  })

  const codes: Record<string, string> = {
    html: 'unexpected-type',
    'html-as-json': 'unexpected-type',
    'cut-connection': 'truncated',
    'cut-json': 'truncated',
    reset: 'unreachable',
    '429': 'busy',
    '500': 'busy',
  }
  test.each(faults.filter((fault) => fault !== 401))(
    'gives up on %s that lasts, from any request on',
    async (fault) => {
      const { server, run, said } = await start(fakeCatalogue)
      await run()
      const requests = server.asked.length
      for (let position = 0; position < requests; position++) {
        server.fail(fault, (n) => n >= position)
        const { code, message } = await failure(run())
        expect(code).toBe(codes[String(fault)])
        const heard = [message, ...said].join('\n')
        for (const secret of Object.values(fakeCatalogue.secrets)) expect(heard).not.toContain(secret)
        expect(message).not.toContain('\n')
      }
    },
  )

  test('401 is reported as such, without the credential', async () => {
    const { server, run } = await start(fakeCatalogue)
    server.fail(401, () => true)
    const { code, message } = await failure(run())
    expect(code).toBe(needed.length > 0 ? 'credential-refused' : 'unexpected-status')
    for (const secret of Object.values(fakeCatalogue.secrets)) expect(message).not.toContain(secret)
  })

  test('reports which credential is missing before the first request', async () => {
    const { server, run } = await start(fakeCatalogue, { secret: () => undefined })
    if (needed.length === 0) expect((await run()).offers.length).toBeGreaterThan(0)
    else {
      const { code, message } = await failure(run())
      expect(code).toBe('needs-credential')
      expect(message).toContain(needed[0])
      expect(server.asked).toEqual([])
    }
  })

  test('a document of another shape is malformed', async () => {
    const { run } = await start({ ...fakeCatalogue, fake: () => ({ body: '{"hello":"world"}' }) })
    expect((await failure(run())).code).toBe('malformed')
  })

  test('a signal stops it', async () => {
    const stop = new AbortController()
    const { run } = await start(fakeCatalogue, { signal: stop.signal })
    stop.abort()
    expect((await failure(run())).code).toBe('stopped')
  })

  test('its result contains no secret', async () => {
    const { run } = await start(fakeCatalogue)
    const all = JSON.stringify(await run())
    const { AWS_ACCESS_KEY_ID: _, ...secrets } = fakeCatalogue.secrets
    expect(Object.values(secrets).filter((secret) => all.includes(secret))).toEqual([])
  })
})

test.each(
  fakeCatalogues
    .filter(({ importer }) => importer.isLarge)
    .map((fakeCatalogue) => [fakeCatalogue.importer.provider.key, fakeCatalogue] as const),
)('%s: only the regions in use are read, and the prices of the others are kept', async (_, fakeCatalogue) => {
  const { run } = await start(fakeCatalogue)
  const all = await run({ lastGood: new LastGood([]) })
  const { region } = fakeCatalogue.lastGood[0]!
  const elsewhere = { ...fakeCatalogue.lastGood[0]!, region: 'elsewhere', pricePerHourUsd: 0.5 }
  const inUse = await run({
    lastGood: new LastGood([...fakeCatalogue.lastGood, elsewhere]),
    regions: [region],
    validators: all.validators,
  })
  const of = ({ offers }: Imported, at: string) => offers.filter((offer) => offer.region === at)
  expect(of(inUse, region).length).toBeGreaterThan(0)
  expect(of(inUse, 'elsewhere')).toEqual([elsewhere])
  expect(inUse.notes).toContain(`only the regions in use were read: ${region}`)
  expect(inUse.manifest.rows).toBeLessThan(all.manifest.rows)
  // The validators of what was not read still belong to the prices that were kept.
  expect(inUse.validators).toEqual(all.validators)
})
