import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { hourMs } from '../src/domain/time.ts'
import { openStore } from '../src/store/open.ts'
import { startBrowser } from '../test/peers/browser.ts'
import { startService } from '../test/service.ts'
import { days, fillNamespaces, organisation } from './namespaces/fill.ts'

// Measures how soon the overview of the console can be used if many containers have 30 days of usage: from opening its
// address in a real Chromium until its heading and menu respond, its sums are shown, and its recommendations are shown.
//   node bench/console.ts [containers] [rounds]
// Usage is taken from real traces; see bench/usage/traces.ts for where they are expected.

const containers = Number(process.argv[2] ?? 10_000)
const rounds = Number(process.argv[3] ?? 5)
const perNamespace = 50
const directory = mkdtempSync(join(tmpdir(), 'cheapside-bench-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

const today = Math.floor(Date.now() / hourMs / 24) * 24
const store = await openStore({ dataDirectory: directory })
await fillNamespaces(store.usage, containers, perNamespace, { days, firstHour: today - days * 24 })
await store.close()
console.log(`${containers} containers in ${containers / perNamespace} namespaces, ${days} days`)

const [service, browser] = await Promise.all([
  startService({ directory, env: { CHEAPSIDE_RATE_LIMIT: '0', CHEAPSIDE_ADDRESS_LIMIT: '0' } }),
  startBrowser(),
])
try {
  const body = { organisation, name: 'bench', scopes: ['pricing:read', 'gateway:read'] }
  const { key } = (await service.request('/admin/keys', { body })).json
  const context = await browser.context({ viewport: { width: 1440, height: 900 } })
  context.setDefaultTimeout(600_000)
  const page = await context.newPage()
  await page.addInitScript(watch)
  await page.goto(`${service.url}/console/help`)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('main#content').waitFor()
  report('first time', [await open(page)])
  const again: Seen[] = []
  for (let round = 0; round < rounds; round++) again.push(await open(page))
  report(`median of ${rounds} more`, again)
} finally {
  await browser.close()
  await service.stop()
}

interface Seen {
  readonly usable: number
  readonly sums: number
  readonly recommendations: number
  readonly longestTask: number
}

async function open(page: Page): Promise<Seen> {
  await page.goto(`${service.url}/console/overview`)
  await page.locator('.best-recommendations li').first().waitFor()
  return (await page.evaluate('globalThis.seen')) as Seen
}

function report(name: string, all: readonly Seen[]): void {
  const median = (of: keyof Seen) =>
    all
      .map((seen) => seen[of])
      .sort((a, b) => a - b)
      [Math.floor(all.length / 2)]!.toFixed(0)
  console.log(
    `${name}: usable after ${median('usable')} ms, sums after ${median('sums')} ms, recommendations after ` +
      `${median('recommendations')} ms; the longest task in the browser took ${median('longestTask')} ms`,
  )
}

// Runs in the page before anything else. The page is usable when heading and menu exist and the browser is idle.
function watch(): void {
  const page = globalThis as never as {
    seen: Record<string, number>
    document: { querySelector(selector: string): { textContent: string } | null; documentElement: object }
    MutationObserver: new (see: () => void) => { observe(of: object, how: object): void }
    requestIdleCallback(then: () => void): void
  }
  const seen: Record<string, number> = { longestTask: 0 }
  page.seen = seen
  const note = (name: string) => {
    seen[name] ??= performance.now()
  }
  const see = () => {
    const text = (selector: string) => page.document.querySelector(selector)?.textContent ?? ''
    if (text('main h1') !== '' && text('nav a') !== '' && seen.usable === undefined)
      page.requestIdleCallback(() => note('usable'))
    if (text('.tile b').startsWith('$')) note('sums')
    if (text('.best-recommendations li') !== '') note('recommendations')
  }
  new page.MutationObserver(see).observe(page.document, {
    childList: true,
    subtree: true,
    characterData: true,
  })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longestTask = Math.max(seen.longestTask!, duration)
  }).observe({ entryTypes: ['longtask' as never] })
}
