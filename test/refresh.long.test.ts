import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type FakeProviders,
  runFakeProviders,
  shippedBytes,
} from '../src/catalogue/refresh/fake-providers.case.ts'
import { ask, eventually, type RunningService, runCommand, startService } from './service.ts'

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

test('the running service serves prices that the command refreshed, with freshness and history', async () => {
  const service = await startService({ env: environment })
  running.push(service)
  const before = (await service.request('/catalogue')).headers.get('etag')
  const refreshed = await runCommand(['catalogue', 'refresh', '--json'], {
    ...environment,
    CHEAPSIDE_DATA: service.directory,
  })
  expect(refreshed.code).toBe(0)
  const { providers } = JSON.parse(refreshed.out) as { providers: { provider: string; outcome: string }[] }
  expect(providers.map(({ outcome }) => outcome)).toEqual(Array(6).fill('fresh'))
  await eventually(async () => (await service.request('/catalogue')).headers.get('etag') !== before)
  const metrics = (await ask(service.url, '/metrics')).text
  expect(metrics).toMatch(/cheapside_prices_refresh_outcome\{provider="azure",outcome="fresh"\} 1/)
  for (const secret of Object.values(fakeProviders.secrets)) {
    expect(service.output.err + service.output.out + refreshed.out + refreshed.err).not.toContain(secret)
  }
})

test('a refresh without the credential fails, and the catalogue keeps its date', async () => {
  const service = await startService({ env: { CHEAPSIDE_CATALOGUE: catalogue } })
  running.push(service)
  const before = (await service.request('/catalogue')).json
  const refused = await runCommand(['catalogue', 'refresh', '--provider', 'gcp'], {
    CHEAPSIDE_SERVER: service.url,
    CHEAPSIDE_KEY: service.key,
  })
  expect(refused).toMatchObject({ code: 1, out: expect.stringMatching(/^gcp: needs-credential/) })
  expect(refused.err).toContain('The refresh failed: no price list was read, and nothing was published.')
  const after = (await service.request('/catalogue')).json
  expect(after.built_at).toBe(before.built_at)
  const gcp = after.providers.find((one: { provider_key: string }) => one.provider_key === 'gcp')
  expect(gcp.refresh).toMatchObject({ outcome: 'needs-credential', fresh_at: null })
  const log = service.output.out + service.output.err
  expect(log).toContain('prices were not refreshed; the previous ones stay in use')
  expect(log).not.toMatch(/prices were refreshed|refreshed prices are served/)
})

test('the daily job of a service does the same automatically', async () => {
  const service = await startService({
    env: { ...environment, CHEAPSIDE_REFRESH_HOURS: '24', CHEAPSIDE_REFRESH_REGIONS: 'all' },
  })
  running.push(service)
  const fresh = /cheapside_prices_refresh_outcome\{provider="aws",outcome="fresh"\} 1/
  expect(await eventually(async () => fresh.test((await ask(service.url, '/metrics')).text))).toBe(true)
})
