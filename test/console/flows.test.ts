import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import {
  type Bench,
  downloadedText,
  type OpenConsole,
  picture,
  soon,
  startBench,
  test,
  visit,
} from './console.ts'
import { checkKeys } from './keys.case.ts'
import { checkHalfUpload, checkMarketplace } from './marketplace.case.ts'

let bench: Bench
let opened: OpenConsole
beforeAll(async () => {
  bench = await startBench()
  opened = await bench.open('/', bench.service.key)
})
afterEach(() => expect(opened.complaints).toEqual([]))
afterAll(() => bench?.stop())

/** All tests use one window, as people do. */
async function go(path: string): Promise<Page> {
  await visit(opened.page, path)
  return opened.page
}
const m5 = '/console/compare?provider=aws&type=m5.xlarge&region=us-east-1'
const saves = (page: Page) => page.locator('.tile', { hasText: 'Saves' }).locator('b')

describe('compare', () => {
  test('search by keyboard, slide, see savings, go back, copy as curl and run it', async () => {
    const page = await go('/console/compare')
    await page.getByRole('combobox', { name: 'Instance type' }).click()
    await page.keyboard.type('m5.xl')
    await page.getByRole('option', { name: /^m5\.xlarge/ }).waitFor()
    await picture(page, 'compare-searching', 'window')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Region' }).selectOption('us-east-1')
    await page.getByText('$0.1920/h').first().waitFor()
    const before = await saves(page).textContent()
    await page.getByRole('slider', { name: 'Processor' }).fill('0.5')
    await page.getByRole('slider', { name: 'Memory' }).fill('2')
    await expect.poll(() => saves(page).textContent(), soon).not.toBe(before)
    expect(page.url()).toContain('cores=0.5')

    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByText('Copied').waitFor()
    const curl = (await page.evaluate('navigator.clipboard.readText()')) as string
    expect(curl).not.toContain(bench.service.key)
    const [, body] = /-d '(.*)'$/s.exec(curl)!
    const answer = await bench.service.request('/v1/comparisons', { body: JSON.parse(body!) })
    const offers = (
      answer.json.options as {
        effort: string
        offers: { cost_per_month: number; savings: { amount_per_month: number } }[]
      }[]
    )
      .filter(({ effort }) => effort !== 'spot' && effort !== 'commit')
      .flatMap((option) => option.offers)
    const cheapest = offers.reduce((best, offer) =>
      offer.cost_per_month < best.cost_per_month ? offer : best,
    )
    const shown = async () => Number.parseFloat((await saves(page).textContent())!)
    const saved = cheapest.savings.amount_per_month
    const expected = (100 * saved) / (cheapest.cost_per_month + saved)
    await expect.poll(async () => Math.abs(expected - (await shown())), soon).toBeLessThan(0.06)

    await page.goBack()
    await page.goBack()
    await expect.poll(() => page.getByRole('slider', { name: 'Processor' }).inputValue(), soon).toBe('4')
  })

  test('limits by provider; a shared link shows the same page', async () => {
    const page = await go(m5)
    await page.getByRole('heading', { name: /^Price against/ }).waitFor()
    await page.locator('.field', { hasText: 'Provider' }).locator('summary').click()
    await page.getByRole('checkbox', { name: 'DigitalOcean', exact: true }).check()
    await page.keyboard.press('Escape')
    const table = page.getByRole('table', { name: 'Candidates' })
    const others = table.locator('tbody tr').filter({ hasNotText: 'DigitalOcean' })
    await expect.poll(() => others.count(), soon).toBe(0)
    expect(await table.locator('tbody tr', { hasText: 'DigitalOcean' }).count()).toBeGreaterThan(3)
    const friend = await bench.open(page.url().slice(bench.service.url.length), bench.service.key)
    const rows = (of: Page) => of.getByRole('table', { name: 'Candidates' }).locator('tbody').innerText()
    await friend.page.getByRole('heading', { name: /^Price against/ }).waitFor()
    expect(await rows(friend.page)).toBe(await rows(page))
    await friend.close()
  })

  test('a custom size; messages if nothing is cheaper or the type is unknown', async () => {
    const page = await go('/console/compare?vcpus=2&gib=4')
    await expect.poll(() => page.locator('.tile').first().innerText(), soon).toContain('Base')
    await go(`${m5}&in-provider=hetzner&in-region=us-gov-east-1`)
    await page.getByText('No cheaper offer').waitFor()
    await go('/console/compare?provider=aws&type=m5.huge&region=us-east-1')
    await page
      .getByText(/m5\.huge/)
      .first()
      .waitFor()
    await page
      .getByText(/m5\.large/)
      .first()
      .waitFor()
  })
})

test('tables can be sorted, filtered, paged and exported', async () => {
  const page = await go(`${m5}&cores=1.5&ram=6`)
  const table = page.getByRole('table', { name: 'Candidates' })
  const first = () => table.locator('tbody tr').first().innerText()
  await table.waitFor()
  const cheapest = await first()
  await table.getByRole('button', { name: 'Per month' }).click()
  await expect.poll(first, soon).not.toBe(cheapest)
  await page.goBack()
  await expect.poll(first, soon).toBe(cheapest)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText(/^21–40 of/).waitFor()
  await page.getByRole('searchbox', { name: 'Filter Candidates' }).fill('demand aws')
  await expect.poll(() => table.locator('tbody tr', { hasText: 'GCP' }).count(), soon).toBe(0)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('.table-card').getByRole('button', { name: 'CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('cheapside-candidates.csv')
  const [header, ...lines] = (await downloadedText(download)).trim().split('\r\n')
  expect(header).toBe(
    'Type,Effort,Region,Payment,Cores,Memory (GiB),"Speed, all cores",Price date,Per month (USD),Saves/month (USD)',
  )
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).toMatch(/,AWS [^,]*,On demand,/)
})

test('the history of a price is drawn and listed, and closed by the back button', async () => {
  const page = await go(m5)
  await page.getByRole('button', { name: 'Price history' }).click()
  const dialog = page.getByRole('dialog', { name: 'Price history of m5.xlarge' })
  await dialog.getByText('No change is known since 22 Aug 2026').waitFor()
  await dialog.getByRole('radio', { name: 'Reserved' }).check()
  await dialog.getByRole('cell', { name: /Reserved, 3y$/ }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Price history' }).click()
  await dialog.getByRole('table').waitFor()
  await page.goBack()
  await expect.poll(() => page.getByRole('dialog').count(), soon).toBe(0)
})

test('marketplace: faults are reported before anything is sent; then prices are registered, compared and removed', () =>
  checkMarketplace(opened.page))

test('marketplace: providers before an error are registered and listed', () => checkHalfUpload(opened.page))

test('keys: issue, show once, rotate, revoke', () => checkKeys(opened.page, bench.service))
