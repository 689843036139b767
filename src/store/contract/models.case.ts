import { describe, expect, test } from 'vitest'
import { NotStorable, type StoredModel } from '../port.ts'
import type { ContractContext } from './contract-context.case.ts'

const modelOf = (trainedAt: number, ...bytes: number[]): StoredModel => ({
  trainedAt,
  format: 'test',
  bytes: Uint8Array.from(bytes),
})

export function modelsContract({ fresh, freshStore }: ContractContext): void {
  describe('models', () => {
    test('are there for every node and after a restart; the one trained later is kept', async () => {
      const database = await fresh()
      const [one, two] = [await database.open(), await database.open()]
      expect(await one.models.trainedAt('acme')).toBeUndefined()
      expect(await one.models.read('acme')).toBeUndefined()
      await one.models.write('acme', modelOf(1_800_000_000_000, 1, 0, 255))
      expect(await two.models.trainedAt('acme')).toBe(1_800_000_000_000)
      expect(await two.models.trainedAt('other')).toBeUndefined()
      await two.models.write('acme', modelOf(1_800_000_000_002, 2))
      await one.models.write('acme', modelOf(1_800_000_000_001, 3))
      await Promise.all([one.close(), two.close()])
      const after = await database.open()
      expect(await after.models.read('acme')).toEqual(modelOf(1_800_000_000_002, 2))
    })

    test('may be many megabytes', async () => {
      const store = await freshStore()
      const bytes = new Uint8Array(9 * 2 ** 20).fill(7)
      await store.models.write('acme', { ...modelOf(5), bytes })
      const { bytes: back } = (await store.models.read('acme'))!
      expect(Buffer.compare(back, bytes)).toBe(0)
    })

    test('values that cannot be stored are refused', async () => {
      const store = await freshStore()
      await expect(store.models.write('acme', modelOf(0.5))).rejects.toThrow(NotStorable)
      await expect(store.models.write('a\0b', modelOf(1))).rejects.toThrow(NotStorable)
      expect(await store.models.read('a\0b')).toBeUndefined()
    })
  })
}
