import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Bench, type OpenConsole, startBench } from './console.ts'
import { pushWorld } from './world.ts'

let bench: Bench
let opened: OpenConsole | undefined
beforeAll(async () => {
  bench = await startBench()
  await pushWorld(bench.service, bench.service.key)
})
afterEach(async () => {
  expect(opened?.complaints).toEqual([])
  await opened?.close()
})
afterAll(() => bench.stop())

const soon = { timeout: 20_000 }
async function open(path: string): Promise<Page> {
  opened = await bench.open(path, bench.service.key)
  return opened.page
}

test('namespaces: spend now and then, sorted; one opened, a container chosen, the manifest taken away', async () => {
  const page = await open('/console/namespaces')
  const table = page.getByRole('table', { name: 'Namespaces' })
  await table.getByRole('button', { name: 'Namespace' }).click()
  await expect.poll(() => table.locator('tbody tr').first().innerText(), soon).toContain('orders/eu')
  await table.getByRole('button', { name: 'Namespace' }).click()
  await expect.poll(() => table.locator('tbody tr').first().innerText(), soon).toContain('shop')
  await table.getByRole('link', { name: 'shop' }).click()

  const containers = page.getByRole('table', { name: 'Containers' })
  await containers.locator('tr', { hasText: 'StatefulSet/db' }).getByRole('button').click()
  const view = page.getByRole('region', { name: /StatefulSet\/db/ })
  await view.getByText('Request recommended').first().waitFor()
  expect(
    await view.getByRole('img', { name: 'CPU: how usage is spread' }).locator('.bar').count(),
  ).toBeGreaterThan(0)
  expect(await view.getByText('0.5 cores', { exact: true }).count()).toBe(1)
  expect(page.url()).toContain('container=StatefulSet')

  await page.getByRole('radio', { name: 'Autoscaler' }).check()
  await page.getByText('kind: VerticalPodAutoscaler').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('shop-vpa.yaml')
  expect(readFileSync(await download.path(), 'utf8')).toContain('kind: VerticalPodAutoscaler')
  await page.goBack()
  await page.getByText('kind: Deployment').waitFor()
})

test('a namespace with a slash in its name has an address of its own; one where nothing ran says so', async () => {
  const page = await open('/console/namespaces/prod/orders%2Feu?days=7')
  await page.getByRole('heading', { level: 1, name: 'orders/eu' }).waitFor()
  await page.getByRole('table', { name: 'Containers' }).waitFor()
  await page.getByRole('link', { name: 'Namespaces' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Namespaces' }).waitFor()
  await opened?.close()
  const empty = await open('/console/namespaces/prod/nowhere')
  await empty.getByText('Nothing ran here').waitFor()
})

test('machines: summed up, the idle one named; one opened, its processes by group, the cheapest that fits', async () => {
  const page = await open('/console/machines')
  const machines = page.getByRole('table', { name: 'Machines' })
  expect(await machines.locator('tr', { hasText: 'sleepy' }).innerText()).toContain('idle')
  await machines.getByRole('link', { name: 'build-7' }).click()
  await page.getByText('Cheapest that fits, anywhere').waitFor()
  await page.getByRole('img', { name: /Treemap of 6 processes/ }).waitFor()
  const processes = page.getByRole('table', { name: 'Processes' })
  expect(await processes.locator('tbody tr').first().innerText()).toContain('java')
  await page.getByRole('button', { name: /^system/ }).click()
  await expect.poll(() => processes.locator('tbody tr').count(), soon).toBe(3)
  expect(page.url()).toContain('group=system')
  await page.goBack()
  await expect.poll(() => processes.locator('tbody tr').count(), soon).toBe(6)
})
