import { describe, expect, test } from 'vitest'
import { EntryExists, NotStorable, type Store } from '../port.ts'
import type { ContractContext } from './contract-context.case.ts'
import { exampleEntry, sentEntry, unstorableTexts } from './examples.case.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const versionBeforeIds = 5
const unknownId = '00000000-0000-4000-8000-000000000000'

export function marketplaceIdsContract({ fresh, freshStore, twoNodes }: ContractContext): void {
  const idsOf = async (store: Store, organisation = 'acme') => {
    const { entries } = await store.marketplace.page(organisation, { limit: 100 })
    return new Map(entries.map((entry) => [entry.instanceType, entry.id]))
  }

  describe('ids of marketplace entries', () => {
    test('are UUIDs, and stay when the same natural key is registered again', async () => {
      const store = await freshStore()
      await store.marketplace.register('acme', [exampleEntry('a'), exampleEntry('b')])
      const before = await idsOf(store)
      for (const id of before.values()) expect(id).toMatch(uuid)
      expect(new Set(before.values()).size).toBe(2)
      await store.marketplace.register('acme', [exampleEntry('a', { pricePerHourUsd: 9 }), exampleEntry('c')])
      const after = await idsOf(store)
      expect([after.get('a'), after.get('b')]).toEqual([before.get('a'), before.get('b')])
      expect(after.get('c')).toMatch(uuid)
      await store.marketplace.remove('acme', 'cellar')
      await store.marketplace.register('acme', [exampleEntry('a')])
      expect((await idsOf(store)).get('a')).not.toBe(before.get('a'))
    })

    test('entries are found by natural key and by id, in their own organisation alone', async () => {
      const store = await freshStore()
      await store.marketplace.register('acme', [exampleEntry('a'), exampleEntry('b')])
      await store.marketplace.register('other', [exampleEntry('a', { vcpus: 9 })])
      const keys = [exampleEntry('b'), exampleEntry('missing'), exampleEntry('a')]
      const found = await store.marketplace.find('acme', keys)
      expect(found.map(sentEntry)).toEqual(expect.arrayContaining([exampleEntry('a'), exampleEntry('b')]))
      expect(found).toHaveLength(2)
      expect(found.every(({ createdAt, updatedAt }) => createdAt > 0 && updatedAt >= createdAt)).toBe(true)
      const [first] = found
      expect(await store.marketplace.findById('acme', first!.id)).toEqual(first)
      expect(await store.marketplace.findById('acme', first!.id.toUpperCase())).toEqual(first)
      expect(await store.marketplace.findById('other', first!.id)).toBeUndefined()
      for (const id of [unknownId, '', 'x', ...unstorableTexts]) {
        expect(await store.marketplace.findById('acme', id)).toBeUndefined()
        expect(await store.marketplace.change('acme', id, {})).toBeUndefined()
        expect(await store.marketplace.removeById('acme', id)).toBeUndefined()
      }
      expect(await store.marketplace.find('acme', [])).toEqual([])
      const odd = unstorableTexts.map((region) => exampleEntry('a', { region }))
      expect(await store.marketplace.find('acme', odd)).toEqual([])
    })

    test('a change keeps the id and everything that is not changed', async () => {
      const store = await freshStore()
      await store.marketplace.register('acme', [exampleEntry('a'), exampleEntry('b')])
      const id = (await idsOf(store)).get('a')!
      const changed = await store.marketplace.change('acme', id, { instanceType: 'c', pricePerHourUsd: 7 })
      expect(changed).toMatchObject({ ...exampleEntry('c', { pricePerHourUsd: 7 }), id })
      expect(await store.marketplace.findById('acme', id)).toEqual(changed)
      expect((await store.changes.versions()).get('marketplace/acme')).toBe(2)
      await expect(store.marketplace.change('acme', id, { instanceType: 'b' })).rejects.toThrow(EntryExists)
      await expect(store.marketplace.change('acme', id, { vcpus: Number.NaN })).rejects.toThrow(NotStorable)
      expect(await store.marketplace.change('other', id, { vcpus: 1 })).toBeUndefined()
      expect(await store.marketplace.findById('acme', id)).toEqual(changed)
      expect((await store.changes.versions()).get('marketplace/acme')).toBe(2)
    })

    test('entries of a database without ids get one each', async () => {
      const database = await fresh()
      await database.migrateTo(versionBeforeIds)
      await database.execute(`INSERT INTO organisations (id, created_at) VALUES ('acme', 0)`)
      for (const type of ['a', 'b'])
        await database.execute(
          `INSERT INTO marketplace_entries VALUES
           ('acme', 'cellar', 'compute', 'north', '', '${type}', 'Linux', 'ONDEMAND', 0.1, 2, 4, '{}')`,
        )
      const store = await database.open()
      const { entries } = await store.marketplace.page('acme', { limit: 9 })
      expect(entries.map(sentEntry)).toEqual([exampleEntry('a'), exampleEntry('b')])
      expect(new Set(entries.map(({ id }) => id)).size).toBe(2)
      for (const { id, createdAt } of entries) {
        expect(id).toMatch(uuid)
        expect(createdAt).toBeGreaterThan(0)
        expect((await store.marketplace.findById('acme', id))!.id).toBe(id)
      }
    })

    test('concurrent changes of different members are both stored', async () => {
      const [one, two] = await twoNodes()
      await one.marketplace.register('acme', [exampleEntry('a')])
      const id = (await idsOf(one)).get('a')!
      await Promise.all([
        one.marketplace.change('acme', id, { vcpus: 64 }),
        two.marketplace.change('acme', id, { ramGib: 512 }),
      ])
      expect(await one.marketplace.findById('acme', id)).toMatchObject({ vcpus: 64, ramGib: 512 })
    })

    test('one entry is removed by its id', async () => {
      const store = await freshStore()
      await store.marketplace.register('acme', [exampleEntry('a'), exampleEntry('b')])
      const id = (await idsOf(store)).get('a')!
      expect(await store.marketplace.removeById('other', id)).toBeUndefined()
      expect(await store.marketplace.removeById('acme', id)).toMatchObject({ ...exampleEntry('a'), id })
      expect(await store.marketplace.removeById('acme', id)).toBeUndefined()
      expect([...(await idsOf(store)).keys()]).toEqual(['b'])
      expect((await store.changes.versions()).get('marketplace/acme')).toBe(2)
    })

    test('pages by service, region, type and usage type, and from an offset', async () => {
      const store = await freshStore()
      const entries = [
        exampleEntry('a'),
        exampleEntry('b', { region: 'south' }),
        exampleEntry('c', { service: 'metal' }),
        exampleEntry('d', { usageType: 'RESERVED' }),
      ]
      await store.marketplace.register('acme', entries)
      const types = async (query: object) =>
        (await store.marketplace.page('acme', { limit: 9, ...query })).entries.map((e) => e.instanceType)
      expect(await types({ service: 'metal' })).toEqual(['c'])
      expect(await types({ region: 'south' })).toEqual(['b'])
      expect(await types({ instanceType: 'a' })).toEqual(['a'])
      expect(await types({ usageType: 'RESERVED' })).toEqual(['d'])
      expect(await types({ usageType: 'RESERVED', region: 'south' })).toEqual([])
      expect(await types({ offset: 1, limit: 2 })).toEqual((await types({})).slice(1, 3))
      expect(await types({ offset: 9 })).toEqual([])
      expect(await types({ region: '\0' })).toEqual([])
    })
  })
}
