import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Bench, checkAccessible, checkFits, picture, startBench } from './console.ts'
import { pushWorld } from './world.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
  await pushWorld(bench.service, bench.service.key)
  const entries = ['snug-2', 'roomy-8'].map((instance_type, i) => ({
    instance_type,
    region: 'cellar',
    cpu_cores: 2 + 6 * i,
    ram_gb: 4 + 28 * i,
    cost_per_hour: 0.02 + 0.1 * i,
  }))
  await bench.service.request('/marketplace/providers', { body: { name: 'our-cellar', entries } })
  await bench.newKey('reading-room', ['pricing:read', 'gateway:read'])
})
afterAll(() => bench.stop())

const m5 = '/console/compare?provider=aws&type=m5.xlarge&region=us-east-1&cores=1.5&ram=6'

/** What each page shows that tells that it is there, whole. */
const pages: readonly (readonly [name: string, path: string, heading: string, sign: RegExp])[] = [
  ['compare-first', '/console/compare', 'Compare', /from \$/],
  ['compare', m5, 'Compare', /Price against size/],
  ['namespaces', '/console/namespaces', 'Namespaces', /orders\/eu/],
  ['namespace', '/console/namespaces/prod/shop', 'shop', /kubectl apply/],
  ['machines', '/console/machines', 'Machines', /build-7/],
  ['machine', '/console/machines/build-7', 'build-7', /systemd-journald/],
  ['marketplace', '/console/marketplace', 'Marketplace', /our-cellar/],
  ['marketplace-prices', '/console/marketplace/our-cellar', 'our-cellar', /roomy-8/],
  ['catalogue', '/console/catalogue', 'Catalogue', /Quarantined prices/],
  ['keys', '/console/keys', 'Keys', /reading-room/],
]

const looks = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
] as const

describe.each(looks)('%s', (look, options) => {
  test('every page: whole, readable for all, and nothing from elsewhere', async () => {
    const console = await bench.open('/', bench.service.key, options)
    const { page, complaints } = console
    for (const [name, path, heading, sign] of pages) {
      // Not loaded anew: the key is in memory alone.
      await page.evaluate(
        `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new Event('popstate'))`,
      )
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await page.locator('main').getByText(sign).first().waitFor()
      await page
        .locator('.skeleton, .progress, .chart[data-ready=false]')
        .first()
        .waitFor({ state: 'hidden' })
      if (look !== 'phone') await checkAccessible(page, look === 'light' ? 'all' : 'contrast')
      await checkFits(page)
      await picture(page, `${name}-${look}`)
    }
    expect(complaints).toEqual([])
    await console.close()
  }, 180_000)

  test('the door', async () => {
    const { page, complaints, close } = await bench.open('/', undefined, options)
    await page.getByLabel('API key').waitFor()
    await checkAccessible(page)
    await checkFits(page)
    await picture(page, `sign-in-${look}`)
    expect(complaints).toEqual([])
    await close()
  })
})

test('without any data: what to do next, with commands to copy', async () => {
  const { key } = await bench.newKey('newcomers', ['pricing:read', 'gateway:read', 'marketplace:write'])
  const { page, close } = await bench.open('/console/namespaces', key)
  await page.getByText('No usage of containers yet').waitFor()
  await checkAccessible(page)
  await picture(page, 'namespaces-empty')
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`${bench.service.url}/api/v1/write`)
  await page.getByRole('link', { name: 'Machines' }).click()
  await page.getByText('No machine is watched yet').waitFor()
  await picture(page, 'machines-empty')
  await page.getByRole('link', { name: 'Marketplace' }).click()
  await page.getByText('No prices of your own yet').waitFor()
  await picture(page, 'marketplace-empty')
  await close()
})
