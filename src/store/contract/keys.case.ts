import { describe, expect, test } from 'vitest'
import { NotStorable, type Store } from '../port.ts'
import type { ContractContext } from './contract-context.case.ts'
import { exampleKey, oddNames, unstorableTexts } from './examples.case.ts'

export function keysContract({ fresh, freshStore, twoNodes }: ContractContext): void {
  describe('keys', () => {
    test('are returned unchanged, oldest first', async () => {
      const store = await freshStore()
      const full = exampleKey('b', {
        organisation: 'other',
        scopes: [],
        createdAt: 1,
        expiresAt: 2 ** 52,
        revokedAt: 3,
        lastUsedAt: 0,
        replacedBy: 'c',
      })
      await store.keys.insert(exampleKey('c'))
      await store.keys.insert(exampleKey('a'))
      await store.keys.insert(full)
      expect(await store.keys.all()).toEqual([full, exampleKey('a'), exampleKey('c')])
    })

    test('an id is taken once', async () => {
      const store = await freshStore()
      await store.keys.insert(exampleKey('a'))
      await expect(store.keys.insert(exampleKey('a', { name: 'again' }))).rejects.toThrow()
      expect(await store.keys.all()).toEqual([exampleKey('a')])
    })

    test('exactly one of many nodes inserts the first', async () => {
      const database = await fresh()
      const nodes = await Promise.all(Array.from({ length: 4 }, () => database.open()))
      const attempts = nodes.flatMap((node, n) =>
        Array.from({ length: 5 }, (_, i) => node.keys.insertFirst(exampleKey(`k${n}-${i}`))),
      )
      const won = await Promise.all(attempts)
      expect(won.filter(Boolean)).toHaveLength(1)
      expect(await nodes[0]!.keys.all()).toHaveLength(1)
      expect(await nodes[0]!.changes.versions()).toEqual(new Map([['keys', 1]]))
    })

    const rotations = [
      { expiresAt: null, oldExpiresAt: 500, becomes: 500 },
      { expiresAt: 400, oldExpiresAt: 500, becomes: 400 },
      { expiresAt: 600, oldExpiresAt: 500, becomes: 500 },
    ]
    test.each(rotations)('a rotated key expires at the earlier time: $becomes', async (row) => {
      const store = await freshStore()
      const old = exampleKey('old', { expiresAt: row.expiresAt })
      await store.keys.insert(old)
      expect(await store.keys.rotate('old', exampleKey('new'), row.oldExpiresAt)).toBe(true)
      expect(await store.keys.all()).toEqual([
        exampleKey('new'),
        { ...old, expiresAt: row.becomes, replacedBy: 'new' },
      ])
      expect((await store.changes.versions()).get('keys')).toBe(2)
    })

    const refusals = [
      { why: 'unknown', old: exampleKey('other') },
      { why: 'revoked', old: exampleKey('old', { revokedAt: 5 }) },
      { why: 'replaced already', old: exampleKey('old', { replacedBy: 'third' }) },
    ]
    test.each(refusals)('a key that is $why is not rotated', async ({ old }) => {
      const store = await freshStore()
      await store.keys.insert(old)
      expect(await store.keys.rotate('old', exampleKey('new'), 500)).toBe(false)
      expect(await store.keys.all()).toEqual([old])
      expect((await store.changes.versions()).get('keys')).toBe(1)
    })

    test('of two concurrent rotations one succeeds, and a failed one leaves nothing', async () => {
      const [one, two] = await twoNodes()
      await one.keys.insert(exampleKey('old'))
      const won = await Promise.all([
        one.keys.rotate('old', exampleKey('a'), 500),
        two.keys.rotate('old', exampleKey('b'), 500),
      ])
      expect(won.toSorted()).toEqual([false, true])
      const before = await one.keys.all()
      const winner = won[0] ? 'a' : 'b'
      await expect(one.keys.rotate(winner, exampleKey('old'), 500)).rejects.toThrow()
      expect(await two.keys.all()).toEqual(before)
    })

    test('revoking keeps the first time', async () => {
      const store = await freshStore()
      await store.keys.insert(exampleKey('a'))
      expect(await store.keys.revoke('a', 7)).toEqual(exampleKey('a', { revokedAt: 7 }))
      expect(await store.keys.revoke('a', 9)).toEqual(exampleKey('a', { revokedAt: 7 }))
      expect(await store.keys.revoke('b', 9)).toBeUndefined()
      expect(await store.keys.all()).toEqual([exampleKey('a', { revokedAt: 7 })])
    })

    test('the last use never decreases, and changes no topic', async () => {
      const [one, two] = await twoNodes()
      for (const id of ['a', 'b']) await one.keys.insert(exampleKey(id))
      const before = await one.changes.versions()
      const touch = (store: Store, uses: Record<string, number>) =>
        store.keys.touch(new Map(Object.entries(uses)))
      await touch(one, { a: 5, b: 1, unknown: 1 })
      await Promise.all([touch(one, { a: 3, b: 8 }), touch(two, { b: 9, a: 4 })])
      await touch(one, {})
      expect((await two.keys.all()).map((key) => key.lastUsedAt)).toEqual([5, 9])
      expect(await one.changes.versions()).toEqual(before)
    })

    test('unusual names are accepted', async () => {
      const store = await freshStore()
      const ids = oddNames.filter((name) => name.length <= 100)
      for (const id of ids) await store.keys.insert(exampleKey(id, { organisation: id, name: id }))
      const kept = await store.keys.all()
      expect(kept.map((key) => key.id).toSorted()).toEqual(ids.toSorted())
      for (const key of kept) expect(key).toEqual(exampleKey(key.id, { organisation: key.id, name: key.id }))
      for (const id of ids) expect((await store.keys.revoke(id, 1))?.id).toBe(id)
    })

    test('texts that no database can store are refused in a record and unknown as an id', async () => {
      const store = await freshStore()
      await store.keys.insert(exampleKey('a'))
      const records = unstorableTexts.flatMap((text) => [
        exampleKey(text),
        exampleKey('b', { name: text }),
        exampleKey('b', { organisation: text }),
      ])
      for (const record of [...records, exampleKey('b', { createdAt: 0.5 })]) {
        await expect(store.keys.insert(record)).rejects.toThrow(NotStorable)
        await expect(store.keys.rotate('a', record, 5)).rejects.toThrow(NotStorable)
      }
      for (const text of unstorableTexts) {
        expect(await store.keys.revoke(text, 1)).toBeUndefined()
        expect(await store.keys.rotate(text, exampleKey('c'), 1)).toBe(false)
        await store.keys.touch(new Map([[text, 1]]))
      }
      expect(await store.keys.all()).toEqual([exampleKey('a')])
    })
  })
}
