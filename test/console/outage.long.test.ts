import { expect } from 'vitest'
import { picture, soon, test } from './console.ts'
import { holdCode, outageBench } from './outage.case.ts'

const outages = outageBench()

const comparison = '/console/prices/compare?provider=aws&type=m5.xlarge&region=us-east-1'
const chartFailed = 'The chart could not be loaded'

test.each([
  ['was loaded before', '/console/prices/yours'],
  ['could not be loaded before', '/console/prices/catalogue'],
])(
  'while the service is down, pages keep their data; a page whose code %s loads when it is back',
  async (_, path) => {
    const { page, signIn, close } = await outages.bench().open(path)
    const own = page.getByText('You have not uploaded prices')
    const quarantined = page.getByRole('heading', { name: 'Quarantined prices' })
    if (path.endsWith('yours')) {
      // Signing out discards the data of a page, but not its code.
      await signIn(outages.bench().service.key)
      await own.waitFor()
      await page.getByRole('link', { name: 'Catalogue' }).click()
      await quarantined.waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
    }
    const release = await holdCode(page)
    await signIn(outages.bench().service.key)
    await quarantined.waitFor()
    await outages.kill()
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
    await outages.startAgain()
    await own.waitFor()
    await banner.waitFor({ state: 'hidden' })
    // The rules of a stylesheet that could not be loaded cannot be read.
    const rules = 'Array.from(document.styleSheets, ({ cssRules }) => cssRules.length)'
    await expect.poll(() => page.evaluate(rules), soon).not.toContain(0)
    await close()
  },
)

test('a chart whose code could not be loaded is drawn when the service is back', async () => {
  const { page, signIn, close } = await outages.bench().open(comparison)
  const release = await holdCode(page)
  await signIn(outages.bench().service.key)
  await page.getByRole('heading', { name: /^Price against/ }).waitFor()
  await outages.kill()
  await release()
  await page.getByText(chartFailed).waitFor()
  await page.keyboard.press('Control+k')
  await page.locator('.away').waitFor()
  expect(await page.getByRole('heading', { name: /^Price against/ }).isVisible()).toBe(true)
  await outages.startAgain()
  await page.locator('.chart[data-ready=true]').waitFor()
  await close()
})

test('what was entered on a page is not lost when missing code is loaded', async () => {
  const { page, signIn, close } = await outages.bench().open(comparison)
  const release = await holdCode(page)
  await signIn(outages.bench().service.key)
  await page.getByRole('heading', { name: /^Price against/ }).waitFor()
  await outages.kill()
  await release()
  await page.getByText(chartFailed).waitFor()
  await page.getByText('Views', { exact: true }).click()
  const name = page.getByLabel('Save this view as')
  await name.fill('mine')
  await page.evaluate('globalThis.isOldDocument = true')
  await outages.startAgain()
  await page.locator('.away').waitFor({ state: 'hidden' })
  expect(await name.inputValue()).toBe('mine')
  await page.getByRole('link', { name: 'Catalogue' }).click()
  await expect.poll(() => page.evaluate('globalThis.isOldDocument'), soon).toBeUndefined()
  await page.getByRole('heading', { name: 'Quarantined prices' }).waitFor()
  await close()
})

test('if code stays missing, the document is reloaded only once', async () => {
  const { page, signIn, close } = await outages.bench().open(comparison)
  let loads = 0
  page.on('domcontentloaded', () => loads++)
  await page.route('**/assets/echarts-*', (route) => route.fulfill({ status: 404 }))
  await signIn(outages.bench().service.key)
  await expect.poll(() => loads, soon).toBe(1)
  await page.getByText(chartFailed).waitFor()
  await page.getByRole('link', { name: 'Catalogue' }).click()
  await page.getByRole('heading', { name: 'Quarantined prices' }).waitFor()
  expect(loads).toBe(1)
  await close()
})
