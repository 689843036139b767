import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, startService } from '../service.ts'
import { type Bench, picture, soon, startBench } from './console.ts'

let bench: Bench
/** The service that runs now, at the same address and with the same data as the first one. */
let service: RunningService
const directory = mkdtempSync(join(tmpdir(), 'cheapside-outage-'))
beforeAll(async () => {
  bench = await startBench({}, directory)
  service = bench.service
})
afterAll(async () => {
  await service?.stop()
  await bench?.stop()
  rmSync(directory, { recursive: true, force: true })
})

const comparison = '/console/prices/compare?provider=aws&type=m5.xlarge&region=us-east-1'
const chartFailed = 'The chart could not be loaded'

test.each([
  ['was loaded before', '/console/prices/yours'],
  ['could not be loaded before', '/console/prices/catalogue'],
])(
  'while the service is down, pages keep their data; a page whose code %s loads when it is back',
  async (_, path) => {
    const { page, signIn, close } = await bench.open(path)
    const own = page.getByText('No own prices yet')
    const quarantined = page.getByRole('heading', { name: 'Quarantined prices' })
    if (path.endsWith('yours')) {
      // Signing out discards the data of a page, but not its code.
      await signIn(bench.service.key)
      await own.waitFor()
      await page.getByRole('link', { name: 'Catalogue' }).click()
      await quarantined.waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
    }
    const release = await holdCode(page)
    await signIn(bench.service.key)
    await quarantined.waitFor()
    await service.kill()
    await release()
    await page.getByRole('link', { name: 'Your prices' }).click()
    const banner = page.locator('.away')
    await banner.getByText('The service is not reachable.').waitFor()
    expect(await banner.innerText()).not.toContain('The data shown')
    await page.getByRole('link', { name: 'Catalogue' }).click()
    await quarantined.waitFor()
    await banner.getByText(/The data shown was loaded at \d+ \w+ \d{4}, \d\d:\d\d UTC\./).waitFor()
    await picture(page, 'service-away', 'window')
    await page.getByRole('link', { name: 'Your prices' }).click()
    await startServiceAgain()
    await own.waitFor()
    await banner.waitFor({ state: 'hidden' })
    // The rules of a stylesheet that could not be loaded cannot be read.
    const rules = 'Array.from(document.styleSheets, ({ cssRules }) => cssRules.length)'
    await expect.poll(() => page.evaluate(rules), soon).not.toContain(0)
    await close()
  },
)

test('a chart whose code could not be loaded is drawn when the service is back', async () => {
  const { page, signIn, close } = await bench.open(comparison)
  const release = await holdCode(page)
  await signIn(bench.service.key)
  await page.getByText('Price against size').waitFor()
  await service.kill()
  await release()
  await page.getByText(chartFailed).waitFor()
  await page.keyboard.press('Control+k')
  await page.locator('.away').waitFor()
  expect(await page.getByText('Price against size').isVisible()).toBe(true)
  await startServiceAgain()
  await page.locator('.chart[data-ready=true]').waitFor()
  await close()
})

test('what was entered on a page is not lost when missing code is loaded', async () => {
  const { page, signIn, close } = await bench.open(comparison)
  const release = await holdCode(page)
  await signIn(bench.service.key)
  await page.getByText('Price against size').waitFor()
  await service.kill()
  await release()
  await page.getByText(chartFailed).waitFor()
  await page.getByText('Views', { exact: true }).click()
  const name = page.getByLabel('Save this view as')
  await name.fill('mine')
  await page.evaluate('globalThis.isOldDocument = true')
  await startServiceAgain()
  await page.locator('.away').waitFor({ state: 'hidden' })
  expect(await name.inputValue()).toBe('mine')
  await page.getByRole('link', { name: 'Catalogue' }).click()
  await expect.poll(() => page.evaluate('globalThis.isOldDocument'), soon).toBeUndefined()
  await page.getByRole('heading', { name: 'Quarantined prices' }).waitFor()
  await close()
})

test('if code stays missing, the document is reloaded only once', async () => {
  const { page, signIn, close } = await bench.open(comparison)
  let loads = 0
  page.on('domcontentloaded', () => loads++)
  await page.route('**/assets/echarts-*', (route) => route.fulfill({ status: 404 }))
  await signIn(bench.service.key)
  await expect.poll(() => loads, soon).toBe(1)
  await page.getByText(chartFailed).waitFor()
  await page.getByRole('link', { name: 'Catalogue' }).click()
  await page.getByRole('heading', { name: 'Quarantined prices' }).waitFor()
  expect(loads).toBe(1)
  await close()
})

/** Holds the code that a page requests from now on, until the returned function is called. */
async function holdCode(page: Page): Promise<() => Promise<void>> {
  await page.getByLabel('API key').waitFor()
  const held: Route[] = []
  let isHeld = true
  await page.route('**/console/assets/**', (route) => (isHeld ? void held.push(route) : route.continue()))
  return async () => {
    isHeld = false
    for (const route of held) await route.continue()
  }
}

async function startServiceAgain(): Promise<void> {
  service = await startService({
    env: { CHEAPSIDE_LISTEN: new URL(bench.service.url).host },
    directory,
    withoutKey: true,
  })
}
