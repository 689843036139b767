import { describe, expect, test } from 'vitest'
import { watchChanges } from '../watch.ts'
import type { ContractContext } from './contract-context.case.ts'
import { exampleEntry, exampleKey } from './examples.case.ts'

export function changesContract({ fresh, twoNodes }: ContractContext): void {
  describe('changes', () => {
    test('every store on the database gets a hint, until it unsubscribes', async () => {
      const [one, two] = await twoNodes()
      const hinted = (store: typeof one) =>
        new Promise<number>((resolve) => {
          const stop = store.changes.subscribe(() => {
            store.changes.versions().then((versions) => {
              if (versions.get('keys') !== 1) return
              stop()
              resolve(1)
            })
          })
        })
      const all = [hinted(one), hinted(two), hinted(two)]
      await one.keys.insert(exampleKey('a'))
      expect(await Promise.all(all)).toEqual([1, 1, 1])
    })

    test('a node learns which topics another node changed', async () => {
      const [one, two] = await twoNodes()
      const heard = new Set<string>()
      const complete = Promise.withResolvers<void>()
      const watch = watchChanges(two.changes, {
        pollMs: 200,
        onError: complete.reject,
        onChange(topic) {
          heard.add(topic)
          if (heard.size === 3) complete.resolve()
        },
      })
      await one.keys.insert(exampleKey('a'))
      await one.marketplace.register('acme', [exampleEntry('a')])
      await one.marketplace.register('__proto__', [exampleEntry('a')])
      await complete.promise
      watch.stop()
      expect(heard).toEqual(new Set(['keys', 'marketplace/acme', 'marketplace/__proto__']))
    })

    test('data is readable as soon as its version is', async () => {
      const database = await fresh()
      const [writer, reader] = [await database.open(), await database.open()]
      const writing = Promise.all(
        Array.from({ length: 30 }, (_, n) => writer.keys.insert(exampleKey(`k${n}`))),
      )
      for (let version = 0; version < 30; ) {
        version = (await reader.changes.versions()).get('keys') ?? 0
        expect((await reader.keys.all()).length).toBeGreaterThanOrEqual(version)
      }
      await writing
    })
  })
}
