import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { checkFits, picture, soon, visit } from './console.ts'
import { rows } from './gateway.case.ts'
import { crowded, longNamespace, longWorkload, manyContainers, manyNamespaces } from './large-organisation.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of two shapes
type Ask = (path: string) => Promise<any[]>

const dollars = async (page: Page, label: string): Promise<number> =>
  Number(
    /-?\$([\d,.]+)/
      .exec(await page.locator('.tile', { hasText: label }).locator('b').innerText())![1]!
      .replaceAll(',', ''),
  )
const sum = (of: readonly Record<string, number>[], member: string): number =>
  of.reduce((total, each) => total + each[member]!, 0)

/** Checks, with 500 namespaces and 1,000 containers, that totals equal those of the API and that every row can be found. */
export async function checkLarge(page: Page, ask: Ask, period: string): Promise<void> {
  const namespaces = await ask(`/v1/namespace_recommendations?limit=1000&${period}`)
  expect(namespaces).toHaveLength(manyNamespaces)
  await visit(page, '/console/workloads')
  await page.getByText(`${manyNamespaces} rows`).waitFor()
  // Amounts from ten thousand on are shown without cents.
  expect(await dollars(page, 'Spend now')).toBeCloseTo(sum(namespaces, 'MonthlyCurrentSpend'), -1)
  expect(await dollars(page, 'Savings')).toBeCloseTo(sum(namespaces, 'MonthlySavings'), -1)
  const columns = await page.getByRole('columnheader').count()
  await page.getByRole('searchbox', { name: 'Filter Namespaces' }).fill(longNamespace)
  await expect.poll(() => rows(page, 'Namespaces').count(), soon).toBe(1)
  expect(await page.getByRole('columnheader').count()).toBe(columns)

  await page.getByRole('link', { name: longNamespace }).click()
  const long = rows(page, 'Containers').first()
  expect(await long.locator('td').first().getAttribute('title')).toContain(longWorkload)

  await visit(page, `/console/workloads/east/${crowded}`)
  await page.getByRole('heading', { name: '1,000 containers' }).waitFor()
  const own = namespaces.find((each) => each.Namespace === crowded)
  expect(Object.keys(own.ContainerRecommendations)).toHaveLength(manyContainers)
  expect(await dollars(page, 'New spend')).toBeCloseTo(own.MonthlyNewSpend, -1)
  // axe is not run: it takes a minute for a manifest of thousands of lines, and the page has the same parts as other
  // namespaces.
  await checkFits(page)
  await picture(page, 'namespace-crowded', 'window')
  await page.getByRole('searchbox', { name: 'Filter Containers' }).fill('service-999')
  await expect.poll(() => rows(page, 'Containers').count(), soon).toBe(1)

  await visit(page, '/console/overview')
  const costs = await ask(`/v1/costs?group_by=cluster&step=day&${period}`)
  const perMonth = ['east', 'west'].reduce((total, cluster) => {
    const of = costs.filter((row) => row.cluster === cluster)
    const usage = of.filter((row) => row.cost_type === 'usage')
    return total + (sum(of, 'cost_usd') * 730) / sum(usage, 'measured_hours')
  }, 0)
  await expect.poll(() => dollars(page, 'Spend'), soon).toBeCloseTo(perMonth, -1)
}
