import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hourMs } from '../../src/domain/time.ts'
import { openStore } from '../../src/store/open.ts'
import { ask, eventually, type RunningService, startService } from '../../test/service.ts'
import { fillNamespaces, organisation } from './fill.ts'

export interface FilledDirectory {
  readonly directory: string
  /** The window of all usage, as query parameters. */
  readonly window: string
}

const perNamespace = 50

/**
 * Creates a data directory with usage of the last days up to midnight, in namespaces of 50 containers. It is removed when
 * the process ends.
 */
export async function filledDirectory(containers: number, days: number): Promise<FilledDirectory> {
  const endHour = Math.floor(Date.now() / hourMs / 24) * 24
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-bench-'))
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
  const store = await openStore({ dataDirectory: directory })
  await fillNamespaces(store.usage, containers, perNamespace, { days, firstHour: endHour - days * 24 })
  await store.close()
  const at = (hour: number) => encodeURIComponent(new Date(hour * hourMs).toISOString())
  return { directory, window: `start_date=${at(endHour - days * 24)}&end_date=${at(endHour)}` }
}

/**
 * Starts a service in a separate process on that directory, waits until it is ready, and issues a key that reads its
 * usage.
 */
export async function serviceOn(
  { directory }: FilledDirectory,
  heapMib = 1024,
): Promise<{ readonly service: RunningService; readonly key: string }> {
  const adminKey = `csk_${'b'.repeat(12)}_${'s'.repeat(32)}`
  const service = await startService({
    directory,
    withoutKey: true,
    env: {
      NODE_OPTIONS: `--max-old-space-size=${heapMib}`,
      // The same value as in the image and in the systemd unit.
      MALLOC_ARENA_MAX: '2',
      CHEAPSIDE_BOOTSTRAP_KEY: adminKey,
      CHEAPSIDE_RATE_LIMIT: '0',
      CHEAPSIDE_ADDRESS_LIMIT: '0',
    },
  })
  await eventually(async () => (await ask(service.url, '/readyz')).status === 200)
  const body = { organisation, name: 'bench', scopes: ['gateway:read'] }
  const { json } = await ask(service.url, '/admin/keys', { key: adminKey, body })
  return { service, key: json.key }
}
