import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { automaticRefresh } from '../../catalogue/refresh/automatic.ts'
import {
  type FakeProviders,
  runFakeProviders,
  shippedBytes,
  shippedSnapshot,
} from '../../catalogue/refresh/fake-providers.case.ts'
import { refreshLease } from '../../catalogue/refresh/pipeline.ts'
import { decodeSnapshot } from '../../catalogue/snapshot/snapshot.ts'
import { readSettings } from '../../config.ts'
import { enabledProviders, noOwnPrices } from '../../pricing/market.ts'
import type { Store } from '../../store/port.ts'
import { openSqliteStore } from '../../store/sqlite/store.ts'
import { HttpMetrics } from '../metrics.ts'
import { refreshJobs } from './pricing-part.ts'

const scratch = mkdtempSync(join(tmpdir(), 'cheapside-refreshing-'))
const file = join(scratch, 'shipped.catalogue')
let fakeProviders: FakeProviders
let store: Store
beforeAll(async () => {
  writeFileSync(file, shippedBytes)
  fakeProviders = await runFakeProviders()
  store = await openSqliteStore({ directory: join(scratch, 'data') })
})
afterAll(async () => {
  await store?.close()
  await fakeProviders?.close()
  rmSync(scratch, { recursive: true, force: true })
})

test('a stopped refresh has released its lease', async () => {
  const fetching = Promise.withResolvers<void>()
  const endpoints = Object.entries(fakeProviders.endpoints).map(([name, url]) => `${name}=${url}`)
  const { jobs, stop } = refreshJobs(
    {
      settings: readSettings({ CHEAPSIDE_REFRESH_HOURS: '24', CHEAPSIDE_REFRESH_REGIONS: 'all' }),
      environment: { ...fakeProviders.secrets, CHEAPSIDE_PRICE_ENDPOINTS: endpoints.join() },
      now: Date.now,
      metrics: new HttpMetrics(),
      store,
      log: () => fetching.resolve(),
      reportError: () => {},
    },
    file,
    () => shippedSnapshot.manifest,
    { ...enabledProviders([]), catalogue: () => expect.fail(), own: () => noOwnPrices },
  )
  const run = jobs[0]!.run().catch((error: Error) => error.message)
  await fetching.promise
  expect(await store.leases.acquire(refreshLease, 'another node', 1000)).toBe(false)
  await stop()
  expect(await store.leases.acquire(refreshLease, 'another node', 1000)).toBe(true)
  expect(await run).toBe('the thread was stopped')
  expect(await store.prices.latestId()).toBeUndefined()
})

test('one quiet line where the network is closed, and the failure is recorded', async () => {
  const own = await openSqliteStore({ directory: join(scratch, 'closed') })
  const said: string[] = []
  const job = automaticRefresh({
    store: own,
    environment: { CHEAPSIDE_PRICE_ENDPOINTS: 'ovhcloud.api=http://127.0.0.1:9' },
    enabled: [],
    hours: 24,
    maxBytes: 1e9,
    backoff: { attempts: 2, firstMs: 1, maxMs: 1 },
    allRegions: false,
    regionsInUse: async () => new Map(),
    served: () => shippedSnapshot.manifest,
    shipped: async () => shippedBytes,
    signal: new AbortController().signal,
    holder: 'test',
    now: Date.now,
    log: (level, message) => said.push(`${level}: ${message}`),
  })
  await job.run()
  expect(said).toEqual(['info: price lists cannot be reached from here; the previous prices stay in use'])
  const { manifest } = decodeSnapshot((await own.prices.latest())!.bytes)
  await own.close()
  expect(manifest.builtAt).toBe(shippedSnapshot.manifest.builtAt)
  expect(manifest.providers.find(({ provider }) => provider === 'ovhcloud')!.refresh).toMatchObject({
    outcome: 'failed',
    code: 'unreachable',
  })
})
