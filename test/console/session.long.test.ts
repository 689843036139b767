import type { Route } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Bench, signIn, soon, startBench, test } from './console.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench?.stop())

test.each([
  ['answers with an error', (route: Route) => route.fulfill({ status: 500 })],
  ['does not answer', (route: Route) => route.abort()],
])('signing out lasts if the service %s, and is repeated until it succeeds', async (_, fail) => {
  const { page, close } = await bench.open('/console/prices/catalogue', bench.service.key)
  const tab = await page.context().newPage()
  await tab.goto(`${bench.service.url}/console/prices/catalogue`)
  await tab.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor()
  const isSession = ({ pathname }: URL) => pathname === '/v1/session'
  let failures = 0
  await page.context().route(isSession, (route) => {
    failures++
    return fail(route)
  })
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('API key').waitFor()
  await expect.poll(() => failures, soon).toBeGreaterThan(1)
  expect(await page.context().cookies()).toHaveLength(1)
  await page.evaluate("dispatchEvent(new Event('focus'))")
  await page.reload()
  await page.getByLabel('API key').waitFor()
  await tab.evaluate("dispatchEvent(new Event('focus'))")
  await tab.getByLabel('API key').waitFor()
  await page.context().unroute(isSession)
  await expect.poll(() => page.context().cookies(), soon).toEqual([])
  expect(await page.getByLabel('API key').isVisible()).toBe(true)
  await signIn(page, bench.service.key)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor()
  await close()
})
