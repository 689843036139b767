import type { Page, Request, Route } from 'playwright-core'

const isData = ({ pathname }: URL): boolean => !pathname.startsWith('/console') && pathname !== '/'

/**
 * The requests of a page when its address is opened, in waves: answers are held back until the page is idle, so a request
 * of a later wave depends on an answer of an earlier one.
 */
export async function wavesOf(page: Page, address: string): Promise<string[][]> {
  let held: Route[] = []
  const files = new Set<Request>()
  const hold = (route: Route) => void held.push(route)
  const begin = (request: Request) => !isData(new URL(request.url())) && files.add(request)
  const end = (request: Request) => files.delete(request)
  await page.route(isData, hold)
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end)
  const waves: string[][] = []
  try {
    await page.goto(address, { waitUntil: 'load' })
    await page.locator('main h1').first().waitFor()
    for (;;) {
      // A loaded file may request more, so the page must be idle twice in a row.
      for (let quiet = 0; quiet < 2; ) {
        const before = held.length
        await page.evaluate(untilIdle)
        quiet = files.size === 0 && held.length === before ? quiet + 1 : 0
      }
      if (held.length === 0) return waves
      const wave = held
      held = []
      waves.push(wave.map((route) => new URL(route.request().url()).pathname))
      for (const route of wave) await route.fulfill({ response: await route.fetch() })
    }
  } finally {
    page.off('request', begin).off('requestfinished', end).off('requestfailed', end)
    await page.unroute(isData, hold)
  }
}

const untilIdle = `new Promise((done) => {
  const rest = (times) => (times === 0 ? done() : requestIdleCallback(() => requestAnimationFrame(() => rest(times - 1))))
  rest(3)
})`
