import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { openStore } from './open.ts'
import type { Store } from './port.ts'

/** Opens an embedded store for the tests of one file and removes it after them. */
export function withTestStore(take: (store: Store) => void): void {
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-store-'))
  let opened: Store | undefined
  beforeAll(async () => {
    opened = await openStore({ dataDirectory: directory })
    take(opened)
  })
  afterAll(async () => {
    await opened?.close()
    rmSync(directory, { recursive: true, force: true })
  })
}
