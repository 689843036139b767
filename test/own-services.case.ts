import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { type RunningService, type ServiceOptions, smallCatalogue, startService } from './service.ts'

/** Services and data directories of one test each. */
export function ownServices() {
  const running: RunningService[] = []
  const directories: string[] = []
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.kill()))
    for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
  })
  return {
    async start(options?: ServiceOptions): Promise<RunningService> {
      const service = await startService({
        ...options,
        env: { CHEAPSIDE_CATALOGUE: smallCatalogue, ...options?.env },
      })
      running.push(service)
      return service
    },
    newDirectory(): string {
      const directory = mkdtempSync(join(tmpdir(), 'cheapside-data-'))
      directories.push(directory)
      return directory
    },
  }
}
