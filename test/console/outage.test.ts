import { expect } from 'vitest'
import { test } from './console.ts'
import { holdCode, outageBench } from './outage.case.ts'

const outages = outageBench()

test('while the service is down, pages keep their data; a page whose code is missing loads when it is back', async () => {
  const { page, signIn, close } = await outages.bench().open('/console/prices/catalogue')
  const quarantined = page.getByRole('heading', { name: 'Quarantined prices' })
  const release = await holdCode(page)
  await signIn(outages.bench().service.key)
  await quarantined.waitFor()
  await outages.kill()
  await release()
  await page.getByRole('link', { name: 'Your prices' }).click()
  const banner = page.locator('.away')
  await banner.getByText('The service is not reachable.').waitFor()
  await outages.startAgain()
  await page.getByText('You have not uploaded prices').waitFor()
  await banner.waitFor({ state: 'hidden' })
  expect(await page.getByText('This page cannot be shown').count()).toBe(0)
  await close()
})
