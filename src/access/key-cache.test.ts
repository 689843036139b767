import { expect, test } from 'vitest'
import { type KeyRecord, scopes } from '../domain/key.ts'
import { prepareKey } from '../operations/keys/issue-key.ts'
import type { KeyStore } from '../store/port.ts'
import { KeyCache } from './key-cache.ts'

const start = Date.UTC(2026, 10, 15)
const issue = (more = {}) => prepareKey(start, { organisation: 'acme', name: 'k', scopes, ...more })

/** A store of just what the ring asks for; the rest of the port has its own contract suite. */
function ringOver(records: () => Promise<KeyRecord[]>, now = () => start) {
  const touched: ReadonlyMap<string, number>[] = []
  let broken = false
  const keys = {
    all: records,
    touch: async (uses) => {
      if (broken) throw new Error('away')
      touched.push(uses)
    },
  } as Partial<KeyStore> as KeyStore
  return { ring: new KeyCache({ keys }, now), touched, breakStore: (is: boolean) => (broken = is) }
}

test('a key is honoured until it expires, and not before it is loaded', async () => {
  let time = start
  const { key, record } = issue({ expiresAt: start + 1000 })
  const { ring } = ringOver(
    async () => [record],
    () => time,
  )
  expect(ring.authenticate(key)).toBeUndefined()
  await ring.load()
  expect(ring.authenticate(key)).toEqual(record)
  time = start + 1000
  expect(ring.authenticate(key)).toBeUndefined()
})

test('another secret, another id, no key, a revoked key', async () => {
  const [good, other, revoked] = [issue(), issue(), issue()]
  const { ring } = ringOver(async () => [good.record, other.record, { ...revoked.record, revokedAt: start }])
  await ring.load()
  expect(ring.authenticate(good.key)).toBeDefined()
  expect(ring.authenticate(`csk_${good.record.id}_${other.key.split('_')[2]}`)).toBeUndefined()
  expect(ring.authenticate(revoked.key)).toBeUndefined()
  expect(ring.authenticate(undefined)).toBeUndefined()
  expect(ring.authenticate(`${good.key} `)).toBeUndefined()
})

test('a slow older reading does not undo a newer one', async () => {
  const { key, record } = issue()
  let releaseOld: (records: KeyRecord[]) => void = () => {}
  const old = new Promise<KeyRecord[]>((resolve) => {
    releaseOld = resolve
  })
  const readings = [old, Promise.resolve([{ ...record, revokedAt: start }])]
  const { ring } = ringOver(() => readings.shift()!)
  const first = ring.load()
  await ring.load()
  releaseOld([record])
  await first
  expect(ring.authenticate(key)).toBeUndefined()
})

test('what this node wrote counts at once, and outlives a reading that began before', async () => {
  const [before, issued, revoked] = [issue(), issue(), issue()]
  let release: (records: KeyRecord[]) => void = () => {}
  const slow = new Promise<KeyRecord[]>((resolve) => {
    release = resolve
  })
  const readings = [slow, Promise.resolve([before.record])]
  const { ring } = ringOver(() => readings.shift()!)
  const load = ring.load()
  ring.put([issued.record, { ...revoked.record, revokedAt: start }])
  expect(ring.authenticate(issued.key)).toBeDefined()
  release([before.record, revoked.record])
  await load
  expect([before, issued, revoked].map(({ key }) => ring.authenticate(key) !== undefined)).toEqual([
    true,
    true,
    false,
  ])
  // A reading that began afterwards knows better: another node may have removed it meanwhile.
  await ring.load()
  expect(ring.authenticate(issued.key)).toBeUndefined()
})

test('last uses are written together, and kept while the store is away', async () => {
  let time = start
  const [a, b] = [issue(), issue()]
  const { ring, touched, breakStore } = ringOver(
    async () => [a.record, b.record],
    () => time,
  )
  await ring.load()
  ring.authenticate(a.key)
  ring.authenticate(b.key)
  breakStore(true)
  await expect(ring.flushUses()).rejects.toThrow('away')
  time += 5
  ring.authenticate(a.key)
  breakStore(false)
  await ring.flushUses()
  await ring.flushUses()
  expect(touched).toEqual([
    new Map([
      [a.record.id, start + 5],
      [b.record.id, start],
    ]),
  ])
})

test('a key shows when it was last used, once that is written', async () => {
  const { key, record } = issue()
  const { ring } = ringOver(async () => [record])
  await ring.load()
  ring.authenticate(key)
  await ring.flushUses()
  expect(ring.authenticate(key)).toEqual({ ...record, lastUsedAt: start })
})

test('what a key may not be', () => {
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
