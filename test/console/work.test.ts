import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { containerSeries, hourMs, push } from '../pushed-cluster.ts'
import {
  type Bench,
  checkAccessible,
  downloadedText,
  lastDays,
  type OpenConsole,
  soon,
  startBench,
  test,
  visit,
} from './console.ts'
import { rows } from './gateway.case.ts'
import { clusterHours, pushTestCluster } from './test-cluster.ts'
import { checkUpdating } from './updating.case.ts'

let bench: Bench
let opened: OpenConsole
beforeAll(async () => {
  bench = await startBench()
  await pushTestCluster(bench.service, bench.service.key)
  opened = await bench.open('/console/costs', bench.service.key)
})
afterEach(() => expect(opened.complaints).toEqual([]))
afterAll(() => bench?.stop())

const dollars = (text: string | null): number =>
  Number(/-?\$([\d,.]+)/.exec(text ?? '')![1]!.replaceAll(',', ''))
const tile = (page: Page, label: string) => page.locator('.tile', { hasText: label }).locator('b')
const get = async (path: string) => (await bench.service.request(path)).json

/** Returns the first line of the file that the table of a page exports. */
async function csvHeader(page: Page, path: string): Promise<string> {
  await visit(page, `/console/${path}`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('.table-card').getByRole('button', { name: 'CSV' }).click(),
  ])
  return (await downloadedText(download)).split('\r\n')[0]!
}

describe('costs', () => {
  interface Cost {
    cost_usd: number
    cost_type: string
    namespace?: string
  }
  const sum = (costs: readonly Cost[], of: (cost: Cost) => number | undefined) =>
    costs.reduce((total, cost) => total + (of(cost) ?? 0), 0)

  test('totals are those of the service, and idle cost has its own row', async () => {
    const { page } = opened
    await visit(page, '/console/costs?days=7')
    await page.getByRole('table', { name: 'Costs' }).waitFor()
    const byNamespace: Cost[] = await get(`/v1/costs?group_by=namespace&${lastDays(7)}`)
    const idle = sum(
      byNamespace.filter(({ cost_type }) => cost_type === 'idle'),
      (cost) => cost.cost_usd,
    )
    const total = sum(byNamespace, (cost) => cost.cost_usd)
    expect(dollars(await tile(page, 'Cost of the period').innerText())).toBeCloseTo(total, 1)
    expect(dollars(await tile(page, 'Idle').innerText())).toBeCloseTo(idle, 1)
    const shop = sum(
      byNamespace.filter(({ namespace }) => namespace === 'shop'),
      (cost) => cost.cost_usd,
    )
    const row = rows(page, 'Costs').filter({ hasText: 'shop' })
    expect(dollars(await row.locator('td').nth(1).innerText())).toBeCloseTo(shop, 2)
    expect(
      dollars(await rows(page, 'Costs').filter({ hasText: 'Idle' }).locator('td').nth(1).innerText()),
    ).toBeCloseTo(idle, 2)
    await page.getByRole('img', { name: /Cost by day/ }).waitFor()
  })

  test.each([
    ['cluster', 'prod'],
    ['workload', 'Deployment/web'],
    ['node', 'n1'],
    ['label:app', 'without app'],
  ])('grouped by %s', async (grouping, name) => {
    const { page } = opened
    await visit(page, '/console/costs')
    await page.getByLabel('Group by').selectOption(grouping)
    await expect.poll(() => rows(page, 'Costs').filter({ hasText: name }).count(), soon).toBeGreaterThan(0)
    await checkAccessible(page)
  })

  test('a label that is not stored is reported with those that are', async () => {
    const { page } = opened
    await visit(page, '/console/costs?by=label:colour')
    await page
      .getByText(/is not stored/)
      .first()
      .waitFor()
    expect(await page.locator('main').innerText()).toContain('team')
  })

  test('every step as a file of the service', async () => {
    const { page } = opened
    await visit(page, '/console/costs?days=7&by=workload')
    await page.getByRole('table', { name: 'Costs' }).waitFor()
    await page.locator('summary', { hasText: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV over time' }).click(),
    ])
    const lines = (await downloadedText(download)).trim().split('\r\n')
    const listed: Cost[] = await get(`/v1/costs?group_by=workload&step=day&${lastDays(7)}`)
    expect(lines).toHaveLength(listed.length + 1)
    expect(lines[0]).toMatch(/^cluster,namespace,workload,start,end,cost_usd/)
    const written = lines.slice(1).map((line) => ({ cost_usd: Number(line.split(',')[5]) }) as Cost)
    expect(sum(written, (cost) => cost.cost_usd)).toBeCloseTo(
      sum(listed, (cost) => cost.cost_usd),
      1,
    )
  })
})

describe('period', () => {
  const invalid = (page: Page) => page.locator('main').getByText('The dates in the address are not valid.')

  test('more than 400 days are refused at the field', async () => {
    const { page } = opened
    await visit(page, '/console/costs')
    await page.locator('summary', { hasText: 'Last 14 days' }).click()
    await page.getByLabel('From').fill('2024-01-01')
    await page.getByRole('alert').getByText('Choose at most 400 days.').waitFor()
    await page.getByRole('button', { name: 'Show these days' }).click()
    await checkAccessible(page)
    expect(new URL(page.url()).search).toBe('')
    await page.keyboard.press('Escape')
  })

  test('dates in the address that are not valid are reported, until a period is chosen', async () => {
    const { page } = opened
    await visit(page, '/console/costs?from=2024-01-01&to=2026-11-01')
    await invalid(page).waitFor()
    await page.getByText('Choose at most 400 days. Shown instead: the last 14 days.').waitFor()
    await checkAccessible(page)
    await page.locator('summary', { hasText: 'Last 14 days' }).click()
    const bar = page.getByRole('region', { name: 'Cluster, period and search' })
    await bar.getByRole('radio', { name: 'Last 14 days' }).check()
    await expect.poll(() => invalid(page).count(), soon).toBe(0)
    expect(new URL(page.url()).search).toBe('')
  })
})

describe('workloads', () => {
  test('usage over time with request, limit and OOM kills; breadcrumbs lead back to workload, namespace and cluster', async () => {
    const { page } = opened
    await visit(page, '/console/workloads/prod/shop?days=7&container=StatefulSet/cache/app')
    const view = page.getByRole('region', { name: /^cache/ })
    await view.getByRole('img', { name: /^CPU over time/ }).waitFor()
    await view.getByRole('img', { name: /^Memory over time.*2 OOM kills/ }).waitFor()
    await view.getByText('2 OOM kills').first().waitFor()
    expect(await rows(page, 'Containers').filter({ hasText: 'cache' }).innerText()).toContain('OOM')
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
    expect(await crumbs.locator('li').allInnerTexts()).toEqual([
      'Workloads',
      'prod',
      'shop',
      'StatefulSet/cache',
    ])
    // The value is thirty times the usage, and must still be inside the chart.
    const now = view.getByRole('img', { name: 'CPU: distribution of usage' }).locator('line.now:not(.limit)')
    expect(await now.count()).toBe(1)
    await checkAccessible(page)
    await crumbs.getByRole('link', { name: 'prod' }).click()
    await page.getByRole('heading', { level: 1, name: 'prod' }).waitFor()
    await page.getByRole('link', { name: 'Namespaces' }).click()
    await page.getByRole('heading', { level: 1, name: 'Workloads' }).waitFor()
    expect(new URL(page.url()).searchParams.get('cluster')).toBe('prod')
  })

  test('sizes with low confidence are marked before they are exported', async () => {
    const { page } = opened
    const day = firstMeasuredDay()
    await visit(page, `/console/workloads/prod/shop?from=${day}&to=${day}`)
    await page.getByRole('table', { name: 'Containers' }).waitFor()
    const end = new Date(Date.parse(day) + 24 * hourMs).toISOString()
    const period = `start_date=${day}T00:00:00Z&end_date=${end}`
    const [namespace] = await get(`/v1/namespace_recommendations?cluster=prod&namespace=shop&${period}`)
    const containers = Object.values<{ Confidence: number }>(namespace.ContainerRecommendations)
    const unsure = containers.filter(({ Confidence }) => Confidence < 0.33).length
    expect(unsure).toBeGreaterThan(0)
    await page
      .getByText(`${unsure} of ${containers.length} containers with less than 33% confidence`)
      .waitFor()
  })
})

/** Sizes are decided from all usage until the end of a day, so that only those of the first day know little. */
const firstMeasuredDay = (): string =>
  new Date(Math.floor(Date.now() / hourMs) * hourMs - clusterHours * hourMs).toISOString().slice(0, 10)

describe('figures of the previous choice', () => {
  test('sizes of another profile', async () => {
    const { page } = opened
    await visit(page, '/console/workloads/prod/shop')
    const choose = () => page.getByRole('radio', { name: 'Safe' }).check()
    const old = 'button[aria-label^="web, container"]'
    await checkUpdating(page, '/v1/namespace_recommendations', choose, 'Calculating sizes', old)
  })

  test('recommendations of another filter, whose search keeps the focus', async () => {
    const { page } = opened
    await visit(page, '/console/recommendations')
    await page.getByRole('checkbox', { name: 'Select all that are shown' }).check()
    const choose = () => page.getByRole('checkbox', { name: /^Low/ }).check()
    await checkUpdating(page, '/v1/recommendations', choose, 'Loading recommendations', 'td.pick input')
    expect(await page.locator('td.pick input:checked').count()).toBe(0)
    const search = page.getByRole('searchbox', { name: 'Search recommendations' })
    const type = () => search.pressSequentially('we')
    await checkUpdating(page, '/v1/recommendations', type, 'Loading recommendations', 'td.pick input')
    expect(await search.inputValue()).toBe('we')
  })
})

test('recommendations that could not be added are reported', async () => {
  const { page } = opened
  const isList = ({ pathname }: URL) => pathname === '/v1/recommendations'
  await page.route(isList, async (route) => {
    if (route.request().url().includes('cursor='))
      return route.fulfill({ status: 500, json: { detail: 'No more' } })
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), next_cursor: 'next' } })
  })
  await visit(page, '/console/recommendations?kind=container&state=all')
  const rows = page.getByRole('table', { name: 'Recommendations' }).locator('tbody tr')
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByRole('alert').getByText('No more').waitFor()
  expect(await rows.count()).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Show more' }).waitFor()
  await page.unroute(isList)
})

test('data that could not be loaded again is reported as old, until it is', async () => {
  const { page } = opened
  await visit(page, '/console/recommendations')
  await page.getByRole('table', { name: 'Recommendations' }).waitFor()
  const old = page.getByText('Some data on this page is old')
  const isList = ({ pathname }: URL) => pathname === '/v1/recommendations'
  await page.route(isList, (route) => route.fulfill({ status: 500, json: { detail: 'Broken' } }))
  await page.evaluate('Date.now = ((now) => () => now.call(Date) + 60_000)(Date.now)')
  await page.evaluate("dispatchEvent(new Event('visibilitychange'))")
  await old.waitFor()
  await page.getByText(/It was loaded at \d+ \w+ \d{4}, \d\d:\d\d UTC\./).waitFor()
  await page.getByRole('table', { name: 'Recommendations' }).waitFor()
  await checkAccessible(page)
  await page.unroute(isList)
  await page.getByRole('button', { name: 'Try again' }).click()
  await old.waitFor({ state: 'hidden' })
})

test.each([
  ['recommendations?state=foo&min_worth=much', 'state=foo, min_worth=much', 'Recommendations'],
  ['costs?by=bar', 'by=bar', 'Costs'],
])('filters of the address that are not valid are reported: %s', async (path, ignored, table) => {
  const { page } = opened
  await visit(page, `/console/${path}`)
  await page.getByText(`They are ignored: ${ignored}.`).waitFor()
  await page.getByRole('table', { name: table }).waitFor()
  await checkAccessible(page)
})

test('the overview of a cluster without usage says so', async () => {
  const { page } = opened
  await visit(page, '/console/overview?cluster=nowhere')
  await page.getByText('No container of cluster nowhere reported usage.').waitFor()
  await checkAccessible(page)
})

test('the overview of a new organisation shows its first usage without being loaded again', async () => {
  const { key } = await bench.newKey('young', ['gateway:read', 'usage:write'])
  const { page, close } = await bench.open('/console/overview', key)
  const arrived = page.locator('.checklist li', { hasText: 'First samples have arrived' })
  await arrived.getByText('(not yet)').waitFor({ state: 'attached' })
  const now = Date.now()
  const young = { pod: 'web-1', cores: 0.3, gib: 0.5 }
  await push(bench.service, key, containerSeries(young, { fromMs: now - 600_000, toMs: now }))
  await arrived.getByText('(done)').waitFor({ state: 'attached' })
  await expect.poll(() => tile(page, 'Spend').innerText(), soon).toMatch(/\$\d/)
  await close()
})

describe('machines', () => {
  test('a row describes the machine; list, page and service agree on its savings', async () => {
    const { page } = opened
    await visit(page, '/console/machines')
    const row = rows(page, 'Machines').filter({ hasText: 'build-7' })
    await expect.poll(() => row.innerText(), soon).toContain('AWS m5.2xlarge, us-east-1')
    expect(await row.innerText()).toContain('8 cores')
    const [summary] = await get(`/v1/vm_summaries?vm=build-7&include_rehost=true&${lastDays(14)}`)
    const best = Math.max(
      ...summary.rehost.options
        .filter(({ effort }: { effort: string }) => effort === 'resize')
        .flatMap(({ offers }: { offers: { savings: { amount_per_month: number } }[] }) =>
          offers.map(({ savings }) => savings.amount_per_month),
        ),
    )
    expect(dollars(await row.locator('td').last().innerText())).toBeCloseTo(best, 2)
    const { recommendations } = await get('/v1/recommendations?limit=1000')
    const ofMachines = recommendations.filter(({ machine }: { machine: string | null }) => machine !== null)
    const all = ofMachines.reduce(
      (total: number, { worth_per_month }: { worth_per_month: number }) => total + worth_per_month,
      0,
    )
    expect(ofMachines).toHaveLength(2)
    expect(dollars(await tile(page, 'Possible savings').innerText())).toBeCloseTo(all, 1)
    await row.getByRole('link').click()
    await page.getByRole('list', { name: 'Options by effort' }).waitFor()
    expect(await page.title()).toBe('build-7 · Machines · Cheapside')
    expect(await page.evaluate('document.activeElement.id')).toBe('content')
    expect(dollars(await tile(page, 'Possible savings').innerText())).toBeCloseTo(best, 2)
    expect(dollars(await tile(page, 'Cost now').innerText())).toBeCloseTo(
      summary.rehost.currentCostPerMonth,
      2,
    )
    await checkAccessible(page)
  })
})

test('machines that were not compared yet are counted instead of savings of nothing', async () => {
  const { page } = opened
  const isAsked = ({ pathname }: URL) => pathname === '/v1/vm_summaries'
  await page.route(isAsked, async (route) => {
    const response = await route.fetch()
    const machines = (await response.json()) as { idle: boolean; rehost: object }[]
    const reasons = ['Too little data']
    const json = machines.map((of) => ({
      ...of,
      idle: false,
      rehost: { ...of.rehost, reasons, options: [] },
    }))
    await route.fulfill({ response, json })
  })
  await visit(page, '/console/machines?days=1')
  await expect.poll(() => tile(page, 'Possible savings').innerText(), soon).toBe('–')
  await page.getByText('2 machines not compared yet').waitFor()
  await page.unroute(isAsked)
})

test('what someone else has decided meanwhile is reported, not replaced', async () => {
  const { page } = opened
  await visit(page, '/console/recommendations?kind=container')
  const { recommendations } = await get('/v1/recommendations?kind=container')
  const [first, second] = recommendations
  const rows = page.getByRole('table', { name: 'Recommendations' }).locator('tbody tr')
  await expect.poll(() => rows.count(), soon).toBe(recommendations.length)
  for (const { title } of [first, second])
    await page.getByRole('checkbox', { name: title, exact: true }).check()
  await page.getByRole('button', { name: 'Dismiss…' }).click()
  await page.getByLabel('Reason').fill('a standby')
  const decide = (state: string, ids = [first.id]) =>
    bench.service.request('/v1/recommendations', { method: 'PATCH', body: { ids, state } })
  await decide('accepted')
  await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click()
  const notice = page.getByRole('alert')
  await notice.getByText('1 recommendation not changed, because others have decided meanwhile').waitFor()
  expect(await notice.innerText()).toContain(`${first.title} (prod / `)
  expect(await notice.innerText()).toContain('accepted by first key')
  await checkAccessible(page)
  await expect.poll(() => rows.count(), soon).toBe(recommendations.length - 2)
  await expect.poll(() => page.evaluate('document.activeElement.ariaLabel'), soon).toBe('Recommendations')
  const stateOf = async (id: string) => (await get(`/v1/recommendations/${id}`)).recommendation.state
  expect([await stateOf(first.id), await stateOf(second.id)]).toEqual(['accepted', 'dismissed'])
  await notice.getByRole('button', { name: 'Close' }).click()
  await notice.waitFor({ state: 'detached' })
  await decide('open', [first.id, second.id])
})

describe('the bar', () => {
  test.each([
    ['Last 14 days', 'Last 30 days', 'days=30'],
    ['All clusters', 'prod', 'cluster=prod'],
  ])('by keyboard from %s to %s: arrow keys move, Enter chooses and closes', async (first, next, param) => {
    const { page } = opened
    await visit(page, '/console/workloads')
    const popover = page.locator('details.popover', { has: page.getByText(first) }).first()
    const radio = (name: string) => popover.getByRole('radio', { name })
    const focused = () => page.evaluate("document.activeElement.closest('label, summary').innerText.trim()")
    const isOpen = () => popover.evaluate((details) => details.hasAttribute('open'))
    const moveToNext = async () => {
      await popover.locator('summary').focus()
      await page.keyboard.press('Enter')
      await radio(next).waitFor()
      await page.keyboard.press('Tab')
      expect(await focused()).toBe(first)
      await page.keyboard.press('ArrowDown')
      expect(await focused()).toBe(next)
      expect(await radio(next).isChecked()).toBe(true)
      expect(await isOpen()).toBe(true)
      expect(page.url()).not.toContain(param)
    }
    await moveToNext()
    await page.keyboard.press('Escape')
    expect(await isOpen()).toBe(false)
    expect(await focused()).toContain(first)
    await moveToNext()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url(), soon).toContain(param)
    expect(await page.locator('details.popover[open]').count()).toBe(0)
    expect(await focused()).toContain(next)
  })
})

describe('reviews', () => {
  const plan = join(import.meta.dirname, '../../examples/terraform/plan.json')

  test('a plan has the prices of the service; alternatives depend on the chosen efforts', async () => {
    const { page } = opened
    await visit(page, '/console/reviews')
    await page.getByLabel('Plan file').setInputFiles(plan)
    await page.getByRole('table', { name: 'Priced resources' }).waitFor()
    const body = { plan: JSON.parse(readFileSync(plan, 'utf8')), efforts: ['resize'] }
    const { totals, changes } = (await bench.service.request('/v1/reviews', { body })).json
    expect(dollars(await tile(page, 'Before').innerText())).toBeCloseTo(totals.before_per_month, 2)
    expect(dollars(await tile(page, 'After').innerText())).toBeCloseTo(totals.after_per_month, 2)
    expect(dollars(await tile(page, 'Difference').innerText())).toBeCloseTo(totals.difference_per_month, 2)
    expect(await rows(page, 'Priced resources').count()).toBe(changes.length)
    const found = () => rows(page, 'Cheaper alternatives').count()
    const few = await found()
    await page.getByRole('checkbox', { name: 'Commitment' }).check()
    await expect.poll(found, soon).toBeGreaterThan(few)
    await page.getByLabel('Save the review as').fill('shop#42')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await rows(page, 'Saved reviews').filter({ hasText: 'shop#42' }).waitFor()
    await checkAccessible(page)
    const [saved] = await get('/v1/reviews/saved')
    expect(saved).toMatchObject({ name: 'shop#42', difference_per_month: totals.difference_per_month })
    await page.getByRole('button', { name: 'Remove shop#42' }).click()
    await page.getByRole('table', { name: 'Saved reviews' }).waitFor({ state: 'detached' })
    expect(await get('/v1/reviews/saved')).toEqual([])
  })

  test('a file that is not a plan is reported', async () => {
    const { page } = opened
    await visit(page, '/console/reviews')
    const upload = (name: string, text: string) =>
      page
        .getByLabel('Plan file')
        .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
    await upload('notes.json', 'hello')
    await page.getByText('notes.json cannot be read: it is not JSON').waitFor()
    await upload('list.json', '[]')
    await page.getByText('list.json is not a plan').waitFor()
    await upload('other.json', '{"hello":"world"}')
    await page.getByText(/other\.json cannot be reviewed/).waitFor()
    await upload('large.json', ' '.repeat(5 * 2 ** 20))
    await page.getByText('large.json is larger than 4 MiB').waitFor()
    await checkAccessible(page)
  })
})

describe('settings and help', () => {
  test('shows the sources of usage and the retention, and changes the profile', async () => {
    const { page } = opened
    await visit(page, '/console/settings')
    await expect.poll(() => rows(page, 'Clusters and agents').count(), soon).toBe(3)
    await page.getByText('Usage is kept for 90 days').waitFor()
    await page.getByRole('button', { name: 'Refresh prices now' }).waitFor()
    const choose = async (profile: string, action: string) => {
      await page.getByLabel('Profile').selectOption(profile)
      const dialog = page.getByRole('dialog', { name: /^Size by the profile/ })
      await dialog.getByText(/containers? would get another size/).waitFor()
      await dialog.getByRole('button', { name: action }).click()
    }
    await choose('safe', 'Cancel')
    expect(await get('/v1/sizing_profile')).toMatchObject({ profile: 'balanced' })
    await choose('safe', 'Apply')
    await page.getByText('Saved; it applies at once.').waitFor()
    expect(await get('/v1/sizing_profile')).toMatchObject({ profile: 'safe', set: true })
    await choose('balanced', 'Apply')
    await expect.poll(async () => (await get('/v1/sizing_profile')).profile, soon).toBe('balanced')
    await checkAccessible(page)
  })

  test('sizing rules are added, changed, ordered and removed; invalid ones are reported at once', async () => {
    const { page } = opened
    await visit(page, '/console/settings')
    await page.getByText('No sizing rules are set').waitFor()
    const said = () => page.getByRole('list', { name: 'Sizing rules' }).locator('.rule-said').allInnerTexts()
    const preview = page.getByRole('button', { name: 'Preview' })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    const add = async (fields: Record<string, string>) => {
      await page.getByRole('button', { name: 'Add a sizing rule' }).click()
      for (const [label, text] of Object.entries(fields))
        await page.getByRole('dialog').getByLabel(label).fill(text)
      await preview.click()
    }
    await add({ Namespace: 'shop', 'CPU at least': '4', 'CPU at most': '2' })
    await page
      .getByRole('dialog')
      .getByText(/must not be above max_cpu/)
      .waitFor()
    await checkAccessible(page)
    await page.getByLabel('CPU at most').fill('8')
    await preview.click()
    await page.getByRole('list', { name: 'Changed rules' }).getByText('* / shop').waitFor()
    await checkAccessible(page)
    await save.click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await add({ Cluster: 'prod', 'Memory at most': '16' })
    await save.click()
    await expect
      .poll(said, soon)
      .toEqual(['* / shop CPU at least 4 cores, CPU at most 8 cores', 'prod / * memory at most 16 GiB'])
    await page.getByRole('button', { name: 'Move up the sizing rule prod / *' }).click()
    await expect.poll(async () => (await said())[0], soon).toContain('prod')
    await page.getByRole('button', { name: 'Change the sizing rule * / shop' }).click()
    expect(await page.getByLabel('CPU at least').inputValue()).toBe('4')
    await page.getByLabel('CPU limits').selectOption('none')
    await preview.click()
    await save.click()
    await expect.poll(async () => (await said())[1], soon).toContain('no CPU limits')
    expect((await get('/v1/sizing_rules')).rules).toEqual([
      { cluster: 'prod', max_memory: 16 },
      { namespace: 'shop', limits: 'none', min_cpu: 4, max_cpu: 8 },
    ])
    await page
      .getByRole('button', { name: /^Remove the sizing rule/ })
      .first()
      .click()
    await expect.poll(async () => (await said()).length, soon).toBe(1)
    await page.getByRole('button', { name: /^Remove the sizing rule/ }).click()
    await page.getByText('No sizing rules are set').waitFor()
  })

  test('a sizing rule does not replace what someone else has saved meanwhile', async () => {
    const { page } = opened
    await visit(page, '/console/settings')
    await page.getByText('No sizing rules are set').waitFor()
    await page.getByRole('button', { name: 'Add a sizing rule' }).click()
    await page.getByRole('dialog').getByLabel('Namespace').fill('mine')
    await page.getByLabel('CPU at least').fill('1')
    await page.getByRole('button', { name: 'Preview' }).click()
    const put = (rules: object[]) =>
      bench.service.request('/admin/organisations/default/sizing_rules', { method: 'PUT', body: { rules } })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.waitFor()
    await put([{ namespace: 'theirs', min_cpu: 2 }])
    await save.click()
    await page.getByText('The sizing rules were changed meanwhile').waitFor()
    await checkAccessible(page)
    const namespaces = async () =>
      (await get('/v1/sizing_rules')).rules.map(({ namespace }: { namespace: string }) => namespace)
    expect(await namespaces()).toEqual(['theirs'])
    await save.click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await namespaces()).toEqual(['theirs', 'mine'])

    const mine = page.getByRole('button', { name: 'Remove the sizing rule * / mine' })
    await mine.waitFor()
    await put([{ namespace: 'later', min_cpu: 3 }])
    await mine.click()
    await page.getByText('The sizing rules were changed meanwhile').waitFor()
    expect(await namespaces()).toEqual(['later'])
    await page.getByRole('button', { name: 'Remove the sizing rule * / later' }).click()
    await page.getByText('No sizing rules are set').waitFor()
  })

  test('a discount is previewed, saved, and edited as YAML', async () => {
    const { page } = opened
    await visit(page, '/console/settings')
    await page.getByRole('button', { name: 'Add a price rule' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Agreement')
    await dialog.getByLabel('Provider').fill('aws')
    await dialog.getByLabel('Percent off').fill('12')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByText(/nodes? (or|and) machines? would get another price/).waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect((await get('/v1/price_rules')).rules).toEqual([
      { name: 'Agreement', provider: 'aws', percent_off: 12 },
    ])
    await page.getByRole('button', { name: /Edit as YAML.*Price rules/ }).click()
    await dialog.getByRole('textbox', { name: 'Rules' }).fill('rules: [')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByRole('alert').waitFor()
    await checkAccessible(page)
    await dialog.getByRole('textbox', { name: 'Rules' }).fill('rules: []')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByText('12% off aws').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('No price rules are set').waitFor()
  })

  test('a commitment and the sharing of idle costs are previewed and saved', async () => {
    const { page } = opened
    await visit(page, '/console/settings')
    const dialog = page.getByRole('dialog')
    const save = async () => {
      await dialog.getByRole('button', { name: 'Preview' }).click()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'hidden' })
    }
    await page.getByRole('button', { name: 'Add a commitment' }).click()
    await dialog.getByLabel(/^Name/).fill('plan')
    await dialog.getByLabel('Instances', { exact: true }).fill('3')
    await dialog.getByLabel('Kind').selectOption('savings_plan')
    await dialog.getByLabel('Provider').fill('aws')
    await dialog.getByLabel(/^Commitment/).fill('0.5')
    await dialog.getByLabel('First day').fill('2026-01-01')
    await dialog.getByLabel('Last day').fill('2036-12-31')
    await save()
    const plan = { name: 'plan', kind: 'savings_plan', provider: 'aws', usd_per_hour: 0.5 }
    const days = { from: '2026-01-01', until: '2036-12-31' }
    expect((await get('/v1/commitments')).commitments).toEqual([{ ...plan, ...days }])
    await page.getByText('of what commitments can cover is covered').waitFor()
    await page.getByRole('button', { name: 'Remove the commitment plan' }).click()
    await page.getByText('No commitments are set').waitFor()
    await page.getByRole('button', { name: 'Set sharing' }).click()
    await dialog.getByLabel('Idle nodes').selectOption('evenly')
    await save()
    expect(await get('/v1/cost_sharing')).toMatchObject({ idle: 'evenly', shared: 'apart' })
    await page.getByRole('button', { name: 'Remove the sharing' }).click()
    await page.getByText('Idle and shared costs stay apart').waitFor()
  })

  test('amounts in euro at the exchange rate of the catalogue, with its date on every page', async () => {
    const { page } = opened
    const { exchange } = await get('/catalogue')
    await visit(page, '/console/settings')
    const chosen = page.getByLabel('Show amounts in')
    await chosen.selectOption('EUR')
    await page.getByText(`In euro at ${exchange.rate} USD on 14 Aug 2026`).waitFor()
    await visit(page, '/console/machines/build-7')
    const [summary] = await get(`/v1/vm_summaries?vm=build-7&include_rehost=true&${lastDays(14)}`)
    const cost = await tile(page, 'Cost now').innerText()
    expect(Number(cost.replace('€', ''))).toBeCloseTo(summary.rehost.currentCostPerMonth / exchange.rate, 2)
    await page.reload()
    await expect.poll(() => tile(page, 'Cost now').innerText(), soon).toBe(cost)
    // A rate of an earlier visit is renewed on every page.
    await page.evaluate(
      `localStorage.setItem('cheapside-currency', '{"code":"EUR","rate":1,"day":"2020-01-01"}')`,
    )
    await page.reload()
    await expect.poll(() => tile(page, 'Cost now').innerText(), soon).toBe(cost)
    expect(await csvHeader(page, 'machines')).toBe(
      'Machine,CPU: has (cores),CPU: needs (cores),Memory: has (GiB),Memory: needs (GiB),Cost/month (EUR),Recommended,Saves/month (EUR)',
    )
    expect(await csvHeader(page, 'costs')).toMatch(
      /^Namespace,Part of,Cost \(EUR\),Share \(%\),.*CPU used \(%\),/,
    )
    expect(await csvHeader(page, 'workloads')).toMatch(
      /,Spend\/month \(EUR\),.*,CPU used \(%\),Memory used \(%\)$/,
    )
    await visit(page, '/console/settings')
    await chosen.selectOption('USD')
    await expect.poll(() => page.getByText(/^In euro/).count(), soon).toBe(0)
  })

  test('terms of the glossary are found, and the API can be tried', async () => {
    const { page } = opened
    await visit(page, '/console/help')
    await page.getByRole('searchbox', { name: 'Find a term' }).fill('base rates')
    await expect.poll(() => page.locator('.glossary dt').allInnerTexts(), soon).toContain('base rates')
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByLabel('Operation').selectOption('GET /v1/regions')
    await page.getByRole('textbox', { name: 'near' }).fill('Vienna')
    await page.getByRole('textbox', { name: 'limit' }).fill('1')
    await page.getByRole('button', { name: 'Send GET' }).click()
    await page.getByText('Status 200').waitFor()
    await checkAccessible(page)
    await page.getByRole('textbox', { name: 'limit' }).fill('0')
    await page.getByRole('button', { name: 'Send GET' }).click()
    await page.getByText('Status 422').waitFor()
  })
})
