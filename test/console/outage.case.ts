import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type RunningService, startService } from '../service.ts'
import { type Bench, startBench } from './console.ts'

/** A console whose service can be killed, and started again at the same address with the same data. */
export function outageBench() {
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-outage-'))
  let bench: Bench
  let service: RunningService
  beforeAll(async () => {
    bench = await startBench({}, directory)
    service = bench.service
  })
  afterAll(async () => {
    await service?.stop()
    await bench?.stop()
    rmSync(directory, { recursive: true, force: true })
  })
  return {
    bench: () => bench,
    kill: () => service.kill(),
    async startAgain() {
      const env = { CHEAPSIDE_LISTEN: new URL(bench.service.url).host }
      service = await startService({ env, directory, withoutKey: true })
    },
  }
}

/** Holds the code that a page requests from now on, until the returned function is called. */
export async function holdCode(page: Page): Promise<() => Promise<void>> {
  await page.getByLabel('API key').waitFor()
  const held: Route[] = []
  let isHeld = true
  await page.route('**/console/assets/**', (route) => (isHeld ? void held.push(route) : route.continue()))
  return async () => {
    isHeld = false
    for (const route of held) await route.continue()
  }
}
