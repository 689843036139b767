import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { eventually } from '../service.ts'
import {
  type Bench,
  checkAccessible,
  checkFits,
  downloadedText,
  lastDays,
  type OpenConsole,
  picture,
  soon,
  startBench,
  test,
  visit,
} from './console.ts'

// Checks on the realistic data of the demo that pages show the same values as the API.

let bench: Bench
let opened: OpenConsole
/** A key that reads the demo, as the console uses while it shows it. */
let key: string
beforeAll(async () => {
  // By default the service measures its own host, so there are samples from the first minute on.
  bench = await startBench({ CHEAPSIDE_WATCH_SELF: 'true', CHEAPSIDE_METADATA_URL: 'none' })
  await eventually(async () => (await bench.service.request('/v1/vm_metadata')).json.length > 0)
  // Loading takes some seconds, and more on a busy machine, so the request is repeated until it is done.
  key = await loadDemo()
  opened = await bench.open('/', bench.service.key, desktop)
})
afterEach(() => expect(opened.complaints).toEqual([]))
afterAll(() => bench?.stop())

const desktop = { viewport: { width: 1440, height: 900 } }
const tile = (page: Page, label: string) =>
  page
    .locator('.tile')
    .filter({ has: page.locator('dt', { hasText: label }) })
    .locator('b')
const money = (value: number) =>
  value.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    ...(Math.abs(value) >= 10_000 ? { maximumFractionDigits: 0 } : {}),
  })
/** The last amount in dollars in the element. */
const amount = async (where: Locator): Promise<number> =>
  Number(
    (await where.innerText())
      .match(/-?\$[\d,.]+/g)!
      .at(-1)!
      .replace(/[$,]/g, ''),
  )
const api = async (path: string) => (await bench.service.request(path, { key })).json

describe('from an empty installation to the demo and back', () => {
  test('without data: a checklist, and demo data to look around in', async () => {
    const { page } = opened
    await page.getByRole('heading', { name: 'Connect your usage' }).waitFor()
    await page.getByText('(not yet)').first().waitFor({ state: 'attached' })
    await page.getByText(/1 machine \$[\d.]+$/).waitFor()
    await page.getByText('remote_write:').waitFor()
    await checkAccessible(page)
    await checkFits(page)
    await picture(page, 'overview-empty')
    // It is loaded before these tests, which the page may not know yet.
    await page.getByRole('button', { name: /^(?:Load|Open) demo data$/ }).click()
    await page.getByRole('region', { name: 'Demo data' }).waitFor()
    await page.getByRole('heading', { name: 'Top recommendations' }).waitFor()
  })

  test('the overview adds up to what the API answers', async () => {
    const { page } = opened
    const rows: Cost[] = await api(`/v1/costs?group_by=cluster&step=day&${lastDays(14)}`)
    const sumOf = (name: string, of: (row: Cost) => number) =>
      rows.filter(({ cluster }) => cluster === name).reduce((sum, row) => sum + of(row), 0)
    const perMonth = (name: string) =>
      (sumOf(name, ({ cost_usd }) => cost_usd) * 730) /
      sumOf(name, ({ cost_type, measured_hours }) => (cost_type === 'usage' ? measured_hours : 0))
    const clusters = page.getByRole('list', { name: 'Spend by cluster' })
    const machines = await amount(clusters.locator('li', { hasText: 'Machines' }).locator('.spend-money'))
    expect(machines).toBeGreaterThan(100)
    const total = perMonth('production') + perMonth('staging') + machines
    await expect.poll(() => amount(tile(page, 'Spend')), soon).toBeCloseTo(total, 1)
    const { totals, recommendations } = await api('/v1/recommendations?limit=10')
    await expect
      .poll(() => tile(page, 'Possible savings').innerText(), soon)
      .toBe(money(totals.savings.total_per_month))
    expect(totals.savings.total_per_month).toBeGreaterThan(0)
    const best = page.locator('.best-recommendations li')
    await expect.poll(() => best.count(), soon).toBe(10)
    expect(await best.first().innerText()).toContain(recommendations[0].title)
    expect(await amount(clusters.locator('li', { hasText: 'production' }))).toBeCloseTo(
      perMonth('production'),
      1,
    )
    const [shop] = await api(
      `/v1/namespace_recommendations?cluster=production&namespace=shop&${lastDays(14)}`,
    )
    expect(
      await amount(
        page.getByRole('list', { name: 'Spend by namespace' }).locator('li', { hasText: /^shop production/ }),
      ),
    ).toBeCloseTo(shop.MonthlyCurrentSpend, 1)
    // Recommendations have a period of their own, whichever is chosen.
    await visit(page, '/console/overview?days=30')
    const savings = page.locator('.tile', { hasText: 'Possible savings' })
    await expect.poll(() => savings.innerText(), soon).toContain('per month, from the last 14 days, ')
    await page.getByRole('heading', { name: 'Top recommendations last 14 days' }).waitFor()
    await page.getByText('1 agent stopped reporting').waitFor()
    await page.getByText(/is an estimate$/).waitFor()
  })

  test('the overview says what is still computed, and what could not be loaded', async () => {
    const { page } = opened
    const days = ({ searchParams }: URL) =>
      (Date.parse(searchParams.get('end_date')!) - Date.parse(searchParams.get('start_date')!)) / 86_400_000
    const isLate = (url: URL) =>
      url.pathname === '/v1/recommendations' || (url.pathname === '/v1/costs' && days(url) === 30)
    const { promise: isFailing, resolve: fail } = Promise.withResolvers<void>()
    await page.route(isLate, async (route) => {
      await isFailing
      await route.fulfill({ status: 500, json: {} })
    })
    await visit(page, '/console/overview')
    await page.reload()
    const card = (name: string) => page.locator('.card').filter({ has: page.getByRole('heading', { name }) })
    await card('Cost per day').getByText('Calculating…').waitFor()
    await card('Needs attention').getByText('Calculating…').waitFor()
    await page.getByText('being computed').waitFor()
    fail()
    await page.getByText('could not be loaded').waitFor()
    await card('Needs attention').getByText('Not everything could be checked.').waitFor()
    await checkAccessible(page)
    await page.unroute(isLate)
    await card('Cost per day').getByRole('button', { name: 'Try again' }).click()
    await card('Cost per day').getByText('in use').first().waitFor()
    await card('Top recommendations').getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => page.getByText('Not everything could be checked.').count(), soon).toBe(0)
  })

  test('recommendations: totals and facets equal those of the API; filters, decisions and export', async () => {
    const { page } = opened
    await visit(page, '/console/recommendations')
    const all = await api('/v1/recommendations?limit=1000')
    const { savings } = all.totals
    const total = page.getByRole('region', { name: 'Savings' }).locator('.sum-total b')
    await expect.poll(() => total.innerText(), soon).toBe(money(savings.total_per_month))
    const parts = [
      savings.nodes_per_month,
      savings.containers_per_month,
      savings.machines_per_month,
      savings.volumes_per_month,
    ]
    expect([...parts, savings.idle_per_month].reduce((sum, part) => sum + part, 0)).toBeCloseTo(
      savings.total_per_month,
      2,
    )
    expect(savings.raises_per_month).toBeGreaterThan(0)
    const rows = page.getByRole('table', { name: 'Recommendations' }).locator('tbody tr')
    await expect.poll(() => rows.count(), soon).toBe(Math.min(50, all.totals.count))
    await openFilters(page)
    await page.getByRole('checkbox', { name: /^Idle/ }).check()
    const idle = await api('/v1/recommendations?kind=idle')
    await expect.poll(() => rows.count(), soon).toBe(idle.totals.count)
    expect(page.url()).toContain('kind=idle')
    expect(await total.innerText()).toBe(money(idle.totals.savings.total_per_month))

    const first = rows.first()
    const title = idle.recommendations[0].title
    expect(await first.innerText()).toContain(title)
    await first.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Snooze…' }).click()
    await page.getByLabel('Reason').fill('Until the\naudit is over')
    await checkAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Snooze' }).click()
    await expect.poll(() => rows.count(), soon).toBe(idle.totals.count - 1)
    // The button that was pressed is gone.
    const focused = () => page.evaluate('document.activeElement.ariaLabel')
    await expect.poll(focused, soon).toBe('Recommendations')
    const snoozed = await api('/v1/recommendations?state=snoozed')
    expect(snoozed.recommendations.map((each: { title: string }) => each.title)).toEqual([title])
    expect(snoozed.recommendations[0].state_reason).toBe('Until the audit is over')

    await visit(page, '/console/recommendations?kind=idle')
    const open = page.getByRole('checkbox', { name: /^Open/ })
    await open.uncheck()
    await expect.poll(() => rows.count(), soon).toBe(idle.totals.count)
    expect(await open.isChecked()).toBe(false)
    // A snooze may end in the next year.
    await rows.getByText(/^until \d+ \w+ \d{4}, Until the audit is over/).waitFor()
    await open.check()
    await expect.poll(() => rows.count(), soon).toBe(idle.totals.count - 1)

    const { promise: isRenewed, resolve: renew } = Promise.withResolvers<void>()
    const isList = ({ pathname, search }: URL) => pathname === '/v1/recommendations' && search !== ''
    await page.route(isList, async (route) => {
      await isRenewed
      await route.continue()
    })
    await rows.first().getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Accept' }).click()
    await expect
      .poll(async () => (await api('/v1/recommendations?state=accepted')).totals.count, soon)
      .toBe(1)
    // What is selected while the list is loaded again stays selected.
    await rows.first().getByRole('checkbox').check()
    renew()
    await expect.poll(() => rows.count(), soon).toBe(idle.totals.count - 2)
    expect(await rows.first().getByRole('checkbox').isChecked()).toBe(true)
    await page.getByText(/^1 recommendation, /).waitFor()
    await page.unroute(isList)

    await visit(page, '/console/recommendations?kind=cluster')
    const clusters = await api('/v1/recommendations?kind=cluster')
    expect(clusters.recommendations).toHaveLength(1)
    await rows.filter({ hasText: clusters.recommendations[0].title }).waitFor()
    await expect.poll(() => total.innerText(), soon).toBe(money(clusters.totals.nodes_per_month))
    await rows.first().getByRole('link').click()
    const panel = page.getByRole('complementary', { name: 'The open recommendation' })
    await panel.getByRole('cell', { name: '10 nodes, 72 cores, 320 GiB' }).waitFor()
    await panel.getByText('8 x m5.2xlarge').waitFor()
    await checkAccessible(page)
    await picture(page, 'recommendations-cluster')

    await visit(page, '/console/recommendations?kind=container&cluster=production')
    const containers = await api('/v1/recommendations?kind=container&cluster=production')
    await expect.poll(() => rows.count(), soon).toBe(Math.min(50, containers.totals.count))
    await page.getByRole('checkbox', { name: 'Select all that are shown' }).check()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Patches' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('production-patches.yaml')
    expect(await downloadedText(download)).toContain('kind: Deployment')
  })

  test('recommendations: ten or more on a screen, decided with the keyboard, and taken back', async () => {
    const { page } = opened
    await visit(page, '/console/recommendations')
    const rows = page.getByRole('table', { name: 'Recommendations' }).locator('tbody tr')
    // Rows of the earlier filter, or from before the last decisions, are shown until those of this one are there.
    const { count } = (await api('/v1/recommendations?limit=1')).totals
    await expect.poll(() => rows.count(), soon).toBe(count)
    const boxes = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom))
    expect(boxes.filter((bottom) => bottom <= desktop.viewport.height).length).toBeGreaterThanOrEqual(10)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('j')
    const second = await rows.nth(1).getByRole('link').innerText()
    expect(await page.evaluate('document.activeElement.innerText')).toBe(second)
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', { name: 'The open recommendation' })
    await panel.getByRole('heading', { name: second }).waitFor()
    await page.keyboard.press('j')
    await panel.getByRole('heading', { name: await rows.nth(2).getByRole('link').innerText() }).waitFor()
    await page.keyboard.press('k')
    await checkAccessible(page)
    await checkFits(page)
    await picture(page, 'recommendations-panel', 'window')
    await page.keyboard.press('a')
    const last = page.getByRole('region', { name: 'Last decision' })
    await last.getByText(`Accepted: ${second}`).waitFor()
    await expect.poll(() => rows.count(), soon).toBe(count - 1)
    // It stays open in the panel, where it cannot be accepted again.
    await panel.getByText('Accepted', { exact: true }).waitFor()
    expect(await panel.getByRole('button', { name: 'Accept', exact: true }).count()).toBe(0)
    // The next is the one that took its place.
    await page.keyboard.press('j')
    await panel.getByRole('heading', { name: await rows.nth(1).getByRole('link').innerText() }).waitFor()
    await last.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => rows.count(), soon).toBe(count)
    await last.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })

    for (const at of [3, 4]) await rows.nth(at).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Accept…' }).click()
    await page
      .getByRole('dialog', { name: 'Accept 2 recommendations' })
      .getByText(/^Together: saves \$/)
      .waitFor()
    await checkAccessible(page)
    await picture(page, 'accept-preview', 'window')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Clear' }).click()
  })

  test('a container has a page with its recommendation, which can be accepted there', async () => {
    const { page } = opened
    const { recommendations } = await api('/v1/recommendations?kind=container&cluster=staging')
    const [{ cluster, namespace, workload, container }] = recommendations
    await visit(page, `/console/workloads/${cluster}/${namespace}/${workload}/${container}`)
    const card = page.getByRole('region', { name: 'Recommendation', exact: true })
    await card.getByRole('button', { name: 'Accept' }).click()
    await card.getByText(/^by demo data/).waitFor()
    await card.getByRole('button', { name: 'Reopen' }).click()
    await card.getByRole('button', { name: 'Accept' }).waitFor()
    await checkAccessible(page)
    await checkFits(page)
    await picture(page, 'container')
  })

  test('costs: the estimated part is included in the total, with idle nodes, for every grouping', async () => {
    const { page } = opened
    const rows: Cost[] = await api(`/v1/costs?group_by=cluster&step=day&${lastDays(7)}`)
    const estimated = rows.reduce((sum, row) => sum + row.estimated_cost_usd, 0)
    expect(estimated).toBeGreaterThan(0)
    for (const by of ['cluster', 'namespace', 'workload']) {
      await visit(page, `/console/costs?days=7&by=${by}`)
      await page.getByText(`${money(estimated)} of it is estimated at`).waitFor()
    }
  })

  test('costs: tile, table and file say that hourly rates are compared', async () => {
    const { page } = opened
    await visit(page, '/console/costs?days=7')
    const table = page.getByRole('table', { name: 'Costs' })
    await table.getByRole('columnheader', { name: 'Change of the hourly rate' }).waitFor()
    await page.getByText(/^Hourly rates are compared: [\d.]+ hours were measured in this/).waitFor()
    const tile = page.locator('.tile', { hasText: 'Compared with the previous period' })
    expect(await tile.innerText()).toMatch(/hourly rate; \$[\d,.]+ then/)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV', exact: true }).click(),
    ])
    const [header] = (await downloadedText(download)).split('\r\n')
    expect(header).toContain('Change of the hourly rate')
    await checkFits(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await checkFits(page)
    await picture(page, 'costs-change-phone')
    await page.setViewportSize({ width: 1280, height: 860 })
  })

  test('costs: the table fits when the previous period arrives after it', async () => {
    const { page } = opened
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    const isBefore = ({ pathname, searchParams }: URL) =>
      pathname === '/v1/costs' && Date.parse(searchParams.get('end_date') ?? '') < Date.now() - 5 * 86_400_000
    await page.route(isBefore, async (route) => {
      await isReleased
      await route.continue()
    })
    await page.setViewportSize({ width: 1024, height: 768 })
    await visit(page, '/console/costs?days=7&by=workload')
    await page.getByRole('table', { name: 'Costs' }).getByRole('row').nth(1).waitFor()
    release()
    await page.getByRole('columnheader', { name: 'Change' }).waitFor()
    await checkFits(page)
    await page.unroute(isBefore)
    await page.setViewportSize(desktop.viewport)
  })

  test.each([
    ['prices/catalogue', 'Providers', 'DigitalOcean', 'Last refresh'],
    ['machines', 'Machines', 'legacy-erp', 'Recommended'],
  ])('on a small laptop names in %s are whole', async (path, name, row, column) => {
    const { page } = opened
    await page.setViewportSize({ width: 1024, height: 768 })
    await visit(page, `/console/${path}`)
    const table = page.getByRole('table', { name })
    await table.getByText(row).waitFor()
    await table.getByRole('columnheader', { name: column }).waitFor()
    const cut = table
      .locator('td, td .two-lines > *')
      .evaluateAll((cells) =>
        cells
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map(({ textContent }) => textContent),
      )
    expect(await cut).toEqual([])
    await page.setViewportSize(desktop.viewport)
  })

  test('a machine whose agent is silent is marked, and explains the difference between overview and machines', async () => {
    const { page } = opened
    const sources: Source[] = await api('/v1/sources')
    const { name, last_seen } = sources.find(({ kind, is_silent }) => kind === 'machine' && is_silent)!
    const since = `${new Date(last_seen).toLocaleString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })} UTC`
    const note = (label: string) => tile(page, label).locator('+ span').innerText()
    await visit(page, '/console/overview')
    const ofMachines = page
      .getByRole('list', { name: 'Spend by cluster' })
      .locator('li', { hasText: 'Machines' })
    await ofMachines.getByText(/without 1 silent \(\$/).waitFor()
    const reporting = await amount(ofMachines.locator('.spend-money'))
    const [silent] = /\$[\d,.]+/.exec(await ofMachines.locator('.note').innerText())!
    await visit(page, '/console/machines')
    const row = page.getByRole('table', { name: 'Machines' }).locator('tbody tr', { hasText: name })
    await row.getByText('silent', { exact: true }).waitFor()
    expect(await row.innerText()).toContain(`No usage since ${since}`)
    expect(await note('Cost now')).toContain(
      `includes ${silent} of 1 silent machine, not counted in the overview`,
    )
    expect(await amount(tile(page, 'Cost now'))).toBeCloseTo(reporting + Number(silent.slice(1)), 1)
    expect(await note('Machines')).toContain('1 silent')
    await picture(page, 'machines-silent')
    await row.getByRole('link').click()
    await page.getByRole('heading', { level: 1 }).getByText('silent').waitFor()
    await page.locator('main').getByText(`No usage since ${since}`).first().waitFor()
    expect(await note('CPU')).toMatch(/used .* in its last hour/)
    await checkAccessible(page)
    await picture(page, 'machine-silent', 'window')
  })

  // What is offered depends on the load of the last days, so the expected values are those of the API.
  test('cheaper machines are shown with their changes, and an old price is marked', async () => {
    const { page } = opened
    const [machine] = await api(`/v1/vm_summaries?vm=build-1&include_rehost=true&${lastDays(14)}`)
    const options: Option[] = machine.rehost.options.filter(({ effort }: Option) => effort !== 'spot')
    const efforts = options.map(({ effort }) => effort)
    expect(efforts).toContain('resize')
    expect(efforts).toContain('provider')
    await visit(page, '/console/machines/build-1')
    const cards = page.getByRole('list', { name: 'Options by effort' }).locator('li')
    await expect.poll(() => cards.count(), soon).toBe(options.length)
    for (const [index, { offers }] of options.entries()) {
      const best = offers.toSorted((a, b) => a.cost_per_month - b.cost_per_month)[0]!
      const { changes, performance } = best.machine
      const card = await cards.nth(index).innerText()
      expect(card).toContain(best.instance_type)
      expect(card).toContain(money(best.cost_per_month))
      for (const [change, phrase] of shownChanges)
        expect(card.includes(phrase), phrase).toBe(changes.includes(change))
      expect(card.includes('speed not known')).toBe(performance === null)
      expect(card.includes('price over a year old')).toBe(
        !best.price.is_indicative && (best.price.age_days ?? 0) > 365,
      )
    }
    await checkAccessible(page)
    await checkFits(page)
  })

  test('Ctrl-K finds anything, with only the keyboard', async () => {
    const { page } = opened
    await visit(page, '/console/overview')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    const find = async (text: string, option: RegExp) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill(text)
      await page.getByRole('option', { name: option }).first().waitFor()
      await page.keyboard.press('Enter')
    }
    await find('paym', /^payments/)
    await page.getByRole('heading', { level: 1, name: 'payments' }).waitFor()
    await find('legacy', /^legacy-erp/)
    await page.getByRole('heading', { level: 1, name: 'legacy-erp' }).waitFor()
    await find('pvc-load', /^pvc-load-test/)
    await page.getByRole('table', { name: 'Volumes' }).getByText('remove it').waitFor()
    await page.getByText('1 of 14 rows').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('m5.xlarge')
    await page
      .getByRole('option', { name: /^m5\.xlarge/ })
      .first()
      .waitFor()
    await checkAccessible(page)
    await picture(page, 'finder', 'window')
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await find('catal', /^Catalogue/)
    await page.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor()
  })

  test('the selection of cluster and dates is kept between pages; a view is saved and restored', async () => {
    const { page } = opened
    await visit(page, '/console/overview')
    await page.locator('summary', { hasText: 'Last 14 days' }).click()
    await page.getByRole('radio', { name: 'Last 7 days' }).check()
    await expect.poll(() => page.url(), soon).toContain('days=7')
    await page.locator('summary', { hasText: 'All clusters' }).click()
    await page.getByRole('radio', { name: 'staging' }).check()
    await page.getByRole('link', { name: 'Workloads' }).first().click()
    await page.getByRole('table', { name: 'Namespaces' }).getByText('sandbox').waitFor()
    expect(page.url()).toMatch(/workloads\?days=7&cluster=staging$/)
    expect(
      await page.getByRole('table', { name: 'Namespaces' }).getByText('payments', { exact: true }).count(),
    ).toBe(0)
    await page.locator('summary', { hasText: 'Views' }).click()
    await page.getByLabel('Save this view as').fill('Staging, a week')
    await picture(page, 'saved-views', 'window')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await visit(page, '/console/prices/catalogue')
    await page.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor()
    await page.locator('summary', { hasText: 'Views' }).click()
    await checkAccessible(page)
    await page.getByRole('link', { name: 'Staging, a week' }).click()
    await expect.poll(() => page.url(), soon).toMatch(/workloads\?days=7&cluster=staging$/)
    await page.locator('summary', { hasText: 'Last 7 days' }).click()
    await page.getByLabel('From', { exact: true }).fill('2020-01-01')
    await page.getByLabel('To', { exact: true }).fill('2020-01-02')
    await page.getByRole('button', { name: 'Show these days' }).click()
    await expect.poll(() => page.url(), soon).toContain('from=2020-01-01&to=2020-01-02')
    await page.getByText('No usage in this period').waitFor()
    await page.locator('summary', { hasText: '1 Jan to 2 Jan 2020' }).waitFor()
    await visit(page, '/console/workloads?cluster=nowhere')
    await page.getByText('No container of cluster nowhere reported usage.').waitFor()
    await visit(page, '/console/machines?from=2020-01-01&to=2020-01-02')
    await page.getByText('No machine reported usage. Choose other dates.').waitFor()
    expect(await page.locator('main').innerText()).not.toContain('cheapside agent')
  })

  test('after removal nothing of the demo remains, and its keys are invalid', async () => {
    const { page } = opened
    await visit(page, '/console/overview')
    await page.getByRole('button', { name: 'Remove demo data' }).click()
    await page.getByRole('heading', { name: 'Connect your usage' }).waitFor()
    expect((await bench.service.request('/key', { key })).status).toBe(401)
    expect((await bench.service.request('/admin/demo')).json.loaded_until).toBe(null)
  })
})

async function loadDemo(): Promise<string> {
  const { json } = await bench.service.request('/admin/demo', { method: 'POST' })
  await eventually(async () => (await bench.service.request('/admin/demo')).json.loaded_until !== null)
  return json.key
}

interface Cost {
  readonly cluster: string
  readonly start: string
  readonly end: string
  readonly cost_usd: number
  readonly cost_type: string
  readonly estimated_cost_usd: number
  readonly measured_hours: number
}

interface Source {
  readonly kind: string
  readonly name: string
  readonly last_seen: string
  readonly is_silent: boolean
}

/** An option of the API to host a machine elsewhere. */
interface Option {
  readonly effort: string
  readonly offers: readonly {
    readonly instance_type: string
    readonly cost_per_month: number
    readonly price: { readonly age_days: number | null; readonly is_indicative: boolean }
    readonly machine: { readonly changes: readonly string[]; readonly performance: object | null }
  }[]
}

/** Changes and the words for them on a card. */
const shownChanges = [
  ['shared-vcpus', 'shared vCPUs'],
  ['burstable-vcpus', 'burstable vCPUs'],
  ['slower-cores', 'slower cores'],
  ['slower-network', 'slower network'],
] as const

/** On a phone the filters are behind a button. */
async function openFilters(page: Page): Promise<void> {
  const button = page.locator('.facets-box > summary')
  if (await button.isVisible()) await button.click()
}
