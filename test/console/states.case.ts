import type { Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { checkAccessible, checkFits, picture, soon, visit } from './console.ts'
import { type ListedPage, visitWhole } from './page-list.ts'

const detail = 'Something went wrong inside.'
const failed = {
  status: 500,
  contentType: 'application/problem+json',
  json: { title: 'Internal error', status: 500, detail, code: 'internal', request_id: 'req-7' },
}

/** Requests for data. Those of the session are not intercepted, so that only the page fails. */
const isData = ({ pathname }: URL): boolean =>
  !pathname.startsWith('/console') && pathname !== '/' && pathname !== '/key'

/** Placeholders fade in after a moment, so that fast answers do not flicker. */
const stillAppearing =
  "document.getAnimations().filter(({ animationName, playState }) => animationName === 'appear' && playState === 'running').length"

const maxParts = 12

/** Checks that a page shows placeholders while it waits, an error if a request fails, and all data after a retry. */
export async function checkStates(page: Page, listed: ListedPage): Promise<void> {
  const held: Route[] = []
  let fails = false
  const answer = (route: Route) => (fails ? route.fulfill(failed) : void held.push(route))
  await page.route(isData, answer)
  await visit(page, '/console/nowhere')
  await page.reload()
  await visit(page, listed.path)
  await page.locator('main h1').first().waitFor()
  await page.locator('main').getByRole('status').first().waitFor()
  await expect.poll(() => page.evaluate(stillAppearing), soon).toBe(0)
  await picture(page, `${listed.name}-loading`, 'window')
  fails = true
  for (const route of held.splice(0)) await route.fulfill(failed)
  await page.locator('main').getByText(detail).first().waitFor()
  await expect.poll(() => page.locator('main').getByRole('status').count(), soon).toBe(0)
  await checkAccessible(page)
  await checkFits(page)
  await picture(page, `${listed.name}-failed`, 'window')
  await page.unroute(isData, answer)
  // Each part of a page has its own retry. When the page is shown after a retry, some of its parts may have failed too.
  const again = page.locator('main').getByRole('button', { name: 'Try again' })
  for (let asked = 0; (await again.count()) > 0; asked++) {
    expect(asked).toBeLessThan(maxParts)
    const button = await again.first().elementHandle()
    await button!.click()
    await expect.poll(() => button!.evaluate((element) => element.isConnected), soon).toBe(false)
  }
  await visitWhole(page, listed)
}
