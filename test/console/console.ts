import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { BrowserContextOptions, Download, Page } from 'playwright-core'
import { expect, vi, test as vitestTest } from 'vitest'
import { hasBrowser, type RunningBrowser, startBrowser } from '../peers/browser.ts'
import { type RunningService, startService } from '../service.ts'

export const pictures = join(import.meta.dirname, '../../test-results')

const { resolve } = createRequire(import.meta.url)
const axe = readFileSync(
  createRequire(resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** Tests of the console are skipped on a machine without a browser. */
export const test = (await hasBrowser()) ? vitestTest : (vitestTest.skip as typeof vitestTest)

export interface OpenConsole {
  readonly page: Page
  /** Things that must not happen in the console: errors, and files from elsewhere. */
  readonly complaints: string[]
  signIn(key: string): Promise<void>
  close(): Promise<void>
}

export interface Bench {
  readonly service: RunningService
  readonly browser: RunningBrowser
  /** Issues a key of an organisation. */
  newKey(organisation: string, scopes: readonly string[]): Promise<{ key: string; id: string }>
  /** Opens a path. If a key is given, it signs in first. */
  open(path: string, key?: string, options?: BrowserContextOptions): Promise<OpenConsole>
  stop(): Promise<void>
}

/** Uses its own data directory, or the given one, which is kept. */
export async function startBench(env: Record<string, string> = {}, directory?: string): Promise<Bench> {
  mkdirSync(pictures, { recursive: true })
  const [service, browser] = await Promise.all([
    startService({
      env: { CHEAPSIDE_RATE_LIMIT: '0', CHEAPSIDE_ADDRESS_LIMIT: '0', ...env },
      ...(directory === undefined ? {} : { directory }),
    }),
    startBrowser(),
  ])
  return {
    service,
    browser,
    newKey: async (organisation, scopes) => {
      const body = { organisation, name: `${organisation} key`, scopes }
      return (await service.request('/admin/keys', { body })).json
    },
    open: (path, key, options) => openConsole(browser, service.url, path, key, options),
    stop: async () => {
      await browser.close()
      await service.stop()
    },
  }
}

export async function openConsole(
  browser: RunningBrowser,
  url: string,
  path: string,
  key?: string,
  options: BrowserContextOptions = {},
): Promise<OpenConsole> {
  const context = await browser.context({
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  context.setDefaultTimeout(soon.timeout)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // Refused requests are expected in some tests, and the page shows them.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text())
    }
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(blob|data):/.test(request.url())) {
      complaints.push(`loaded from elsewhere: ${request.url()}`)
    }
  })
  await page.goto(url + path)
  if (key !== undefined) await signIn(page, key)
  return { page, complaints, signIn: (given) => signIn(page, given), close: () => context.close() }
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('main#content').waitFor()
}

const colourRules = ['color-contrast', 'link-in-text-block']

/** Checks that axe reports no violation of all its rules, or of those about colours. */
export async function checkAccessible(page: Page, rules: 'all' | 'colours' = 'all'): Promise<void> {
  // axe is put into the page once and run there, which takes a third of the time of AxeBuilder, which injects it each time.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe)
  const findings = await page.evaluate(
    `axe.run(document, ${JSON.stringify({
      resultTypes: ['violations'],
      ...(rules === 'all' ? {} : { runOnly: colourRules }),
    })}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`,
  )
  expect(findings).toEqual([])
}

/** Checks the dark and the light theme, which differ only in colours, and takes a screenshot of each. */
export async function checkInBothThemes(
  page: Page,
  name: string,
  what: 'page' | 'window' = 'window',
): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await checkAccessible(page, colorScheme === 'light' ? 'all' : 'colours')
    await picture(page, `${name}-${colorScheme}`, what)
  }
}

/**
 * Checks that neither the page nor a table scrolls sideways. Tables are fitted a moment after the window has changed.
 *
 * It is called from concurrent tests, in which `expect.poll` fails as soon as another test has ended.
 */
export async function checkFits(page: Page): Promise<void> {
  const tooWide = () =>
    page.evaluate(
      `[...document.querySelectorAll('html, .table-scroll, .table-card, dialog')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ ariaLabel, scrollWidth, clientWidth }) => [ariaLabel, scrollWidth, clientWidth].join(' '))`,
    )
  await vi.waitFor(async () => expect(await tooWide()).toEqual([]), soon)
}

const hourMs = 3_600_000

/** The period that the console requests for more than one day: the days up to the end of this hour. */
export function lastDays(days: number): string {
  const end = (Math.floor(Date.now() / hourMs) + 1) * hourMs
  const text = (time: number) => encodeURIComponent(new Date(time).toISOString())
  return `start_date=${text(end - days * 24 * hourMs)}&end_date=${text(end)}`
}

/** Time limit for what takes a moment, but longer on a busy machine. */
export const soon = { timeout: 120_000 }

/** Navigates like a link in the console, without reloading the page. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new Event('popstate'))`,
  )
}

/** Takes a screenshot for people to look at, in long tests and with TEST_PICTURES=1. */
export async function picture(page: Page, name: string, what: 'page' | 'window' = 'page'): Promise<void> {
  if (process.env.TEST_PICTURES !== '1') return
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: what === 'page' })
}

/** The text of a downloaded file. The browser may be shared by several test files, which then have no path to it. */
export async function downloadedText(download: Download): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
