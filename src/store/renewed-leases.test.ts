import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from './open.ts'
import type { Store } from './port.ts'
import { RenewedLeases } from './renewed-leases.ts'

const directory = mkdtempSync(join(tmpdir(), 'cheapside-leases-'))
let store: Store
beforeAll(async () => {
  store = await openStore({ dataDirectory: directory })
})
afterAll(async () => {
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

test('a lease is renewed until it is released, and has one holder', async () => {
  const renewed: string[] = []
  const counted: Store['leases'] = {
    ...store.leases,
    acquire: (name, ...rest) => {
      renewed.push(name)
      return store.leases.acquire(name, ...rest)
    },
  }
  const [one, other] = [
    new RenewedLeases({ leases: counted }, 'of/', 400),
    new RenewedLeases(store, 'of/', 60_000),
  ]
  expect(await one.acquire('a')).toBe(true)
  await expect.poll(() => renewed.length, { timeout: 60_000 }).toBeGreaterThan(3)
  expect(new Set(renewed)).toEqual(new Set(['of/a']))
  await one.release('a')
  expect(await other.acquire('a')).toBe(true)
  expect(await one.acquire('a')).toBe(false)
  await one.release('a')
  expect(await one.acquire('a')).toBe(false)
  await other.release('a')
  expect(await one.acquire('a')).toBe(true)
  await one.release('a')
})
