import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { visit } from './console.ts'
import type { Organisation } from './organisations-fixture.ts'
import { waitForAll } from './page-list.ts'

export type OpenDialog = readonly [
  name: string,
  of: Organisation,
  path: string,
  open: (page: Page) => Promise<void>,
]

const press = (name: RegExp | string) => (page: Page) =>
  page.locator('main').getByRole('button', { name }).first().click()
const summary = (text: string) => (page: Page) => page.locator('summary', { hasText: text }).first().click()
const decide = (button: string) => async (page: Page) => {
  await page
    .getByRole('checkbox', { name: /^Resize/ })
    .first()
    .check()
  await page.getByRole('button', { name: button }).click()
}

/** All dialogs and menus that open over a page. Opening them changes nothing. */
export const dialogs: readonly OpenDialog[] = [
  ['finder', 'demo', '/console/overview', find],
  ['bar-cluster', 'demo', '/console/overview', summary('All clusters')],
  ['bar-dates', 'demo', '/console/overview', summary('Last 14 days')],
  ['bar-views', 'demo', '/console/overview', summary('Views')],
  ['snooze', 'demo', '/console/recommendations', decide('Snooze…')],
  ['dismiss', 'demo', '/console/recommendations', decide('Dismiss…')],
  ['risk', 'demo', '/console/workloads?risk=0.0125', summary('Risk')],
  [
    'history',
    'small',
    '/console/prices/compare?history=aws|us-east-1|m5.xlarge|Linux|ONDEMAND',
    (page) => page.getByText('No change is known').waitFor(),
  ],
  ['upload', 'small', '/console/prices/yours', press('Upload prices')],
  ['remove', 'small', '/console/prices/yours/our-cellar', press('Remove')],
  ['rule', 'small', '/console/settings', press('Add a sizing rule')],
  ['price-rule', 'small', '/console/settings', press('Add a price rule')],
  ['issue', 'small', '/console/settings/keys', press('Issue a key')],
  ['rotate', 'small', '/console/settings/keys', press(/^Rotate/)],
  ['revoke', 'small', '/console/settings/keys', press(/^Revoke/)],
]

async function find(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  // Typed, not filled in, so that the field must have the focus.
  await page.getByRole('combobox').waitFor()
  await page.keyboard.type('pay')
  await page.getByRole('option').first().waitFor()
}

/** Opens a dialog after its page has loaded completely. */
export async function openDialog(page: Page, [, , path, open]: OpenDialog): Promise<void> {
  await visit(page, path)
  await page.locator('main h1').first().waitFor()
  await waitForAll(page)
  await open(page)
  await page.locator(opened).last().waitFor()
}

const opened = 'dialog[open], details.popover[open] .popover-body, details[open] > form'

/** Checks that the dialog is inside the window, and its buttons too, if necessary after scrolling. */
export async function checkInWindow(page: Page): Promise<void> {
  const { width, height } = page.viewportSize()!
  const box = (await page.locator(opened).last().boundingBox())!
  expect(box.x).toBeGreaterThanOrEqual(0)
  expect(box.y).toBeGreaterThanOrEqual(0)
  expect(box.x + box.width).toBeLessThanOrEqual(width)
  if (await page.locator('dialog[open]').isVisible()) expect(box.y + box.height).toBeLessThanOrEqual(height)
  for (const button of await page.locator(opened).last().getByRole('button').all()) {
    await button.scrollIntoViewIfNeeded()
    const at = (await button.boundingBox())!
    expect(at.x).toBeGreaterThanOrEqual(box.x)
    expect(at.x + at.width).toBeLessThanOrEqual(box.x + box.width)
  }
}
