import { describe, expect, test } from 'vitest'
import { NotStorable } from '../port.ts'
import type { DecisionPlace, StoredDecision } from '../port-decisions.ts'
import type { ContractContext } from './contract-context.case.ts'

const shop = { kind: 'container', cluster: 'prod', namespace: 'shop' } as const
const machine: DecisionPlace = { kind: 'process', vm: 'web-1' }

const decision = (name: string, day: number, ...bytes: number[]): StoredDecision => ({
  name,
  day,
  bytes: Uint8Array.from(bytes),
})

export function decisionsContract({ fresh, freshStore }: ContractContext): void {
  describe('decisions', () => {
    test('can be read by every node and after a restart, by place, subject and day', async () => {
      const database = await fresh()
      const [one, two] = [await database.open(), await database.open()]
      expect(await one.decisions.read('acme', shop, ['a'], { from: 20_000, to: 20_001 })).toEqual([])
      await one.decisions.write('acme', shop, [
        decision('b', 20_001, 3),
        decision('a', 20_000, 1, 0, 255),
        decision('a', 20_001),
      ])
      await one.decisions.write('acme', machine, [decision('user\0nginx\0/', 20_001, 9)])
      const days = { from: 20_000, to: 20_002 }
      expect(await two.decisions.read('acme', shop, ['a'], days)).toEqual([
        decision('a', 20_000, 1, 0, 255),
        decision('a', 20_001),
      ])
      expect(await two.decisions.read('acme', shop, ['b', 'none'], days)).toEqual([decision('b', 20_001, 3)])
      expect(await two.decisions.read('acme', shop, ['a', 'b'], { from: 20_000, to: 20_001 })).toEqual([
        decision('a', 20_000, 1, 0, 255),
      ])
      expect(await two.decisions.read('acme', { ...shop, namespace: 'sho' }, ['a', 'p\0a'], days)).toEqual([])
      expect(await two.decisions.read('other', shop, ['a'], days)).toEqual([])
      expect(await two.decisions.read('acme', shop, [], days)).toEqual([])
      expect(await two.decisions.read('acme', shop, ['a'], { from: 5, to: 5 })).toEqual([])
      await Promise.all([one.close(), two.close()])
      const after = await database.open()
      expect(await after.decisions.read('acme', machine, ['user\0nginx\0/'], days)).toEqual([
        decision('user\0nginx\0/', 20_001, 9),
      ])
    })

    test('replace those of the same subject and day, also if two nodes write at once', async () => {
      const database = await fresh()
      const [one, two] = [await database.open(), await database.open()]
      await one.decisions.write('acme', shop, [decision('a', 20_000, 1), decision('b', 20_000, 1)])
      await Promise.all([
        one.decisions.write('acme', shop, [decision('a', 20_000, 2), decision('b', 20_000, 2)]),
        two.decisions.write('acme', shop, [decision('b', 20_000, 2), decision('a', 20_000, 2)]),
      ])
      expect(await one.decisions.read('acme', shop, ['a', 'b'], { from: 20_000, to: 20_001 })).toEqual([
        decision('a', 20_000, 2),
        decision('b', 20_000, 2),
      ])
    })

    test('old ones are removed, oldest first, and only those of the organisation', async () => {
      const store = await freshStore()
      const days = [10, 11, 12, 13]
      for (const organisation of ['acme', 'other'])
        await store.decisions.write(
          organisation,
          shop,
          days.map((day) => decision('a', day, day)),
        )
      const left = async (organisation: string) =>
        (await store.decisions.read(organisation, shop, ['a'], { from: 0, to: 20 })).map(({ day }) => day)
      expect(await store.decisions.prune('acme', 13, 2)).toBe(2)
      expect(await left('acme')).toEqual([12, 13])
      expect(await store.decisions.prune('acme', 13, 2)).toBe(1)
      expect(await store.decisions.prune('acme', 13, 2)).toBe(0)
      expect(await left('acme')).toEqual([13])
      expect(await left('other')).toEqual(days)
    })

    test('what cannot be stored is refused as a whole', async () => {
      const store = await freshStore()
      await expect(
        store.decisions.write('acme', shop, [decision('a', 1, 1), decision('b'.repeat(3000), 1, 1)]),
      ).rejects.toThrow(NotStorable)
      await expect(store.decisions.write('a\0b', shop, [decision('a', 1, 1)])).rejects.toThrow(NotStorable)
      expect(await store.decisions.read('acme', shop, ['a'], { from: 0, to: 9 })).toEqual([])
    })
  })
}
