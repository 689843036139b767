import { describe, expect, test } from 'vitest'
import { NotStorable } from '../port.ts'
import type { StoredRecommendation } from '../port-recommendations.ts'
import type { ContractContext } from './contract-context.case.ts'

const rowOf = (id: string, more: Partial<StoredRecommendation> = {}): StoredRecommendation => ({
  id,
  version: 0,
  decided: false,
  advisedAt: 1_800_000_000_000,
  json: `{"of":"${id}"}`,
  ...more,
})
const many = 10_000

export function recommendationsContract({ fresh, freshStore }: ContractContext): void {
  describe('recommendations', () => {
    test('can be read by every node and after a restart, in order of id', async () => {
      const database = await fresh()
      const [one, two] = [await database.open(), await database.open()]
      const all = { limit: 100 }
      expect(await one.recommendations.page('acme', all)).toEqual([])
      expect(
        await one.recommendations.write('acme', [rowOf('b'), rowOf('a', { decided: true })], many),
      ).toEqual([])
      const first = rowOf('a', { version: 1, decided: true })
      expect(await two.recommendations.page('acme', all)).toEqual([first, rowOf('b', { version: 1 })])
      expect(await two.recommendations.page('other', all)).toEqual([])
      await Promise.all([one.close(), two.close()])
      const after = await database.open()
      expect(await after.recommendations.page('acme', { limit: 1, after: 'a' })).toEqual([
        rowOf('b', { version: 1 }),
      ])
      expect(await after.recommendations.page('acme', { limit: 100, decided: true })).toEqual([first])
      expect(await after.recommendations.find('acme', ['b', 'none', 'x\0'])).toEqual([
        rowOf('b', { version: 1 }),
      ])
      expect(await after.recommendations.find('acme', [])).toEqual([])
    })

    test('of two writers that read the same version, one succeeds', async () => {
      const store = (await freshStore()).recommendations
      await store.write('acme', [rowOf('a'), rowOf('b')], many)
      expect(await store.write('acme', [rowOf('a'), rowOf('c')], many)).toEqual(['a'])
      const known = rowOf('a', { version: 1 })
      const results = await Promise.all([
        store.write('acme', [{ ...known, json: '1' }], many),
        store.write('acme', [{ ...known, json: '2' }, rowOf('b', { version: 1, json: 'both' })], many),
      ])
      expect(results.flat()).toEqual(['a'])
      const [a, b] = await store.find('acme', ['a', 'b'])
      expect(a).toMatchObject({ version: 2, json: results[0]!.length === 0 ? '1' : '2' })
      expect(b).toMatchObject({ version: 2, json: 'both' })
      expect(await store.write('acme', [rowOf('none', { version: 3 })], many)).toEqual(['none'])
    })

    test('beyond the limit, undecided ones that were advised longest ago are removed first', async () => {
      const store = (await freshStore()).recommendations
      const ids = async () => (await store.page('acme', { limit: 100 })).map(({ id }) => id)
      await store.write('other', [rowOf('x')], 1)
      await store.write(
        'acme',
        [
          rowOf('a', { decided: true, advisedAt: 1 }),
          rowOf('b', { advisedAt: 3 }),
          rowOf('c', { advisedAt: 2 }),
        ],
        2,
      )
      expect(await ids()).toEqual(['a', 'b'])
      await store.write('acme', [rowOf('d', { decided: true, advisedAt: 4 })], 2)
      expect(await ids()).toEqual(['a', 'd'])
      await store.write('acme', [rowOf('e', { decided: true, advisedAt: 5 })], 2)
      expect(await ids()).toEqual(['d', 'e'])
      expect(await store.page('other', { limit: 100 })).toHaveLength(1)
    })

    test('the list that was made last is stored, and can be read by every node', async () => {
      const database = await fresh()
      const [one, two] = [(await database.open()).recommendations, (await database.open()).recommendations]
      expect(await one.list('acme')).toBeUndefined()
      const listOf = (madeAt: number) => ({ madeAt, basis: `b${madeAt}`, bytes: Uint8Array.of(1, 0, 255) })
      await one.writeList('acme', listOf(1_800_000_000_000))
      await two.writeList('acme', listOf(1_800_000_000_002))
      await one.writeList('acme', listOf(1_800_000_000_001))
      expect(await one.list('acme')).toEqual(listOf(1_800_000_000_002))
      expect(await two.list('other')).toBeUndefined()
      expect(await two.list('a\0b')).toBeUndefined()
      await expect(two.writeList('a\0b', listOf(1))).rejects.toThrow(NotStorable)
    })

    test('values that cannot be stored are refused, and nothing of the call is written', async () => {
      const store = (await freshStore()).recommendations
      await expect(store.write('acme', [rowOf('a'), rowOf('b', { json: '\ud800' })], many)).rejects.toThrow(
        NotStorable,
      )
      await expect(store.write('a\0b', [rowOf('a')], many)).rejects.toThrow(NotStorable)
      expect(await store.page('acme', { limit: 100 })).toEqual([])
      expect(await store.page('a\0b', { limit: 100 })).toEqual([])
    })
  })
}
