import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { openStore } from '../../store/open.ts'
import type { Store } from '../../store/port.ts'
import { type FakeProviders, runFakeProviders, shippedBytes } from './fake-providers.case.ts'
import { refreshLease } from './pipeline.ts'
import { RequestedRefresh } from './requested-refresh.ts'

const scratch = mkdtempSync(join(tmpdir(), 'cheapside-requested-'))
const open: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of open) await close()
  rmSync(scratch, { recursive: true, force: true })
})

async function start(): Promise<{ refresh: RequestedRefresh; store: Store; providers: FakeProviders }> {
  const store = await openStore({ dataDirectory: join(scratch, crypto.randomUUID()) })
  const providers = await runFakeProviders()
  const endpoints = Object.entries(providers.endpoints).map(([name, url]) => `${name}=${url}`)
  const refresh = new RequestedRefresh({
    store,
    shipped: async () => shippedBytes,
    now: Date.now,
    holder: 'test',
    enabled: [],
    environment: { ...providers.secrets, CHEAPSIDE_PRICE_ENDPOINTS: endpoints.join(',') },
    log: () => undefined,
    reportError: () => undefined,
  })
  open.push(async () => {
    await refresh.stop()
    await providers.close()
    await store.close()
  })
  return { refresh, store, providers }
}

const ended = (refresh: RequestedRefresh) =>
  vi.waitFor(() => expect(refresh.status().finishedAt).not.toBeNull(), { timeout: 60_000 })

test('one at a time; the status shows progress and results', async () => {
  const { refresh, store } = await start()
  expect(refresh.status()).toMatchObject({ state: 'none', startedAt: null })
  expect(() => refresh.start({ providers: ['linode'], accept: false })).toThrow('has no price list')
  expect(refresh.start({ providers: ['azure'], accept: false })).toMatchObject({
    state: 'running',
    providers: ['azure'],
  })
  expect(() => refresh.start({ accept: false })).toThrow('under way')
  await ended(refresh)
  expect(refresh.status()).toMatchObject({
    state: 'done',
    progress: expect.arrayContaining([expect.objectContaining({ provider: 'azure' })]),
    outcomes: [{ provider: 'azure', outcome: 'fresh' }],
  })
  expect(await store.prices.latest()).toBeDefined()
})

test('reports that another node is refreshing', async () => {
  const { refresh, store } = await start()
  expect(await store.leases.acquire(refreshLease, 'another', 60_000)).toBe(true)
  refresh.start({ accept: false })
  await ended(refresh)
  expect(refresh.status()).toMatchObject({ state: 'elsewhere', outcomes: [] })
})

test('stops with the service', async () => {
  const { refresh } = await start()
  refresh.start({ accept: false })
  await refresh.stop()
  expect(['done', 'failed']).toContain(refresh.status().state)
})
