import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Bench, checkAccessible, type OpenConsole, picture, startBench } from './console.ts'

let bench: Bench
let opened: OpenConsole[] = []
beforeAll(async () => {
  bench = await startBench()
})
afterEach(async () => {
  for (const each of opened) {
    expect(each.complaints).toEqual([])
    await each.close()
  }
  opened = []
})
afterAll(() => bench.stop())

async function open(path: string, key: string | undefined = bench.service.key): Promise<Page> {
  const console = await bench.open(path, key)
  opened.push(console)
  return console.page
}
const soon = { timeout: 20_000 }
const everything = ['pricing:read', 'marketplace:write', 'gateway:read', 'usage:write']
const m5 = '/console/compare?provider=aws&type=m5.xlarge&region=us-east-1'
const saves = (page: Page) => page.locator('.tile', { hasText: 'Saves' }).locator('b')

describe('compare', () => {
  test('search by keyboard, slide, see savings, go back, copy as curl and run it', async () => {
    const page = await open('/')
    await page.getByRole('combobox', { name: 'Instance type' }).click()
    await page.keyboard.type('m5.xl')
    await page.getByRole('option', { name: /^m5\.xlarge/ }).waitFor()
    await picture(page, 'compare-searching')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Region' }).selectOption('us-east-1')
    await page.getByText('$0.1920/h').waitFor()
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
    const answer = await bench.service.request('/recommendations', { body: JSON.parse(body!) })
    const [, first] = Object.entries<{ savings: { percentage: number } }[]>(answer.json)[1]!
    const shown = Number.parseFloat((await saves(page).textContent())!)
    expect(Math.abs(first[0]!.savings.percentage - shown)).toBeLessThan(0.06)

    await page.goBack()
    await page.goBack()
    await expect.poll(() => page.getByRole('slider', { name: 'Processor' }).inputValue(), soon).toBe('4')
  })

  test('limits: by provider and by how it is paid; what is sent to a friend looks the same', async () => {
    const page = await open(m5)
    await page.getByText('Price against size').waitFor()
    await page.locator('.field', { hasText: 'Provider' }).locator('summary').click()
    await page.getByRole('checkbox', { name: 'Hetzner' }).check()
    await page.keyboard.press('Escape')
    const table = page.getByRole('table', { name: 'Candidates' })
    await expect.poll(() => table.getByText('GCP').count(), soon).toBe(0)
    expect(await table.getByText(/Hetzner/).count()).toBeGreaterThan(3)
    const friend = await open(page.url().slice(bench.service.url.length))
    const rows = (of: Page) => of.getByRole('table', { name: 'Candidates' }).locator('tbody').innerText()
    await friend.getByText('Price against size').waitFor()
    expect(await rows(friend)).toBe(await rows(page))
  })

  test('a size of one’s own; nothing cheaper is said plainly; an unknown type too', async () => {
    const page = await open('/console/compare?vcpus=2&gib=4')
    await page.getByText('Price against size').waitFor()
    expect(await page.locator('.tile').first().innerText()).toContain('Base')
    const nothing = await open(`${m5}&in-region=nowhere`)
    await nothing.getByText('Nothing costs less').waitFor()
    const unknown = await open('/console/compare?provider=aws&type=m5.huge&region=us-east-1')
    await unknown.getByText('No price list has a type named “m5.huge”').waitFor()
  })
})

test('tables sort, filter, page and export what is found', async () => {
  const page = await open(m5)
  const table = page.getByRole('table', { name: 'Candidates' })
  const first = () => table.locator('tbody tr').first().innerText()
  await table.waitFor()
  const cheapest = await first()
  await table.getByRole('button', { name: 'Per hour' }).click()
  await expect.poll(first, soon).not.toBe(cheapest)
  await page.goBack()
  await expect.poll(first, soon).toBe(cheapest)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText(/^21–40 of/).waitFor()
  await page.getByRole('searchbox', { name: 'Filter Candidates' }).fill('spot aws')
  await expect.poll(() => table.locator('tbody tr', { hasText: 'GCP' }).count(), soon).toBe(0)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('.table-card').getByRole('button', { name: 'CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('cheapside-candidates.csv')
  const [header, ...lines] = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(header).toBe('Type,Provider,Region,Paid as,Cores,Memory,Per hour,Saves,Saves a year,Price of')
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).toMatch(/,AWS,.*,Spot,/)
})

test('marketplace: faults before anything is sent, then registered, compared with, removed', async () => {
  const { key } = await bench.newKey('sellers', everything)
  const page = await open('/console/marketplace', key)
  const upload = async (text: string) =>
    page.getByLabel('CSV file').setInputFiles({
      name: 'prices.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(text),
    })
  const asked: string[] = []
  page.on('request', (request) => request.method() === 'POST' && asked.push(request.url()))
  await page.getByRole('button', { name: 'Upload prices' }).click()
  await page.getByLabel('Provider name').fill('our-cellar')
  const header = 'instance_type,region,cpu_cores,ram_gb,cost_per_hour\n'
  await upload(`${header}snug-2,cellar,2,4,0.001\nroomy-8,cellar,none,32,-1\n`)
  await page.getByText('2 faults: nothing would be registered').waitFor()
  await checkAccessible(page)
  await picture(page, 'marketplace-faults')
  expect(await page.getByRole('region', { name: 'Faults of the file' }).innerText()).toMatch(
    /3\s+cost_per_hour\s+must not be negative\s+3\s+cpu_cores\s+must be a number/,
  )
  expect(await page.getByRole('button', { name: 'Register' }).isDisabled()).toBe(true)
  await upload(`${header}snug-2,cellar,2,4,0.001\nroomy-8,cellar,8,32,0.002\n`)
  expect(asked).toEqual([])
  await page.getByRole('button', { name: 'Register 2 prices' }).click()
  await page.getByText('2 prices are registered.').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'our-cellar' }).click()
  await page.getByText('snug-2').waitFor()

  const compare = await open(m5, key)
  await expect
    .poll(() => compare.locator('.tile', { hasText: 'Cheapest that fits' }).innerText(), soon)
    .toContain('roomy-8')

  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove our-cellar' }).click()
  await page.getByText('No prices of your own yet').waitFor()
})

test('keys: issue, show once, rotate, revoke', async () => {
  const page = await open('/console/keys')
  await page.getByRole('button', { name: 'Issue a key' }).click()
  await page.getByRole('textbox', { name: 'Organisation' }).fill('gardeners')
  await page.getByLabel('What it is for').fill('greenhouse')
  await checkAccessible(page)
  await picture(page, 'keys-issue')
  await page.getByRole('button', { name: 'Issue the key' }).click()
  const secret = page.getByRole('dialog', { name: 'The new key' })
  const first = (await secret.locator('code').textContent())!
  await picture(page, 'keys-secret')
  expect((await bench.service.request('/key', { key: first })).json).toMatchObject({
    organisation: 'gardeners',
    scopes: ['pricing:read', 'gateway:read'],
  })
  await secret.getByRole('button', { name: 'I have kept it' }).click()
  await expect.poll(() => page.content(), soon).not.toContain(first)

  await page.getByRole('button', { name: 'Rotate greenhouse' }).click()
  await page.getByLabel('The old key stays good').selectOption('0')
  await page.getByRole('button', { name: 'Rotate the key' }).click()
  const second = (await secret.locator('code').textContent())!
  await secret.getByRole('button', { name: 'I have kept it' }).click()
  expect((await bench.service.request('/key', { key: first })).status).toBe(401)

  await page.getByRole('button', { name: 'Revoke greenhouse' }).click()
  await page.getByRole('button', { name: 'Revoke the key' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect((await bench.service.request('/key', { key: second })).status).toBe(401)
})
