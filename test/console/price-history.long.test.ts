import { afterAll, beforeAll, expect } from 'vitest'
import { type Bench, checkAccessible, openConsole, picture, startBench, test } from './console.ts'
import { instanceThatMoved, startRefreshed } from './refreshed.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench?.stop())

test('a price that has changed is drawn', async () => {
  const { service, close } = await startRefreshed()
  try {
    const of = await instanceThatMoved(service)
    const { page, complaints } = await openConsole(
      bench.browser,
      service.url,
      `/console/compare?history=${of}`,
      service.key,
    )
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('img', { name: /Prices over time/ }).waitFor()
    await dialog.locator('.chart[data-ready=true]').waitFor()
    await checkAccessible(page)
    await picture(page, 'price-moved', 'window')
    expect(await dialog.locator('tbody tr').count()).toBeGreaterThan(1)
    await dialog
      .getByText(/^[+-][\d.]+%$/)
      .first()
      .waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  } finally {
    await close()
  }
})
