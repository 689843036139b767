import { expect, test } from 'vitest'
import type { SessionRecord } from '../../domain/key.ts'
import { exampleKey } from '../../store/contract/examples.case.ts'
import type { SessionStore } from '../../store/port.ts'
import { SessionCache, tokenHashOf } from './session-cache.ts'

const token = 'a'.repeat(43)
const session = (more: Partial<SessionRecord> = {}): SessionRecord => ({
  tokenHash: tokenHashOf(token),
  keyId: 'k',
  createdAt: 0,
  expiresAt: 1_000,
  ...more,
})

function cacheOver(all: () => Promise<SessionRecord[]>, now = () => 500) {
  const sessions = { all } as Partial<SessionStore> as SessionStore
  return new SessionCache({ sessions }, { keyOf: (id) => (id === 'k' ? exampleKey(id) : undefined) }, now)
}

test('a token is valid until its session ends, as long as its key is valid', async () => {
  let time = 500
  const cache = cacheOver(
    async () => [session()],
    () => time,
  )
  expect(cache.authenticate(token)).toBeUndefined()
  await cache.load()
  expect(cache.authenticate(token)?.id).toBe('k')
  for (const other of ['', 'b'.repeat(43), `${token} `, tokenHashOf(token)])
    expect(cache.authenticate(other)).toBeUndefined()
  time = 1_000
  expect(cache.authenticate(token)).toBeUndefined()
  const ofNone = cacheOver(async () => [session({ keyId: 'gone' })])
  await ofNone.load()
  expect(ofNone.authenticate(token)).toBeUndefined()
})

test('a write of this node takes effect at once, and is not undone by a reading that began before', async () => {
  const releases: ((records: SessionRecord[]) => void)[] = []
  const cache = cacheOver(() => new Promise((resolve) => releases.push(resolve)))
  const before = cache.load()
  cache.put(session().tokenHash, session())
  expect(cache.authenticate(token)).toBeDefined()
  releases[0]!([])
  await before
  expect(cache.authenticate(token)).toBeDefined()

  const during = cache.load()
  cache.put(session().tokenHash, undefined)
  expect(cache.authenticate(token)).toBeUndefined()
  releases[1]!([session()])
  await during
  expect(cache.authenticate(token)).toBeUndefined()

  // A reading that began afterwards is newer.
  const after = cache.load()
  releases[2]!([session()])
  await after
  expect(cache.authenticate(token)).toBeDefined()
})

test('a slow older reading does not undo a newer one', async () => {
  const releases: ((records: SessionRecord[]) => void)[] = []
  const cache = cacheOver(() => new Promise((resolve) => releases.push(resolve)))
  const [older, newer] = [cache.load(), cache.load()]
  releases[1]!([])
  await newer
  releases[0]!([session()])
  await older
  expect(cache.authenticate(token)).toBeUndefined()
})
