import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type FakeProviders,
  runFakeProviders,
  shippedBytes,
} from '../src/catalogue/refresh/fake-providers.case.ts'
import { type RunningService, runCommand, startService } from './service.ts'

// The real service and command with simulated price lists of six providers.

const scratch = mkdtempSync(join(tmpdir(), 'cheapside-refresh-'))
const catalogue = join(scratch, 'shipped.catalogue')
let fakeProviders: FakeProviders
let environment: Record<string, string>
const running: RunningService[] = []

beforeAll(async () => {
  writeFileSync(catalogue, shippedBytes)
  fakeProviders = await runFakeProviders()
  environment = {
    ...fakeProviders.secrets,
    CHEAPSIDE_CATALOGUE: catalogue,
    CHEAPSIDE_PRICE_ENDPOINTS: Object.entries(fakeProviders.endpoints)
      .map(([name, url]) => `${name}=${url}`)
      .join(','),
  }
})
afterAll(async () => {
  await Promise.all(running.map((service) => service.kill()))
  await fakeProviders?.close()
  rmSync(scratch, { recursive: true, force: true })
})

test('a service refreshes its prices on request, and the command shows the progress', async () => {
  const service = await startService({ env: environment })
  running.push(service)
  const env = {
    CHEAPSIDE_SERVER: service.url,
    CHEAPSIDE_KEY: service.key,
    CHEAPSIDE_DATA: join(scratch, 'none'),
  }
  const status = () => service.request('/admin/prices/refresh')
  expect((await status()).json).toMatchObject({ state: 'none', started_at: null, providers: [] })
  const refreshed = await runCommand(['catalogue', 'refresh', '--provider', 'azure'], env)
  expect(refreshed).toMatchObject({ code: 0, out: expect.stringMatching(/^azure: fresh, \d+ prices\n$/) })
  expect(refreshed.err).toMatch(/^azure: /m)
  expect((await status()).json).toMatchObject({ state: 'done', requested: ['azure'] })
  const all = JSON.parse((await runCommand(['catalogue', 'refresh', '--json'], env)).out)
  const served = (await service.request('/catalogue')).json
  expect([all.id, all.providers.length]).toEqual([served.id, 6])
  const unknown = await runCommand(['catalogue', 'refresh', '--provider', 'linode'], env)
  expect([unknown.code, unknown.err]).toEqual([
    2,
    expect.stringContaining('--provider "linode" has no price list'),
  ])
  const key = (
    await service.request('/admin/keys', {
      body: { organisation: 'acme', name: 'reader', scopes: ['pricing:read'] },
    })
  ).json.key
  const refused = await service.request('/admin/prices/refresh', { method: 'POST', body: {}, key })
  expect(refused.status).toBe(403)
  expect(existsSync(env.CHEAPSIDE_DATA)).toBe(false)
})
