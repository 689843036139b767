import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from './open.ts'
import type { Store } from './port.ts'
import { withLease } from './with-lease.ts'

const directory = mkdtempSync(join(tmpdir(), 'cheapside-leases-'))
let store: Store
beforeAll(async () => {
  store = await openStore({ dataDirectory: directory })
})
afterAll(async () => {
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

test('a lease is renewed until the work ends, and has one holder', async () => {
  const renewed: string[] = []
  const counted: Store['leases'] = {
    ...store.leases,
    acquire: (name, ...rest) => {
      renewed.push(name)
      return store.leases.acquire(name, ...rest)
    },
  }
  const other = () => withLease(store.leases, 'of/a', { ttlMs: 60_000 }, async () => 'other')
  const one = await withLease(counted, 'of/a', { ttlMs: 400 }, async (lost) => {
    await expect.poll(() => renewed.length, { timeout: 60_000 }).toBeGreaterThan(3)
    expect(await other()).toBeUndefined()
    expect(lost.aborted).toBe(false)
    return 'one'
  })
  expect([one, new Set(renewed)]).toEqual(['one', new Set(['of/a'])])
  expect(await other()).toBe('other')
  const failing = withLease(store.leases, 'of/a', { ttlMs: 60_000 }, () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  expect(await other()).toBe('other')
})

test('the work learns that another holder took the lease over', async () => {
  await withLease(store.leases, 'of/b', { ttlMs: 400, holder: 'one' }, async (lost) => {
    await store.leases.release('of/b', 'one')
    expect(await store.leases.acquire('of/b', 'other', 60_000)).toBe(true)
    await expect.poll(() => lost.aborted, { timeout: 60_000 }).toBe(true)
  })
  expect(await store.leases.held('of/b')).toEqual(['of/b'])
})
