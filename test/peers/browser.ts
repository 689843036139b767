import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'

/** A real Chromium with its own profile. */
export interface RunningBrowser {
  /** Opens a new context without stored data or session. */
  context(options?: BrowserContextOptions): Promise<BrowserContext>
  close(): Promise<void>
}

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export async function startBrowser(): Promise<RunningBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'cheapside-browser-'))
  const executablePath = await chromiumBinary()
  const browser = await chromium.launch({
    executablePath,
    args: [...flags, `--crash-dumps-dir=${profile}`],
    env: { ...process.env, HOME: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile },
  })
  return {
    context: (options = {}) => browser.newContext({ acceptDownloads: true, ...options }),
    close: async () => {
      await browser.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

/** The Chromium of the system, otherwise that of @sparticuz/chromium, which exists only for x64. */
async function chromiumBinary(): Promise<string> {
  const directories = (process.env.PATH ?? '').split(delimiter).concat('/usr/bin')
  const names = ['chromium', 'chromium-browser', 'google-chrome']
  const found = directories
    .flatMap((directory) => names.map((name) => join(directory, name)))
    .find(existsSync)
  if (found !== undefined) return found
  if (process.arch === 'x64' && process.platform === 'linux') {
    const { default: packed } = await import('@sparticuz/chromium')
    return packed.executablePath()
  }
  throw new Error('No Chromium to test the console with: install the Debian package chromium')
}
