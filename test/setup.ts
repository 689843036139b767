import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBrowserServer } from './peers/browser.ts'
import { startOwnPostgres } from './peers/postgres.ts'
import { startService } from './service.ts'

/** Where Node keeps compiled code by default. Threads use it only if it is named. */
const compileCache = join(tmpdir(), 'node-compile-cache')

/**
 * One PostgreSQL, one browser and one service for the whole run. Each starts when the first file asks for it at TEST_SHARED, because most
 * runs of a few files need none. The answer is the address of what was started; it is empty if this machine has none.
 */
export default async function setup(): Promise<() => Promise<void>> {
  process.env.NODE_COMPILE_CACHE ??= compileCache
  const starts: Record<string, () => Promise<Shared>> = {
    '/postgres': () => startOwnPostgres({ fsync: false }),
    '/browser': async () => (await startBrowserServer()) ?? { url: '', stop: async () => {} },
    '/service': async () => {
      const { url, key, directory, stop } = await startService({ env: { CHEAPSIDE_RATE_LIMIT: '0' } })
      return { url: JSON.stringify({ url, key, directory }), stop: async () => void (await stop()) }
    },
  }
  const started = new Map<string, Promise<Shared>>()
  const broker = createServer(async ({ url: path = '' }, response) => {
    if (!started.has(path)) started.set(path, starts[path]!())
    await started.get(path)!.then(
      ({ url }) => response.end(url),
      (error) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(broker, 'listening')
  process.env.TEST_SHARED = `http://127.0.0.1:${(broker.address() as AddressInfo).port}`
  return async () => {
    broker.close()
    for (const shared of started.values())
      await shared.then(
        ({ stop }) => stop(),
        () => {},
      )
  }
}

interface Shared {
  readonly url: string
  stop(): Promise<void>
}
