import type { Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { picture, soon } from './console.ts'

/**
 * Checks that figures of the previous choice are marked as such, and cannot be selected, while the answer to a change
 * is awaited.
 */
export async function checkUpdating(
  page: Page,
  path: string,
  change: () => Promise<unknown>,
  label: string,
  /** An element that belongs to the old answer, and can be selected otherwise. */
  old: string,
): Promise<void> {
  const held: Route[] = []
  let isHeld = true
  const isAsked = ({ pathname }: URL) => pathname === path
  const hold = (route: Route) => (isHeld ? void held.push(route) : route.continue())
  const busy = page.locator('[aria-busy=true][inert]')
  await expect.poll(() => page.locator(old).count(), soon).toBeGreaterThan(0)
  await expect.poll(() => busy.count(), soon).toBe(0)
  await page.route(isAsked, hold)
  await change()
  await page.getByRole('status').getByText(`${label}…`).waitFor()
  const element = page.locator(old).first()
  expect(await busy.filter({ has: element }).count()).toBe(1)
  expect(
    await element.evaluate((of: { focus(): void; matches(selector: string): boolean }) => {
      of.focus()
      return of.matches(':focus')
    }),
  ).toBe(false)
  const opacity = () =>
    page.evaluate("Number(getComputedStyle(document.querySelector('[aria-busy=true][inert]')).opacity)")
  await expect.poll(opacity, soon).toBeLessThan(0.6)
  await picture(page, `updating-${path.split('/').at(-1)}`, 'window')
  isHeld = false
  for (const route of held) await route.continue()
  await expect.poll(() => busy.count(), soon).toBe(0)
  await page.unroute(isAsked, hold)
  expect(await page.getByText(`${label}…`).count()).toBe(0)
}
