import { describe, expect, test } from 'vitest'
import { type NewAnswer, NotStorable, type Store } from '../port.ts'
import type { ContractContext } from './contract-context.case.ts'
import { oddNames, unstorableTexts } from './examples.case.ts'

const answerOf = (computedAt: number, ...bytes: number[]): NewAnswer => ({
  basis: 'same',
  computedAt,
  expiresAt: computedAt + 100,
  bytes: Uint8Array.from(bytes),
})

const most = 3

export function answersContract({ fresh, freshStore, twoNodes }: ContractContext): void {
  describe('answers', () => {
    const bytesOf = async (
      { answers }: Store,
      name: string,
      at = 0,
      basis = 'same',
      organisation = 'acme',
    ) => {
      const found = await answers.read(organisation, name, basis, at)
      return found && [...found.bytes]
    }

    test('can be read by every node and after a restart, by organisation and name', async () => {
      const database = await fresh()
      const [one, other] = [await database.open(), await database.open()]
      for (const [index, name] of oddNames.entries())
        await one.answers.write('acme', name, answerOf(5, index, 0, 255), oddNames.length)
      for (const [index, name] of oddNames.entries())
        expect(await bytesOf(other, name)).toEqual([index, 0, 255])
      expect(await bytesOf(other, oddNames[0]!, 0, 'same', 'other')).toBeUndefined()
      expect(await bytesOf(other, 'none')).toBeUndefined()
      await Promise.all([one.close(), other.close()])
      const { basis, ...stored } = answerOf(5, 0, 0, 255)
      expect(await (await database.open()).answers.read('acme', oddNames[0]!, basis, 0)).toEqual(stored)
    })

    test('are found until they expire, while their basis is the same', async () => {
      const store = await freshStore()
      await store.answers.write('acme', 'a', answerOf(1000, 1), most)
      expect(await bytesOf(store, 'a', 1099)).toEqual([1])
      expect(await store.answers.computedAt('acme', 'a', 'same', 1099)).toBe(1000)
      expect(await store.answers.computedAt('acme', 'a', 'same', 1100)).toBeUndefined()
      expect(await store.answers.computedAt('acme', 'a', 'other', 1099)).toBeUndefined()
      expect(await bytesOf(store, 'a', 1100)).toBeUndefined()
      expect(await bytesOf(store, 'a', 1099, 'other')).toBeUndefined()
      await store.answers.write('acme', 'a', { ...answerOf(1001, 2), basis: 'other' }, most)
      expect(await bytesOf(store, 'a', 1050)).toBeUndefined()
      expect(await bytesOf(store, 'a', 1050, 'other')).toEqual([2])
    })

    test('the one computed later stays, whichever node writes last', async () => {
      const [one, other] = await twoNodes()
      await one.answers.write('acme', 'a', answerOf(1000, 1), most)
      await other.answers.write('acme', 'a', answerOf(999, 2), most)
      expect(await bytesOf(one, 'a')).toEqual([1])
      await other.answers.write('acme', 'a', answerOf(1001, 3), most)
      expect(await bytesOf(one, 'a')).toEqual([3])
    })

    test('one from a clock that is far ahead is replaced', async () => {
      const store = await freshStore()
      await store.answers.write('acme', 'a', answerOf(90_000, 1), most)
      await store.answers.write('acme', 'a', answerOf(1000, 2), most)
      expect(await bytesOf(store, 'a')).toEqual([2])
    })

    test('the oldest are removed beyond the limit, and pruning removes expired ones', async () => {
      const store = await freshStore()
      await store.answers.write('other', 'x', answerOf(1, 9), most)
      for (const [index, name] of ['a', 'b', 'c', 'd'].entries())
        await store.answers.write('acme', name, answerOf(1000 + index, index), most)
      expect(await bytesOf(store, 'a')).toBeUndefined()
      for (const name of ['b', 'c', 'd']) expect(await bytesOf(store, name)).toBeDefined()
      expect(await bytesOf(store, 'x', 0, 'same', 'other')).toEqual([9])
      await store.answers.prune(1102)
      for (const name of ['b', 'c']) expect(await bytesOf(store, name)).toBeUndefined()
      expect(await bytesOf(store, 'd')).toBeDefined()
      expect(await bytesOf(store, 'x', 0, 'same', 'other')).toBeUndefined()
    })

    test('may be many megabytes', async () => {
      const store = await freshStore()
      const bytes = new Uint8Array(16 << 20).fill(7)
      await store.answers.write('acme', 'a', { ...answerOf(5), bytes }, most)
      expect(Buffer.compare((await store.answers.read('acme', 'a', 'same', 0))!.bytes, bytes)).toBe(0)
    })

    test('values that no database can store are refused', async () => {
      const store = await freshStore()
      for (const text of unstorableTexts) {
        await expect(store.answers.write('acme', text, answerOf(1), most)).rejects.toThrow(NotStorable)
        await expect(store.answers.write(text, 'a', answerOf(1), most)).rejects.toThrow(NotStorable)
        await expect(store.answers.write('acme', 'a', { ...answerOf(1), basis: text }, most)).rejects.toThrow(
          NotStorable,
        )
        expect(await bytesOf(store, text)).toBeUndefined()
      }
      await expect(store.answers.write('acme', 'a', answerOf(0.5), most)).rejects.toThrow(NotStorable)
    })
  })
}
