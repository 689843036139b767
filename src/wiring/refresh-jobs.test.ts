import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSettings } from '../config.ts'
import { HttpMetrics } from '../http/metrics.ts'
import {
  type FakeProviders,
  runFakeProviders,
  shippedBytes,
  shippedSnapshot,
} from '../refresh/fake-providers.case.ts'
import { refreshLease } from '../refresh/pipeline.ts'
import type { Store } from '../store/port.ts'
import { openSqliteStore } from '../store/sqlite/store.ts'
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
      settings: readSettings({ CHEAPSIDE_REFRESH_HOURS: '24' }),
      environment: { ...fakeProviders.secrets, CHEAPSIDE_PRICE_ENDPOINTS: endpoints.join() },
      now: Date.now,
      metrics: new HttpMetrics(),
      store,
      log: () => fetching.resolve(),
      reportError: () => {},
    },
    file,
    () => shippedSnapshot.manifest,
  )
  const run = jobs[0]!.run().catch((error: Error) => error.message)
  await fetching.promise
  expect(await store.leases.acquire(refreshLease, 'another node', 1000)).toBe(false)
  await stop()
  expect(await store.leases.acquire(refreshLease, 'another node', 1000)).toBe(true)
  expect(await run).toBe('the thread was stopped')
  expect(await store.prices.latestId()).toBeUndefined()
})
