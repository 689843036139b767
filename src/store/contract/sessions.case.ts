import { describe, expect, test } from 'vitest'
import type { SessionRecord } from '../../domain/key.ts'
import { NotStorable } from '../port.ts'
import type { ContractContext } from './contract-context.case.ts'
import { exampleKey, unstorableTexts } from './examples.case.ts'

const session = (tokenHash: string, more: Partial<SessionRecord> = {}): SessionRecord => ({
  tokenHash,
  keyId: 'a',
  createdAt: 100,
  expiresAt: 1_000,
  ...more,
})

export function sessionsContract({ fresh }: ContractContext): void {
  const storeWithKeys = async () => {
    const database = await fresh()
    const store = await database.open()
    for (const id of ['a', 'b']) await store.keys.insert(exampleKey(id))
    return { store, other: await database.open() }
  }

  describe('sessions', () => {
    test('can be read by every node, oldest first, until they are removed', async () => {
      const { store, other } = await storeWithKeys()
      const [late, early] = [session('x', { createdAt: 200 }), session('y', { keyId: 'b' })]
      await store.sessions.insert(late, 5)
      await store.sessions.insert(early, 5)
      expect(await other.sessions.all()).toEqual([early, late])
      expect((await other.changes.versions()).get('sessions')).toBe(2)
      expect(await other.sessions.remove('x')).toBe(true)
      expect(await other.sessions.remove('x')).toBe(false)
      expect(await store.sessions.all()).toEqual([early])
      expect((await store.changes.versions()).get('sessions')).toBe(3)
    })

    test('expired ones are removed when another begins', async () => {
      const { store } = await storeWithKeys()
      await store.sessions.insert(session('x', { expiresAt: 150 }), 5)
      await store.sessions.insert(session('y', { keyId: 'b', expiresAt: 151 }), 5)
      await store.sessions.insert(session('z', { createdAt: 150 }), 5)
      expect((await store.sessions.all()).map(({ tokenHash }) => tokenHash)).toEqual(['y', 'z'])
    })

    test('the number per key is limited, and the oldest are removed first', async () => {
      const { store, other } = await storeWithKeys()
      await store.sessions.insert(session('of b', { keyId: 'b' }), 2)
      await Promise.all(
        Array.from({ length: 6 }, (_, i) =>
          (i % 2 === 0 ? store : other).sessions.insert(session(`${i}`, { createdAt: 101 + i }), 2),
        ),
      )
      const kept = await store.sessions.all()
      expect(kept.filter(({ keyId }) => keyId === 'a')).toHaveLength(2)
      expect(kept.filter(({ keyId }) => keyId === 'b')).toHaveLength(1)
    })

    test('sessions of an unknown key, duplicates and unstorable texts are refused', async () => {
      const { store } = await storeWithKeys()
      await expect(store.sessions.insert(session('x', { keyId: 'none' }), 5)).rejects.toThrow()
      await store.sessions.insert(session('x'), 5)
      await expect(store.sessions.insert(session('x'), 5)).rejects.toThrow()
      for (const text of unstorableTexts) {
        await expect(store.sessions.insert(session(text), 5)).rejects.toThrow(NotStorable)
        expect(await store.sessions.remove(text)).toBe(false)
      }
      expect(await store.sessions.all()).toEqual([session('x')])
    })
  })
}
