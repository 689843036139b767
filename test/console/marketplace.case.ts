import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { checkInBothThemes, soon, visit } from './console.ts'

/** Own prices: faults are reported before anything is sent, then prices are registered, compared and removed. */
export async function checkMarketplace(page: Page): Promise<void> {
  await visit(page, '/console/marketplace')
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
  await page.getByText('2 errors: nothing would be registered').waitFor()
  await checkInBothThemes(page, 'marketplace-faults')
  expect(await page.getByRole('region', { name: 'Errors in the file' }).innerText()).toMatch(
    /3\s+cost_per_hour\s+must not be negative\s+3\s+cpu_cores\s+must be a number/,
  )
  expect(await page.getByRole('button', { name: 'Register' }).isDisabled()).toBe(true)
  await Promise.all([page.waitForEvent('filechooser'), page.getByLabel('CSV file').click()])
  // Otherwise the browser would report no change if the same file is chosen again.
  expect(await page.getByLabel('CSV file').inputValue()).toBe('')
  await upload(`${header}snug-2,cellar,2,4,0.001\nroomy-8,cellar,8,32,0.002\n`)
  expect(asked).toEqual([])
  await page.getByRole('button', { name: 'Register 2 prices' }).click()
  await page.getByText('2 prices are registered.').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'our-cellar' }).click()
  await page.getByText('snug-2').waitFor()

  await visit(page, '/console/compare?provider=aws&type=m5.xlarge&region=us-east-1')
  const best = page.locator('.tile', { hasText: 'Cheapest that fits' })
  await expect.poll(() => best.innerText(), soon).toContain('roomy-8')
  expect(
    await page.getByRole('table', { name: 'Candidates' }).getByText('roomy-8', { exact: true }).count(),
  ).toBe(1)
  await visit(page, '/console/marketplace/our-cellar')
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove our-cellar' }).waitFor()
  await checkInBothThemes(page, 'marketplace-remove')
  await page.getByRole('button', { name: 'Remove our-cellar' }).click()
  await page.getByText('You have not uploaded prices').waitFor()
}

/** If registering the second of two providers fails, the first is listed. */
export async function checkHalfUpload(page: Page): Promise<void> {
  await visit(page, '/console/marketplace')
  const isList = ({ pathname }: URL) => pathname === '/marketplace/providers'
  await page.route(isList, (route) =>
    route.request().postData()?.includes('second') ? route.fulfill({ status: 500 }) : route.continue(),
  )
  await page.getByRole('button', { name: 'Upload prices' }).click()
  await page.getByLabel('CSV file').setInputFiles({
    name: 'prices.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'provider,instance_type,region,cpu_cores,ram_gb,cost_per_hour\nfirst,a,r,1,1,1\nsecond,a,r,1,1,1\n',
    ),
  })
  await page.getByRole('button', { name: 'Register 2 prices' }).click()
  await page.getByText('The service answered with status 500.').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.unroute(isList)
  await page.getByRole('link', { name: 'first' }).waitFor()
  expect(await page.getByRole('link', { name: 'second' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Remove first' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove first' }).click()
  await page.getByText('You have not uploaded prices').waitFor()
}
