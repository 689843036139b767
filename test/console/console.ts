import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type RunningBrowser, startBrowser } from '../peers/browser.ts'
import { type RunningService, startService } from '../service.ts'

export const pictures = join(import.meta.dirname, '../../test-results')

const { resolve } = createRequire(import.meta.url)
const axe = readFileSync(
  createRequire(resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)

export interface OpenConsole {
  readonly page: Page
  /** What a console should never have: errors, and files that the policy refused. */
  readonly complaints: string[]
  signIn(key: string): Promise<void>
  close(): Promise<void>
}

export interface Bench {
  readonly service: RunningService
  readonly browser: RunningBrowser
  /** A key of an organisation. */
  newKey(organisation: string, scopes: readonly string[]): Promise<{ key: string; id: string }>
  /** Opens a path, signed in with a key where one is given. */
  open(path: string, key?: string, options?: BrowserContextOptions): Promise<OpenConsole>
  stop(): Promise<void>
}

/** In a data folder of its own, or in one that is given and kept. */
export async function startBench(env: Record<string, string> = {}, folder?: string): Promise<Bench> {
  mkdirSync(pictures, { recursive: true })
  const [service, browser] = await Promise.all([
    startService({
      env: { CHEAPSIDE_RATE_LIMIT: '0', CHEAPSIDE_ADDRESS_LIMIT: '0', ...env },
      ...(folder === undefined ? {} : { folder }),
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
    // A refused request is the service's to tell; the page shows it.
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

/** axe finds nothing by all of its rules, or by those about colours. */
export async function checkAccessible(page: Page, rules: 'all' | 'colours' = 'all'): Promise<void> {
  // Put into the page once and run there, which takes a third of what its builder does anew each time.
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

/** The same, in dark and in light, which differ in colours alone; a picture of each is kept. */
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

/** The page scrolls down, never sideways, and neither does a table. */
export async function checkFits(page: Page): Promise<void> {
  const tooWide = await page.evaluate(
    `[...document.querySelectorAll('html, .table-scroll, .table-card, dialog')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ ariaLabel, scrollWidth, clientWidth }) => [ariaLabel, scrollWidth, clientWidth].join(' '))`,
  )
  expect(tooWide).toEqual([])
}

const hourMs = 3_600_000

/** The period that the console asks for: the days up to the end of this hour. */
export function lastDays(days: number): string {
  const end = (Math.floor(Date.now() / hourMs) + 1) * hourMs
  const text = (time: number) => encodeURIComponent(new Date(time).toISOString())
  return `start_date=${text(end - days * 24 * hourMs)}&end_date=${text(end)}`
}

/** For what needs no more than a moment, and more on a busy machine. */
export const soon = { timeout: 120_000 }

/** Goes there as a link in the console does, without loading it again. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new Event('popstate'))`,
  )
}

/** Kept for people to look at: in light, in dark and at the size of a phone. */
export async function picture(page: Page, name: string, what: 'page' | 'window' = 'page'): Promise<void> {
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: what === 'page' })
}
