import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { downloadedText, soon, visit } from './console.ts'

// What people do with namespaces and machines, on the data of organisations-fixture.ts.

export type Check = readonly [what: string, check: (page: Page) => Promise<void>]

export const requestedCores = async (page: Page) =>
  parseFloat(await page.locator('.tile', { hasText: 'CPU requested' }).locator('b').innerText())
export const rows = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).locator('tbody tr')

export const checkNamespaces: readonly Check[] = [
  [
    'current and new spend, sorted; a namespace opened, a container chosen, the manifest exported',
    async (page) => {
      await visit(page, '/console/namespaces')
      const table = page.getByRole('table', { name: 'Namespaces' })
      await table.getByRole('button', { name: 'Namespace' }).click()
      await expect.poll(() => rows(page, 'Namespaces').first().innerText(), soon).toContain('orders/eu')
      await table.getByRole('button', { name: 'Namespace' }).click()
      await expect.poll(() => rows(page, 'Namespaces').first().innerText(), soon).toContain('shop')
      await table.getByRole('link', { name: 'shop' }).click()

      await rows(page, 'Containers').filter({ hasText: 'db' }).getByRole('button').click()
      const view = page.getByRole('region', { name: /^db StatefulSet/ })
      await view.getByText('Request recommended').first().waitFor()
      const bars = view.getByRole('img', { name: 'CPU: distribution of usage' }).locator('.spread-bar')
      expect(await bars.count()).toBeGreaterThan(0)
      expect(await view.getByText('0.5 cores', { exact: true }).count()).toBeGreaterThan(0)
      expect(page.url()).toContain('container=StatefulSet')

      await page.getByRole('radio', { name: 'Autoscaler' }).check()
      await page.getByText('kind: VerticalPodAutoscaler').waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download' }).click(),
      ])
      expect(download.suggestedFilename()).toBe('shop-vpa.yaml')
      expect(await downloadedText(download)).toContain('kind: VerticalPodAutoscaler')
      await page.goBack()
      await page.getByText('kind: Deployment').waitFor()
    },
  ],
  [
    'safer sizes are larger; the estimator that decided is shown; the choice stays after going back',
    async (page) => {
      await visit(page, '/console/namespaces/prod/shop?container=Deployment/web/app')
      await page.getByRole('radio', { name: 'Balanced' }).waitFor()
      expect(await page.getByRole('radio', { name: 'Balanced' }).isChecked()).toBe(true)
      const balanced = await requestedCores(page)
      await page.getByRole('radio', { name: 'Safe' }).check()
      await expect.poll(() => requestedCores(page), soon).toBeGreaterThan(balanced)
      expect(page.url()).toContain('profile=safe')

      await page.getByText('Results of each estimator').click()
      const decided = rows(page, 'Estimators').filter({ hasText: 'decided' })
      await expect.poll(() => decided.first().innerText(), soon).toMatch(/^Safe\s/)
      expect(await rows(page, 'Estimators').count()).toBeGreaterThan(5)
      await page.getByRole('link', { name: 'Workloads' }).last().click()
      await page.getByRole('heading', { level: 1, name: 'Workloads' }).waitFor()
      expect(await page.getByRole('radio', { name: 'Safe' }).isChecked()).toBe(true)
    },
  ],
  [
    'a namespace with a slash in its name has its own address; an empty one is reported',
    async (page) => {
      await visit(page, '/console/namespaces/prod/orders%2Feu?days=7')
      await page.getByRole('heading', { level: 1, name: 'orders/eu' }).waitFor()
      await page.getByRole('table', { name: 'Containers' }).waitFor()
      await visit(page, '/console/namespaces/prod/nowhere')
      await page.getByText('No usage in this period').waitFor()
    },
  ],
]

export const checkMachines: readonly Check[] = [
  [
    'totals and the idle machine; a machine opened, its processes by group, the cheapest type that fits',
    async (page) => {
      await visit(page, '/console/machines')
      const machines = page.getByRole('table', { name: 'Machines' })
      await expect
        .poll(() => rows(page, 'Machines').filter({ hasText: 'sleepy' }).innerText(), soon)
        .toContain('idle')
      await machines.getByRole('link', { name: 'build-7' }).click()
      await page.getByRole('list', { name: 'Options by effort' }).waitFor()
      await page.getByRole('img', { name: /Treemap of 6 processes/ }).waitFor()
      expect(await rows(page, 'Processes').first().innerText()).toContain('java')
      await page.getByRole('button', { name: /^system/ }).click()
      await expect.poll(() => rows(page, 'Processes').count(), soon).toBe(3)
      expect(page.url()).toContain('group=system')
      await page.goBack()
      await expect.poll(() => rows(page, 'Processes').count(), soon).toBe(6)
    },
  ],
]
