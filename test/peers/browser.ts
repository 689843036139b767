import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { sharedAddress } from './shared.ts'

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

/** The one browser of this run, or a new one. */
export async function startBrowser(): Promise<RunningBrowser> {
  const shared = await sharedAddress('browser')
  const own = shared ? undefined : await startBrowserServer()
  const url = shared || own?.url
  if (!url) throw new Error('No Chromium for the console: install the Debian package chromium')
  const browser = await chromium.connect(url)
  return {
    context: (options = {}) => browser.newContext({ acceptDownloads: true, ...options }),
    close: async () => {
      await browser.close()
      await own?.stop()
    },
  }
}

/** Whether a browser runs on this machine. */
export async function hasBrowser(): Promise<boolean> {
  const shared = await sharedAddress('browser')
  return shared === undefined ? (await findChromium()) !== undefined : shared !== ''
}

export interface BrowserServer {
  readonly url: string
  stop(): Promise<void>
}

/** Starts a browser that many processes may use; undefined if this machine has none that runs. */
export async function startBrowserServer(): Promise<BrowserServer | undefined> {
  const found = await findChromium()
  if (found === undefined) return undefined
  const profile = mkdtempSync(join(tmpdir(), 'cheapside-browser-'))
  const server = await chromium.launchServer({
    executablePath: found.path,
    host: '127.0.0.1',
    args: [...flags, `--crash-dumps-dir=${profile}`],
    env: { ...found.env, HOME: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile },
  })
  return {
    url: server.wsEndpoint(),
    stop: async () => {
      await server.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

interface FoundChromium {
  readonly path: string
  readonly env: NodeJS.ProcessEnv
}

/** The Chromium of the system, otherwise that of @sparticuz/chromium, which exists only for Linux on x64. */
async function findChromium(): Promise<FoundChromium | undefined> {
  const directories = (process.env.PATH ?? '').split(delimiter).concat('/usr/bin')
  const names = ['chromium', 'chromium-browser', 'google-chrome']
  const path = directories.flatMap((directory) => names.map((name) => join(directory, name))).find(existsSync)
  if (path !== undefined) return { path, env: process.env }
  const packed = process.arch === 'x64' && process.platform === 'linux' ? await packedChromium() : undefined
  const runs = packed && spawnSync(packed.path, ['--version'], { env: packed.env }).status === 0
  return runs ? packed : undefined
}

/** The package also brings the libraries and fonts that a machine without a desktop lacks: without any font it ends at its first text. */
async function packedChromium(): Promise<FoundChromium> {
  const { default: packed, inflate } = await import('@sparticuz/chromium')
  const path = await packed.executablePath()
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const libraries = join(await inflate(join(dirname(entry), '../bin/al2023.tar.br')), 'lib')
  const known = process.env.LD_LIBRARY_PATH
  return {
    path,
    env: {
      ...process.env,
      LD_LIBRARY_PATH: known ? `${known}:${libraries}` : libraries,
      ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: join(dirname(path), 'fonts') }),
    },
  }
}
