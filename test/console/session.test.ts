import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, startService } from '../service.ts'
import { type Bench, checkAccessible, picture, signIn, startBench } from './console.ts'

let bench: Bench
let again: RunningService | undefined
beforeAll(async () => {
  bench = await startBench()
})
afterAll(async () => {
  await again?.stop()
  await bench?.stop()
})

const everything = ['pricing:read', 'marketplace:write', 'gateway:read', 'usage:write']
const stored = (page: Page) =>
  page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
  )
const menu = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts()

test('a wrong key is refused in words; a good one is kept in memory alone', async () => {
  const { page, close } = await bench.open('/')
  await page.getByLabel('API key').fill('csk_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('This key is invalid, expired or revoked.').waitFor()
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await signIn(page, bench.service.key)
  await page.getByText('from $').first().waitFor()
  expect(await stored(page)).not.toContain(bench.service.key)
  expect(addresses.join()).not.toContain(bench.service.key)
  expect(bench.service.output.err).not.toContain(bench.service.key)
  await page.reload()
  await page.getByLabel('API key').waitFor()
  await close()
})

test('remembered where the user says so, until the user leaves', async () => {
  const { page, close } = await bench.open('/console/catalogue')
  await page.getByLabel('Remember until this tab is closed').check()
  await signIn(page, bench.service.key)
  await page.getByRole('heading', { name: 'Catalogue' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Catalogue' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('API key').waitFor()
  expect(await stored(page)).not.toContain('csk_')
  await close()
})

test('scopes decide what is shown', async () => {
  const { key } = await bench.newKey('readers', ['pricing:read'])
  const { page, close } = await bench.open('/console/keys', key)
  await page.getByText('Not allowed with this key').waitFor()
  expect(await menu(page)).toEqual(['Compare', 'Marketplace', 'Catalogue'])
  await checkAccessible(page)
  await picture(page, 'not-open')
  await page.getByRole('link', { name: 'Marketplace' }).click()
  await page.getByText('No own prices yet').waitFor()
  expect(await page.getByRole('button', { name: 'Upload prices' }).count()).toBe(0)
  await close()
})

test('a key revoked in mid-session: said, and gone on with another where one was', async () => {
  const { key, id } = await bench.newKey('leavers', everything)
  const { page, close } = await bench.open(
    '/console/compare?provider=aws&type=m5.xlarge&region=us-east-1',
    key,
  )
  await page.getByText('Price against size').waitFor()
  await bench.service.request(`/admin/keys/${id}/revoke`, { method: 'POST' })
  await page.getByRole('slider', { name: 'Processor' }).fill('1')
  await page.getByText('Your session has ended').waitFor()
  await checkAccessible(page)
  await picture(page, 'session-ended')
  const other = await bench.newKey('leavers', everything)
  await signIn(page, other.key)
  await page.getByText('Price against size').waitFor()
  expect(await page.getByRole('slider', { name: 'Processor' }).inputValue()).toBe('1')
  await close()
})

test('a first visit loads less than 200 KB, and no chart before there is one to show', async () => {
  const { page, close } = await bench.open('/', bench.service.key)
  await page.getByText('from $').first().waitFor()
  const loaded = (await page.evaluate(
    "performance.getEntriesByType('resource').filter((e) => e.name.includes('/console/')).map((e) => [e.name, e.encodedBodySize])",
  )) as [string, number][]
  const bytes = loaded.reduce((sum, [, size]) => sum + size, 0)
  console.log(`first visit: ${loaded.length} files, ${(bytes / 1000).toFixed(1)} KB compressed`)
  expect(bytes).toBeGreaterThan(10_000)
  expect(bytes).toBeLessThan(200_000)
  expect(loaded.map(([name]) => name).join()).not.toContain('echarts')
  await close()
})

test('the service goes away and comes back: what was there stays, and is asked for again', async () => {
  const { url, key } = bench.service
  const { page, close } = await bench.open('/console/marketplace', key)
  await page.getByText('No own prices yet').waitFor()
  await page.getByRole('link', { name: 'Catalogue' }).click()
  await page.getByRole('heading', { name: 'Quarantined prices' }).waitFor()
  // The code of the other pages is fetched by now, so that they open without the service.
  await page.waitForLoadState('networkidle')
  await bench.service.kill()
  await page.getByRole('link', { name: 'Keys' }).click()
  await page.getByText('The service is not reachable.').first().waitFor()
  await page.getByRole('link', { name: 'Catalogue' }).click()
  await page.getByRole('heading', { name: 'Quarantined prices' }).waitFor()
  await picture(page, 'service-away', 'window')
  again = await startService({
    env: { CHEAPSIDE_LISTEN: new URL(url).host, CHEAPSIDE_BOOTSTRAP_KEY: key },
    withoutKey: true,
  })
  await page.locator('.away').waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Keys' }).click()
  await page.getByRole('table', { name: 'Keys' }).waitFor()
  await close()
})
