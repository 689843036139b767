import { describe, expect, test } from 'vitest'
import { NotStorable } from '../port.ts'
import type { ContractContext } from './contract-context.case.ts'

export function documentsContract({ fresh, freshStore }: ContractContext): void {
  describe('documents', () => {
    test('are there by name for every node and after a restart, until they are removed', async () => {
      const database = await fresh()
      const [one, two] = [await database.open(), await database.open()]
      const [first, second] = [Uint8Array.from([1, 0, 255]), new Uint8Array(2 ** 20).fill(7)]
      expect(await one.documents.read('acme', 'a')).toBeUndefined()
      await one.documents.write('acme', 'a', second)
      await two.documents.write('acme', 'a', first)
      await one.documents.write('acme', 'b', second)
      await two.documents.write('other', 'a', second)
      expect(await two.documents.read('acme', 'b')).toEqual(second)
      await one.documents.remove('acme', ['b', 'unknown', 'c\0'])
      await one.documents.remove('nobody', [])
      await Promise.all([one.close(), two.close()])
      const { documents } = await database.open()
      expect(await documents.read('acme', 'a')).toEqual(first)
      expect(await documents.read('acme', 'b')).toBeUndefined()
      expect(await documents.read('other', 'a')).toEqual(second)
    })

    test('names that cannot be stored are refused', async () => {
      const { documents } = await freshStore()
      await expect(documents.write('acme', 'a\0', new Uint8Array(1))).rejects.toThrow(NotStorable)
      expect(await documents.read('acme', 'a\0')).toBeUndefined()
    })
  })
}
