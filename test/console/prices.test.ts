import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import {
  type Bench,
  checkAccessible,
  checkFits,
  type OpenConsole,
  soon,
  startBench,
  test,
  visit,
} from './console.ts'
import { checkUpdating } from './updating.case.ts'

let bench: Bench
let opened: OpenConsole
beforeAll(async () => {
  bench = await startBench()
  opened = await bench.open('/console/prices/compare', bench.service.key)
})
afterEach(() => expect(opened.complaints).toEqual([]))
afterAll(() => bench?.stop())

const m5 = '/console/prices/compare?provider=aws&type=m5.xlarge&region=us-east-1&cores=1.5&ram=6'
const asked = {
  provider: 'aws',
  region: 'us-east-1',
  instance_type: 'm5.xlarge',
  usage: { cpu_cores: 1.5, ram_gb: 6 },
  offers_per_type: 10,
}
const dollars = (text: string | null): number =>
  Number(/-?\$([\d,.]+)/.exec(text ?? '')![1]!.replaceAll(',', ''))
const tile = (page: Page, label: string) => page.locator('.tile', { hasText: label }).locator('b')
const cards = (page: Page) => page.getByRole('list', { name: 'Options by effort' })
const effortNames = (page: Page) =>
  cards(page)
    .locator('.effort-name')
    .evaluateAll((names) => names.map((name) => name.firstChild?.textContent ?? ''))

interface Answered {
  current: { cost_per_month: number }
  options: { effort: string; offers: { instance_type: string; cost_per_month: number }[] }[]
}
const compare = async (more: object = {}): Promise<Answered> =>
  (await bench.service.request('/v1/comparisons', { body: { ...asked, ...more } })).json

describe('compare', () => {
  test('a type chosen by name is compared in the region of the listed price', async () => {
    const { page } = opened
    await visit(page, '/console/prices/compare')
    await page.getByRole('combobox', { name: 'Instance type' }).click()
    await page.keyboard.type('m5.xlarge')
    await page.getByRole('option', { name: /^m5\.xlarge.*from \$0\.1920/ }).waitFor()
    await page.keyboard.press('Enter')
    const region = page.getByRole('combobox', { name: 'Region' })
    await expect.poll(() => region.inputValue(), soon).toBe('us-east-1')
    await expect.poll(() => tile(page, 'Now').innerText(), soon).toBe('$140.16')
  })

  test('a type that was found for an earlier text cannot be chosen', async () => {
    const { page } = opened
    await visit(page, '/console/prices/compare')
    const field = page.getByRole('combobox', { name: 'Instance type' })
    await field.fill('m5.xlarge')
    await page.getByRole('option', { name: /^m5\.xlarge/ }).waitFor()
    await page.route(
      ({ pathname, searchParams }) =>
        pathname === '/catalogue/types' && searchParams.get('q') === 'c5.xlarge',
      () => {},
    )
    await field.fill('c5.xlarge')
    await page.getByText('Searching…').waitFor()
    await page.keyboard.press('Enter')
    expect(await page.getByRole('listbox', { name: 'Instance type' }).getByRole('option').count()).toBe(0)
    expect(new URL(page.url()).search).toBe('')
    await page.unrouteAll()
    await field.fill('')
  })

  test('results for another usage are loaded', async () => {
    const { page } = opened
    await visit(page, m5)
    const change = () => page.getByRole('slider', { name: 'Processor' }).fill('3')
    const old = 'table input[type=checkbox]'
    await checkUpdating(page, '/v1/comparisons', change, 'Comparing prices', old)
  })

  test('options are grouped by effort, without spot and other areas unless requested; totals are those of the service', async () => {
    const { page } = opened
    await visit(page, m5)
    await cards(page).waitFor()
    const { current, options } = await compare()
    const shown = options.filter(({ effort }) => effort !== 'spot')
    expect(options.length).toBe(shown.length + 1)
    const cheapest = (of: typeof shown) =>
      Math.min(...of.flatMap(({ offers }) => offers.map((offer) => offer.cost_per_month)))
    const [committed, onDemand] = [true, false].map((is) =>
      shown.filter(({ effort }) => (effort === 'commit') === is),
    )
    // The previous result, without usage, is shown until the answer arrives.
    await expect
      .poll(async () => dollars(await tile(page, 'Cheapest that fits').innerText()), soon)
      .toBeCloseTo(cheapest(onDemand!), 2)
    expect(await effortNames(page)).toHaveLength(shown.length)
    expect(await effortNames(page)).not.toContain('Spot')
    expect(dollars(await tile(page, 'Now').innerText())).toBeCloseTo(current.cost_per_month, 2)
    expect(dollars(await tile(page, 'With a commitment').innerText())).toBeCloseTo(cheapest(committed!), 2)
    expect(cheapest(committed!)).toBeLessThan(cheapest(onDemand!))
    const said = (label: string) => page.locator('.tile', { hasText: label }).innerText()
    expect(await said('Cheapest that fits')).toContain('per month on demand')
    expect(await said('With a commitment')).toContain('for 3 years')
    const rows = page.getByRole('region', { name: 'Candidates', exact: true })
    const count = shown.reduce((sum, { offers }) => sum + offers.length, 0)
    await rows.getByText(`${count} rows`).waitFor()
    // The least effort comes first, and the cheapest offer of each effort.
    const first = rows.locator('tbody tr').first()
    expect(await first.locator('a').innerText()).toBe(shown[0]!.offers[0]!.instance_type)

    await page.getByRole('button', { name: 'Show spot' }).click()
    await expect.poll(() => effortNames(page), soon).toContain('Spot')
    expect(await effortNames(page)).not.toContain('Anywhere')
    await page.getByRole('checkbox', { name: /Anywhere in the world/ }).check()
    await expect.poll(() => effortNames(page), soon).toContain('Anywhere')
    await checkAccessible(page)
  })

  test('a single effort can be listed, and the back button shows all again', async () => {
    const { page } = opened
    await visit(page, m5)
    // The previous result, for all areas, is shown until the answer arrives.
    await expect.poll(() => effortNames(page), soon).not.toContain('Anywhere')
    await page.locator('.compare-answer[aria-busy=false]').waitFor()
    const cheapest = await tile(page, 'Cheapest that fits').innerText()
    await cards(page)
      .getByRole('button', { name: /^Commitment/ })
      .click()
    const table = page.getByRole('table', { name: 'Candidates' })
    const others = table.locator('tbody tr').filter({ hasNotText: 'Reserved' })
    await expect.poll(() => others.count(), soon).toBe(0)
    expect(await tile(page, 'Cheapest that fits').innerText()).toBe(cheapest)
    await page.goBack()
    await expect.poll(() => others.count(), soon).toBeGreaterThan(0)
  })

  test('up to four are pinned side by side, by keyboard, and kept in the address', async () => {
    const { page } = opened
    await visit(page, m5)
    const pins = page.getByRole('table', { name: 'Candidates' }).getByRole('checkbox')
    await pins.first().waitFor()
    for (let i = 0; i < 4; i++) {
      await pins.nth(i).focus()
      await page.keyboard.press('Space')
      await expect.poll(() => pins.nth(i).isChecked(), soon).toBe(true)
    }
    expect(await pins.nth(4).isDisabled()).toBe(true)
    const side = page.getByRole('table', { name: 'Side by side' })
    expect(await side.locator('thead th').count()).toBe(6)
    expect(new URL(page.url()).searchParams.getAll('pin')).toHaveLength(4)
    await checkAccessible(page)
    await side
      .getByRole('button', { name: /^Unpin/ })
      .first()
      .click()
    await expect.poll(() => side.locator('thead th').count(), soon).toBe(5)
  })
})

describe('instance types', () => {
  test('filtered and sorted by the service', async () => {
    const { page } = opened
    await visit(page, '/console/prices/types?provider=gcp&min_cores=8&sort=-speed')
    const query = 'provider=gcp&min_cores=8&sort=-speed&limit=50'
    const listed = (await bench.service.request(`/v1/instance_types?${query}`)).json as {
      instance_type: string
    }[]
    const names = page.getByRole('table', { name: 'Instance types' }).locator('tbody tr a')
    await names.first().waitFor()
    expect(await names.allInnerTexts()).toEqual(listed.map((type) => type.instance_type))
    await page.getByRole('button', { name: 'Load more' }).click()
    await expect.poll(() => names.count(), soon).toBeGreaterThan(50)
    await page.getByRole('textbox', { name: 'Name' }).fill('c3-standard')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => (await names.allInnerTexts()).every((name) => name.includes('c3-standard')), soon)
      .toBe(true)
    await page.getByRole('textbox', { name: 'Name' }).fill('nothing-is-named-so')
    await page.keyboard.press('Enter')
    await page.getByText('No type matches these filters').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await names.first().waitFor()
  })

  test('on a small laptop names of types are whole, and their sizes are shown', async () => {
    const { page } = opened
    await page.setViewportSize({ width: 1024, height: 768 })
    await visit(page, '/console/prices/types?provider=azure')
    const table = page.getByRole('table', { name: 'Instance types' })
    await table.getByRole('link', { name: 'Standard_B2pts_v2' }).waitFor()
    await page.getByRole('columnheader', { name: 'Memory' }).waitFor()
    const cut = table
      .getByRole('link')
      .evaluateAll((links) =>
        links
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map((link) => link.textContent),
      )
    expect(await cut).toEqual([])
    await checkFits(page)
    await page.setViewportSize({ width: 1280, height: 860 })
  })

  test('types of another filter are loaded', async () => {
    const { page } = opened
    await visit(page, '/console/prices/types')
    const change = () => page.getByRole('combobox', { name: 'Provider' }).selectOption('gcp')
    const old = '.table-card tbody a'
    await checkUpdating(page, '/v1/instance_types', change, 'Loading instance types', old)
  })

  test('one type: prices of all its regions as bars, and what is cheaper in the region chosen', async () => {
    const { page } = opened
    await visit(page, '/console/prices/types/aws/m5.xlarge')
    const bars = page.locator('.bar-row')
    await bars.first().waitFor()
    const { prices } = (await bench.service.request('/v1/instance_types/aws/m5.xlarge')).json as {
      prices: { region: string; operating_system: string; usage_type: string; cost_per_hour: number }[]
    }
    const onDemand = prices.filter(
      (price) => price.operating_system === 'Linux' && price.usage_type === 'ONDEMAND',
    )
    expect(await bars.count()).toBe(onDemand.length)
    const shown = dollars(await bars.filter({ hasText: 'sa-east-1' }).innerText())
    const own = onDemand.find(({ region }) => region === 'sa-east-1')!
    expect(shown).toBeCloseTo(own.cost_per_hour * 730, 1)
    await bars.filter({ hasText: 'eu-west-1' }).click()
    await page.getByText('Compared with its on-demand price in eu-west-1.').waitFor()
    await page.getByRole('heading', { name: 'Price history in eu-west-1' }).waitFor()
    await page.getByRole('link', { name: 'Compare this machine' }).click()
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Region' }).inputValue(), soon)
      .toBe('eu-west-1')
  })

  test('an unknown type is reported with similar known types', async () => {
    const { page } = opened
    await visit(page, '/console/prices/types/aws/m5.huge')
    await page
      .getByText(/m5\.large/)
      .first()
      .waitFor()
    await checkAccessible(page)
  })
})
