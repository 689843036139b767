import { expect, test } from 'vitest'
import { type KeyRecord, scopes } from '../../domain/key.ts'
import type { KeyStore } from '../../store/port.ts'
import { prepareKey } from './issue-key.ts'
import { KeyCache } from './key-cache.ts'

const start = Date.UTC(2026, 10, 15)
const issue = (more = {}) => prepareKey(start, { organisation: 'acme', name: 'k', scopes, ...more })

/** A store with only the methods that the cache uses. */
function cacheOver(records: () => Promise<KeyRecord[]>, now = () => start) {
  const touched: ReadonlyMap<string, number>[] = []
  let broken = false
  const keys = {
    all: records,
    touch: async (uses) => {
      if (broken) throw new Error('away')
      touched.push(uses)
    },
  } as Partial<KeyStore> as KeyStore
  return { cache: new KeyCache({ keys }, now), touched, breakStore: (is: boolean) => (broken = is) }
}

test('a key is accepted from when it is loaded until it expires', async () => {
  let time = start
  const { key, record } = issue({ expiresAt: start + 1000 })
  const { cache } = cacheOver(
    async () => [record],
    () => time,
  )
  expect(cache.authenticate(key)).toBeUndefined()
  await cache.load()
  expect(cache.authenticate(key)).toEqual(record)
  time = start + 1000
  expect(cache.authenticate(key)).toBeUndefined()
})

test('another secret, another id, no key, a revoked key', async () => {
  const [good, other, revoked] = [issue(), issue(), issue()]
  const { cache } = cacheOver(async () => [
    good.record,
    other.record,
    { ...revoked.record, revokedAt: start },
  ])
  await cache.load()
  expect(cache.authenticate(good.key)).toBeDefined()
  expect(cache.authenticate(`csk_${good.record.id}_${other.key.split('_')[2]}`)).toBeUndefined()
  expect(cache.authenticate(revoked.key)).toBeUndefined()
  expect(cache.authenticate(undefined)).toBeUndefined()
  expect(cache.authenticate(`${good.key} `)).toBeUndefined()
})

test('a slow older reading does not undo a newer one', async () => {
  const { key, record } = issue()
  let releaseOld: (records: KeyRecord[]) => void = () => {}
  const old = new Promise<KeyRecord[]>((resolve) => {
    releaseOld = resolve
  })
  const readings = [old, Promise.resolve([{ ...record, revokedAt: start }])]
  const { cache } = cacheOver(() => readings.shift()!)
  const first = cache.load()
  await cache.load()
  releaseOld([record])
  await first
  expect(cache.authenticate(key)).toBeUndefined()
})

test('a write of this node takes effect at once, and is not undone by a reading that began before', async () => {
  const [before, issued, revoked] = [issue(), issue(), issue()]
  let release: (records: KeyRecord[]) => void = () => {}
  const slow = new Promise<KeyRecord[]>((resolve) => {
    release = resolve
  })
  const readings = [slow, Promise.resolve([before.record])]
  const { cache } = cacheOver(() => readings.shift()!)
  const load = cache.load()
  cache.put([issued.record, { ...revoked.record, revokedAt: start }])
  expect(cache.authenticate(issued.key)).toBeDefined()
  release([before.record, revoked.record])
  await load
  expect([before, issued, revoked].map(({ key }) => cache.authenticate(key) !== undefined)).toEqual([
    true,
    true,
    false,
  ])
  // A reading that began afterwards is newer: another node may have removed the key meanwhile.
  await cache.load()
  expect(cache.authenticate(issued.key)).toBeUndefined()
})

test('a rotation that ends after a revocation does not undo it', async () => {
  const { key, record } = issue()
  const { cache } = cacheOver(async () => [record])
  await cache.load()
  cache.put([{ ...record, revokedAt: start }])
  cache.put([{ ...record, expiresAt: start + 60_000, replacedBy: 'other' }])
  expect(cache.authenticate(key)).toBeUndefined()
})

test('last uses are written together, and kept while the store is unavailable', async () => {
  let time = start
  const [a, b] = [issue(), issue()]
  const { cache, touched, breakStore } = cacheOver(
    async () => [a.record, b.record],
    () => time,
  )
  await cache.load()
  cache.authenticate(a.key)
  cache.authenticate(b.key)
  breakStore(true)
  await expect(cache.flushUses()).rejects.toThrow('away')
  time += 5
  cache.authenticate(a.key)
  breakStore(false)
  await cache.flushUses()
  await cache.flushUses()
  expect(touched).toEqual([
    new Map([
      [a.record.id, start + 5],
      [b.record.id, start],
    ]),
  ])
})

test('a key shows when it was last used, once that is written', async () => {
  const { key, record } = issue()
  const { cache } = cacheOver(async () => [record])
  await cache.load()
  cache.authenticate(key)
  await cache.flushUses()
  expect(cache.authenticate(key)).toEqual({ ...record, lastUsedAt: start })
})

test('all invalid members of a new key are reported', () => {
  const request = {
    organisation: 'Acme Inc',
    name: 'a\nb',
    scopes: ['pricing:read', 'root'],
    expiresAt: start,
  }
  expect(() => prepareKey(start, request)).toThrow(
    expect.objectContaining({
      code: 'invalid',
      errors: ['/organisation', '/name', '/scopes', '/expires_at'].map((pointer) =>
        expect.objectContaining({ pointer }),
      ),
    }),
  )
})
