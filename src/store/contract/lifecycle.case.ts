import { describe, expect, test } from 'vitest'
import { StoreTooNew, StoreUnavailable } from '../port.ts'
import type { ContractContext } from './contract-context.case.ts'
import { exampleEntry, exampleKey, sentEntry } from './examples.case.ts'

export function lifecycleContract({ fresh, freshStore }: ContractContext): void {
  describe('opening and closing', () => {
    test('written data is readable after a restart', async () => {
      const database = await fresh()
      const before = await database.open()
      await before.keys.insert(exampleKey('a'))
      await before.marketplace.register('acme', [exampleEntry('a')])
      await before.close()
      const after = await database.open()
      await after.ping()
      expect(await after.keys.all()).toEqual([exampleKey('a')])
      const { entries } = await after.marketplace.page('acme', { limit: 5 })
      expect(entries.map(sentEntry)).toEqual([exampleEntry('a')])
      expect(Object.fromEntries(await after.changes.versions())).toEqual({ keys: 1, 'marketplace/acme': 1 })
    })

    test('several nodes may create the same database concurrently', async () => {
      const database = await fresh()
      const nodes = await Promise.all(Array.from({ length: 6 }, () => database.open()))
      await Promise.all(nodes.map((node, n) => node.keys.insert(exampleKey(`k${n}`))))
      expect(await nodes[0]!.keys.all()).toHaveLength(6)
    })

    test('a newer database is refused and not changed', async () => {
      const database = await fresh()
      const store = await database.open()
      await store.keys.insert(exampleKey('a'))
      await store.close()
      await database.setVersion(99)
      const refused = database.open()
      await expect(refused).rejects.toThrow(StoreTooNew)
      await expect(refused).rejects.toThrow(/version 99.*versions up to \d+/)
    })

    test('close waits for running calls, can be repeated, and ends everything', async () => {
      const store = await freshStore()
      const writing = store.keys.insert(exampleKey('a'))
      const closing = Promise.all([store.close(), store.close()])
      await writing
      await closing
      await expect(store.ping()).rejects.toThrow(StoreUnavailable)
      await expect(store.keys.all()).rejects.toThrow(StoreUnavailable)
      await expect(store.keys.insert(exampleKey('b'))).rejects.toThrow(StoreUnavailable)
    })
  })
}
