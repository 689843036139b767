import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { RunningService } from '../service.ts'
import { checkInBothThemes, soon, visit } from './console.ts'

/** Issues, shows, rotates and revokes a key, and checks after each step that the service agrees. */
export async function checkKeys(page: Page, service: RunningService): Promise<void> {
  await visit(page, '/console/keys')
  await page.getByRole('button', { name: 'Issue a key' }).click()
  await page.getByRole('combobox', { name: 'Organisation' }).selectOption('A new organisation…')
  await page.getByRole('textbox', { name: 'New organisation' }).fill('gardeners')
  await page.getByLabel('Name', { exact: true }).fill('greenhouse')
  await checkInBothThemes(page, 'keys-issue')
  await page.getByRole('button', { name: 'Issue the key' }).click()
  const secret = page.getByRole('dialog', { name: 'The new key' })
  const first = (await secret.locator('code').textContent())!
  await checkInBothThemes(page, 'keys-secret')
  expect((await service.request('/key', { key: first })).json).toMatchObject({
    organisation: 'gardeners',
    scopes: ['pricing:read', 'gateway:read'],
  })
  await secret.getByRole('button', { name: 'I have saved it' }).click()
  await expect.poll(() => page.content(), soon).not.toContain(first)

  await page.getByRole('button', { name: 'Rotate greenhouse' }).click()
  await page.getByLabel('The old key stays valid').selectOption('0')
  await checkInBothThemes(page, 'keys-rotate')
  await page.getByRole('button', { name: 'Rotate the key' }).click()
  const second = (await secret.locator('code').textContent())!
  await secret.getByRole('button', { name: 'I have saved it' }).click()
  expect((await service.request('/key', { key: first })).status).toBe(401)

  await page.getByRole('button', { name: 'Revoke greenhouse' }).click()
  await page.getByRole('button', { name: 'Revoke the key' }).waitFor()
  await checkInBothThemes(page, 'keys-revoke')
  await page.route('**/revoke', (route) => route.fulfill(failed))
  await page.getByRole('button', { name: 'Revoke the key' }).click()
  await page.getByText(failed.json.detail).waitFor()
  await checkInBothThemes(page, 'keys-revoke-failed')
  await page.unroute('**/revoke')
  await page.getByRole('button', { name: 'Revoke the key' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect((await service.request('/key', { key: second })).status).toBe(401)
}

const failed = {
  status: 500,
  contentType: 'application/problem+json',
  json: { title: 'Internal error', status: 500, detail: 'Something went wrong inside.', code: 'internal' },
}
