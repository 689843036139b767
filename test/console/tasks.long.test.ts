import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { eventually } from '../service.ts'
import { type Bench, type OpenConsole, soon, startBench, test, visit } from './console.ts'

// What people come for, on the demo data, each with its number of clicks from the overview. Typing is no click; choosing from
// a list is one.

let bench: Bench
let opened: OpenConsole
beforeAll(async () => {
  bench = await startBench()
  await loadDemo()
  const scopes = ['pricing:read', 'gateway:read', 'gateway:write', 'marketplace:write', 'admin']
  const { key } = await bench.newKey('cheapside-demo', scopes)
  opened = await bench.open('/', key, { viewport: { width: 1440, height: 900 } })
})
afterAll(() => bench?.stop())

async function loadDemo(): Promise<string> {
  const { json } = await bench.service.request('/admin/demo', { method: 'POST' })
  await eventually(async () => (await bench.service.request('/admin/demo')).json.loaded_until !== null)
  return json.key
}

interface Hands {
  readonly page: Page
  readonly click: (where: Locator) => Promise<void>
  readonly choose: (where: Locator, option: string) => Promise<void>
  readonly menu: (name: string) => Promise<void>
}

function task(name: string, maxClicks: number, work: (hands: Hands) => Promise<void>) {
  test(`${name}: at most ${maxClicks} clicks`, async () => {
    const { page } = opened
    await visit(page, '/console/overview')
    await page.getByRole('heading', { name: 'Spend by cluster' }).waitFor()
    let clicks = 0
    const click = async (where: Locator) => {
      clicks++
      await where.click()
    }
    const choose = async (where: Locator, option: string) => {
      clicks++
      await where.selectOption(option)
    }
    const menu = (to: string) => click(page.locator('#menu').getByRole('link', { name: to, exact: true }))
    await work({ page, click, choose, menu })
    expect(clicks).toBeLessThanOrEqual(maxClicks)
  })
}

task('where a machine would cost less', 3, async ({ page, menu }) => {
  await menu('Compare')
  await page.getByRole('combobox', { name: 'Instance type' }).fill('m5.xlarge')
  await page.getByRole('option', { name: /^m5\.xlarge/ }).waitFor()
  await page.keyboard.press('Enter')
  await page
    .locator('.tile', { hasText: 'Saves' })
    .getByText(/per month: another/)
    .waitFor()
})

task('a key that may only read', 3, async ({ page, click, menu }) => {
  await menu('Keys')
  await click(page.getByRole('button', { name: 'Issue a key' }))
  await page.getByLabel('Name', { exact: true }).fill('report')
  await click(page.getByRole('button', { name: 'Issue the key' }))
  await page.getByRole('button', { name: 'I have saved it' }).click()
})

task('what a plan will cost', 3, async ({ page, menu }) => {
  await menu('Reviews')
  await page
    .getByLabel('Plan file')
    .setInputFiles(join(import.meta.dirname, '../../examples/terraform/plan.json'))
  await page.locator('.tile').first().waitFor()
})

task('the largest savings', 3, async ({ page, menu }) => {
  await menu('Recommendations')
  await page.getByText('Run cluster production on').waitFor()
})

task('why a container should be smaller', 3, async ({ page, click, menu }) => {
  await menu('Recommendations')
  await click(page.getByRole('link', { name: /^web: CPU/ }).first())
  await page
    .getByLabel('The open recommendation')
    .getByText(/p95|p99|peak/)
    .first()
    .waitFor()
})

task('a patch for one container', 3, async ({ page, click, menu }) => {
  await menu('Recommendations')
  await click(page.getByRole('link', { name: /^web: CPU/ }).first())
  const download = page.waitForEvent('download')
  await click(page.getByLabel('The open recommendation').getByRole('button', { name: /Patch/ }))
  expect((await download).suggestedFilename()).toMatch(/\.yaml$/)
})

task('what each team costs', 3, async ({ page, choose, menu }) => {
  await menu('Costs')
  await choose(page.getByLabel('Group by'), 'label:team')
  await page.getByRole('table', { name: 'Costs' }).getByText('storefront').waitFor()
})

task('a discount', 4, async ({ page, click, menu }) => {
  await menu('Settings')
  await click(page.getByRole('button', { name: 'Add a price rule' }))
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Agreement')
  await dialog.getByLabel('Percent off').fill('12')
  await click(dialog.getByRole('button', { name: 'Preview' }))
  await click(dialog.getByRole('button', { name: 'Save' }))
  await page.getByText('12% off everything').waitFor()
})

task('a safer profile for production', 4, async ({ page, click, choose, menu }) => {
  await menu('Settings')
  await click(page.getByRole('button', { name: 'Add a sizing rule' }))
  const dialog = page.getByRole('dialog')
  await choose(dialog.getByRole('combobox', { name: /^Profile/ }), 'safe')
  await dialog.getByLabel('Cluster').fill('production')
  await page.keyboard.press('Enter')
  await dialog.getByText(/containers would get another size/).waitFor()
  await click(dialog.getByRole('button', { name: 'Save' }))
  await page.getByText('safe profile').waitFor()
})

task('which nodes to change to what', 4, async ({ page, click }) => {
  await click(page.getByLabel('Spend by cluster').getByRole('link', { name: 'production' }))
  await page.getByText('Plan in the same region').waitFor()
  await expect.poll(() => page.locator('.node-box').count(), soon).toBeGreaterThan(10)
})

test('the demo can be removed and loaded again, whole', async () => {
  await bench.service.request('/admin/demo', { method: 'DELETE' })
  const key = await loadDemo()
  const rows: { cluster: string | null }[] = (
    await bench.service.request('/v1/costs?group_by=cluster', { key })
  ).json
  expect(new Set(rows.map(({ cluster }) => cluster))).toEqual(new Set(['production', 'staging', null]))
})
