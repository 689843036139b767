import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { checkAccessible, picture, soon, visit } from './console.ts'
import { type Check, requestedCores, rows } from './gateway.case.ts'

// The accepted risk as a number, on the data of organisations-fixture.ts.

export const checkRisk: readonly Check[] = [
  [
    'a risk as a number: sizes and the manifest follow it, it stays on the way back, and empty is the profile’s own',
    async (page) => {
      await visit(page, '/console/namespaces/prod/shop?profile=safe&container=Deployment/web/app')
      await page.getByRole('table', { name: 'Containers' }).waitFor()
      const safe = await requestedCores(page)
      await chooseRisk(page, '10')
      await expect.poll(() => requestedCores(page), soon).toBeLessThan(safe)
      expect(page.url()).toContain('risk=0.1')
      expect(await page.getByRole('radio', { name: 'Safe' }).isChecked()).toBe(false)
      const loose = await requestedCores(page)
      const manifest = page.locator('section', { hasText: 'Export' }).locator('pre')
      const looseManifest = await manifest.innerText()
      await chooseRisk(page, '0.05')
      await expect.poll(() => requestedCores(page), soon).toBeGreaterThan(loose)
      await expect.poll(() => manifest.innerText(), soon).not.toBe(looseManifest)
      expect(page.url()).toContain('risk=0.0005')
      await page.getByText('Results of each estimator').click()
      const decided = rows(page, 'Estimators').filter({ hasText: 'decided' })
      await expect.poll(() => decided.first().innerText(), soon).toMatch(/^Risk\s/)

      await page.getByRole('link', { name: 'Workloads' }).last().click()
      await page.getByRole('table', { name: 'Namespaces' }).waitFor()
      await page.getByText('Risk 0.05%').waitFor()
      const then = () =>
        page.locator('.tile', { hasText: 'At the recommended size' }).locator('b').innerText()
      const strict = await then()
      await chooseRisk(page, '')
      await expect.poll(() => page.url(), soon).not.toContain('risk')
      expect(await page.getByRole('radio', { name: 'Safe' }).isChecked()).toBe(true)
      await page.goBack()
      await page.getByText('Risk 0.05%').waitFor()
      await expect.poll(then, soon).toBe(strict)
      await page.getByRole('radio', { name: 'Cost' }).check()
      await expect.poll(() => page.url(), soon).toMatch(/\?profile=cost$/)
    },
  ],
  [
    'an invalid risk is reported at the field, and if the service refuses it, the page offers a way on',
    async (page) => {
      await visit(page, '/console/namespaces')
      await chooseRisk(page, '140')
      await page.getByRole('alert').getByText('Enter a number from 0 to 100').waitFor()
      await checkAccessible(page)
      await picture(page, 'risk-wrong', 'window')
      await page.keyboard.press('Escape')
      expect(page.url()).not.toContain('risk')
      expect(await page.getByRole('table', { name: 'Namespaces' }).count()).toBe(1)
      for (const [path, said] of [
        ['?risk=1.4', /risk of 140%.*must be <= 1/s],
        ['?risk=much', /at this risk.*must be number/s],
        ['?risk=0.01&profile=vpa', /risk of 1%.*is not used by the policy vpa/s],
        ['/prod/shop?risk=-1', /risk of -100%.*must be >= 0/s],
      ] as const) {
        await visit(page, `/console/namespaces${path}`)
        await expect.poll(() => page.getByRole('alert').innerText(), soon).toMatch(said)
        await checkAccessible(page)
      }
      await picture(page, 'risk-refused', 'window')
      await page.getByRole('button', { name: 'Remove the risk' }).click()
      await page.getByRole('table', { name: 'Containers' }).waitFor()
    },
  ],
]

/** Enters a risk in percent; empty selects that of the profile. */
async function chooseRisk(page: Page, percent: string): Promise<void> {
  await openRisk(page)
  await page.getByRole('spinbutton', { name: 'Accepted risk' }).fill(percent)
  await page.keyboard.press('Enter')
}

const openRisk = (page: Page) => page.locator('summary', { hasText: 'Risk' }).click()
