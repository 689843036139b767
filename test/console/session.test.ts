import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { eventually } from '../service.ts'
import { type Bench, checkAccessible, checkFits, picture, signIn, soon, startBench, test } from './console.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench?.stop())

const everything = ['pricing:read', 'marketplace:write', 'gateway:read', 'usage:write']
const stored = (page: Page) =>
  page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
  )
const menu = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts()

test('a wrong key is refused with a message; a valid one is exchanged for a cookie and not stored', async () => {
  const { page, close } = await bench.open('/')
  await page.getByText('Where do I get a key?').click()
  await checkFits(page)
  await picture(page, 'sign-in-help')
  await page.getByLabel('API key').fill('csk_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The key is not valid: it is mistyped, unknown or revoked.').waitFor()
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await signIn(page, bench.service.key)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await stored(page)).not.toContain('csk_')
  expect(addresses.join()).not.toContain(bench.service.key)
  expect(bench.service.output.err).not.toContain(bench.service.key)
  const [cookie] = await page.context().cookies()
  expect(cookie).toMatchObject({ name: 'cheapside-session', httpOnly: true, sameSite: 'Strict', path: '/' })
  await close()
})

test('new tabs are signed in and show the page of their link; signing out of one signs out of all', async () => {
  const { page, close } = await bench.open('/', bench.service.key)
  const tab = await page.context().newPage()
  await tab.goto(`${bench.service.url}/console/prices/catalogue`)
  await tab.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor()
  const signedOut = Promise.withResolvers<void>()
  await tab.route('**/key', async (route) => {
    const response = await route.fetch()
    await signedOut.promise
    await route.fulfill({ response })
  })
  await tab.reload()
  await tab.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor()
  await tab.getByRole('button', { name: 'Sign out' }).click()
  await tab.getByLabel('API key').waitFor()
  await page.getByLabel('API key').waitFor()
  // The answer to a request of before the sign-out arrives after it.
  const late = tab.waitForEvent('requestfinished')
  signedOut.resolve()
  await late
  await tab.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
  expect(await tab.getByLabel('API key').isVisible()).toBe(true)
  await page.reload()
  await page.getByLabel('API key').waitFor()
  expect(await page.context().cookies()).toEqual([])
  await close()
})

test('a tab follows if another tab signs in with the key of another organisation', async () => {
  const keys = await Promise.all(['north', 'south'].map((name) => bench.newKey(name, everything)))
  const entry = { instance_type: 'a', region: 'r', cpu_cores: 1, ram_gb: 1, cost_per_hour: 1 }
  for (const [at, name] of ['northern', 'southern'].entries()) {
    await bench.service.request('/marketplace/providers', {
      key: keys[at]!.key,
      body: { name, entries: [entry] },
    })
  }
  const { page, close } = await bench.open('/console/prices/yours', keys[0]!.key)
  await page.reload()
  await page.getByRole('link', { name: 'northern' }).waitFor()
  const tab = await page.context().newPage()
  await tab.goto(`${bench.service.url}/console/prices/yours`)
  await tab.getByRole('button', { name: 'Sign out' }).click()
  await signIn(tab, keys[1]!.key)
  await page.getByRole('link', { name: 'southern' }).waitFor()
  await page.getByText('south', { exact: true }).waitFor()
  expect(await page.getByText('northern').count()).toBe(0)
  await close()
})

test('a session that began while the previous sign-out is pending is not ended by it', async () => {
  const { page, close } = await bench.open('/console/prices/catalogue', bench.service.key)
  await page.route(
    ({ pathname }) => pathname === '/v1/session',
    (route) => (route.request().method() === 'DELETE' ? route.fulfill({ status: 500 }) : route.continue()),
    { times: 2 },
  )
  await page.getByRole('button', { name: 'Sign out' }).click()
  await signIn(page, bench.service.key)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor()
  expect(await page.evaluate("localStorage.getItem('cheapside-sign-out')")).toBeNull()
  await close()
})

test('addresses of earlier versions lead to the current page', async () => {
  const { page, close } = await bench.open('/console/marketplace?marketplace.q=a', bench.service.key)
  await page.getByRole('heading', { level: 1, name: 'Your prices' }).waitFor()
  expect(page.url()).toBe(`${bench.service.url}/console/prices/yours?marketplace.q=a`)
  await close()
})

test('an expired key is reported', async () => {
  const body = {
    organisation: 'late',
    name: 'late',
    scopes: everything,
    expires_at: new Date(Date.now() + 1000).toISOString(),
  }
  const { key } = (await bench.service.request('/admin/keys', { body })).json
  await eventually(async () => (await bench.service.request('/key', { key })).status === 401)
  const { page, close } = await bench.open('/')
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText(/This key expired at \d{4}-/).waitFor()
  expect(await page.context().cookies()).toEqual([])
  await close()
})

test('scopes decide what is shown; a key that can only send usage is reported as not for the console', async () => {
  const { key } = await bench.newKey('readers', ['pricing:read'])
  const { page, close } = await bench.open('/console/workloads', key)
  await page.getByText('Not allowed with this key').waitFor()
  expect(await menu(page)).toEqual(expect.arrayContaining(['Compare', 'Your prices', 'Catalogue']))
  expect(await menu(page)).not.toContain('Workloads')
  await checkAccessible(page)
  await picture(page, 'not-open')
  await page.getByRole('link', { name: 'Your prices' }).click()
  await page.getByText('You have not uploaded prices').waitFor()
  expect(await page.getByRole('button', { name: 'Upload prices' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Help' }).click()
  const guides = page.getByRole('region', { name: 'Guides' }).getByRole('link')
  await expect.poll(() => guides.allInnerTexts(), soon).toEqual(['Compare', 'Review a plan'])
  await close()
  const sender = await bench.newKey('senders', ['usage:write'])
  const sending = await bench.open('/', sender.key)
  await sending.page.getByText('is not for the console').waitFor()
  await checkAccessible(sending.page)
  await picture(sending.page, 'cannot-read')
  await sending.close()
})

test('a key that is revoked during a session is reported, and signing in again continues on the same page', async () => {
  const { key, id } = await bench.newKey('leavers', everything)
  const { page, close } = await bench.open(
    '/console/compare?provider=aws&type=m5.xlarge&region=us-east-1',
    key,
  )
  await page.getByRole('heading', { name: /^Price against/ }).waitFor()
  await bench.service.request(`/admin/keys/${id}/revoke`, { method: 'POST' })
  await page.getByRole('slider', { name: 'Processor' }).fill('1')
  await page.getByText('Your session has ended').waitFor()
  await checkAccessible(page)
  await picture(page, 'session-ended')
  const other = await bench.newKey('leavers', everything)
  await signIn(page, other.key)
  await page.getByRole('heading', { name: /^Price against/ }).waitFor()
  expect(await page.getByRole('slider', { name: 'Processor' }).inputValue()).toBe('1')
  await close()
})

test('a first visit loads less than 120 KB, and no chart before there is one to show', async () => {
  const { page, close } = await bench.open('/', bench.service.key)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const loaded = (await page.evaluate(
    "performance.getEntriesByType('resource').filter((e) => e.name.includes('/console/')).map((e) => [e.name, e.encodedBodySize])",
  )) as [string, number][]
  const bytes = loaded.reduce((sum, [, size]) => sum + size, 0)
  console.log(`first visit: ${loaded.length} files, ${(bytes / 1000).toFixed(1)} KB compressed`)
  expect(bytes).toBeGreaterThan(10_000)
  expect(bytes).toBeLessThan(120_000)
  expect(loaded.map(([name]) => name).join()).not.toContain('echarts')
  await close()
})
