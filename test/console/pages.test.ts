import type { Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Bench,
  checkAccessible,
  checkFits,
  type OpenConsole,
  picture,
  startBench,
  visit,
} from './console.ts'
import { checkMachines, checkNamespaces } from './gateway.case.ts'
import { checkOpenRisk, checkRisk } from './risk.case.ts'
import { pushTestCluster } from './test-cluster.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
  await pushTestCluster(bench.service, bench.service.key)
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
afterAll(() => bench?.stop())

const m5 = '/console/compare?provider=aws&type=m5.xlarge&region=us-east-1&cores=1.5&ram=6'
const shop = '/console/workloads/prod/shop'

/** What each page shows that tells that it is there, whole. */
const pages: readonly (readonly [name: string, path: string, heading: string, sign: RegExp])[] = [
  ['compare-first', '/console/compare', 'Compare', /from \$/],
  ['compare', m5, 'Compare', /Price against size/],
  [
    'price-history',
    `/console/compare?history=aws|us-east-1|m5.xlarge|Linux|ONDEMAND`,
    'Compare',
    /No change is known/,
  ],
  ['types', '/console/prices/types', 'Instance types', /Load more/],
  ['type', '/console/prices/types/aws/m5.xlarge', 'm5.xlarge', /Cheaper machines that hold as much/],
  ['costs', '/console/costs?days=7', 'Costs', /orders\/eu/],
  ['reviews', '/console/reviews', 'Reviews', /Drop a plan here/],
  ['settings', '/console/settings', 'Settings', /Usage is kept for/],
  ['help', '/console/help?call=GET+/v1/regions', 'Help', /Send GET/],
  ['namespaces', '/console/workloads', 'Workloads', /orders\/eu/],
  ['namespace', `${shop}?estimates=shown`, 'shop', /kubectl apply/],
  ['machines', '/console/machines', 'Machines', /build-7/],
  ['machine', '/console/machines/build-7', 'build-7', /systemd-journald/],
  ['marketplace', '/console/prices/yours', 'Your prices', /our-cellar/],
  ['marketplace-prices', '/console/prices/yours/our-cellar', 'our-cellar', /roomy-8/],
  ['catalogue', '/console/catalogue', 'Catalogue', /Quarantined prices/],
  ['keys', '/console/keys', 'Keys', /reading-room/],
]

const looks = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
] as const

const inTurn = { concurrent: false }

// Each look has a window of its own, and its pages come one after the other.
describe.concurrent.each(looks)('%s', (look, options) => {
  let opened: OpenConsole
  afterAll(() => opened?.close())

  test('the sign-in page', inTurn, async () => {
    opened = await bench.open('/', undefined, options)
    await opened.page.getByLabel('API key').waitFor()
    await checkAccessible(opened.page)
    await checkFits(opened.page)
    await picture(opened.page, `sign-in-${look}`)
    await opened.signIn(bench.service.key)
  })

  test.each(pages)(
    '%s: whole, readable for all, and nothing from elsewhere',
    inTurn,
    async (name, path, heading, sign) => {
      const { page, complaints } = opened
      await visit(page, path)
      await page.locator('h1', { hasText: heading }).waitFor()
      await page.locator('main').getByText(sign).locator('visible=true').first().waitFor()
      await page
        .locator('.skeleton, .progress, .chart[data-ready=false]')
        .first()
        .waitFor({ state: 'hidden' })
      await checkAccessible(page)
      await checkFits(page)
      await picture(page, `${name}-${look}`, name === 'price-history' ? 'window' : 'page')
      expect(complaints).toEqual([])
    },
  )

  test('the risk, open', inTurn, () => checkOpenRisk(opened.page, look))

  test('long words fit too', inTurn, async () => {
    await visit(opened.page, `${m5}&effort=commit&in-provider=azure&in-provider=aws`)
    await opened.page
      .getByRole('table', { name: 'Candidates' })
      .getByText(/[13]y/)
      .locator('visible=true')
      .first()
      .waitFor()
    await checkFits(opened.page)
  })
})

describe('by hand', () => {
  let opened: OpenConsole
  beforeAll(async () => {
    opened = await bench.open('/console/machines', bench.service.key)
  })
  afterAll(() => opened?.close())

  test.each([...checkNamespaces, ...checkRisk])('namespaces: %s', async (_, check) => {
    await check(opened.page)
    expect(opened.complaints).toEqual([])
  })
  test.each(checkMachines)('machines: %s', async (_, check) => {
    await check(opened.page)
    expect(opened.complaints).toEqual([])
  })
})

test('on a phone the menu opens, and closes where it leads', async () => {
  const { page, close } = await bench.open('/console/keys', bench.service.key, looks[2][1])
  const menu = page.getByRole('button', { name: 'Menu' })
  await menu.click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await checkAccessible(page)
  await checkFits(page)
  await picture(page, 'menu-phone', 'window')
  await page.getByRole('link', { name: 'Catalogue' }).click()
  await page.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor()
  expect(await menu.getAttribute('aria-expanded')).toBe('false')
  await close()
})

test('while it is awaited, and when it fails: the shape of what comes, then what went wrong and a way on', async () => {
  const { page, close } = await bench.open('/console/keys', bench.service.key)
  const held: Route[] = []
  await page.route('**/v1/vm_summaries*', (route) => void held.push(route))
  await visit(page, '/console/machines')
  await page.locator('.skeleton').waitFor()
  await checkAccessible(page)
  await picture(page, 'machines-loading')
  const detail = 'Something went wrong inside.'
  const json = { title: 'Internal error', status: 500, detail, code: 'internal', request_id: 'req-7' }
  await held[0]!.fulfill({ status: 500, contentType: 'application/problem+json', json })
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await checkAccessible(page)
  await picture(page, 'machines-failed')
  await page.unroute('**/v1/vm_summaries*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('table', { name: 'Machines' }).waitFor()
  await close()
})

test('without any data: what to do next, with commands to copy', async () => {
  const { key } = await bench.newKey('newcomers', ['pricing:read', 'gateway:read', 'marketplace:write'])
  const { page, close } = await bench.open('/console/namespaces', key)
  await page.getByText('No container usage yet').waitFor()
  await checkAccessible(page)
  await picture(page, 'namespaces-empty')
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`${bench.service.url}/api/v1/write`)
  await page.getByRole('link', { name: 'Machines' }).click()
  await page.getByText('No machine reports usage yet').waitFor()
  await checkAccessible(page)
  await picture(page, 'machines-empty')
  await page.getByRole('link', { name: 'Your prices' }).click()
  await page.getByText('No own prices yet').waitFor()
  await checkAccessible(page)
  await picture(page, 'marketplace-empty')
  await close()
})
