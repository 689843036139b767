import { describe, expect, test } from 'vitest'
import { NotStorable } from '../port.ts'
import type { ContractContext } from './contract-context.case.ts'

export function settingsContract({ fresh, freshStore }: ContractContext): void {
  describe('settings', () => {
    test('can be read by every node and after a restart, until they are removed', async () => {
      const database = await fresh()
      const [one, two] = [await database.open(), await database.open()]
      expect(await one.settings.read('acme', 'sizing')).toBeUndefined()
      await one.settings.write('acme', 'sizing', '{"profile":"safe"}')
      expect(await two.settings.read('acme', 'sizing')).toBe('{"profile":"safe"}')
      await two.settings.write('acme', 'sizing', '{"profile":"größer 🙂"}')
      await Promise.all([one.close(), two.close()])
      const after = await database.open()
      expect(await after.settings.read('acme', 'sizing')).toBe('{"profile":"größer 🙂"}')
      await after.settings.write('acme', 'sizing', undefined)
      await after.settings.write('acme', 'sizing', undefined)
      expect(await after.settings.read('acme', 'sizing')).toBeUndefined()
    })

    test('are replaced only if nobody has changed them meanwhile', async () => {
      const database = await fresh()
      const [one, two] = [(await database.open()).settings, (await database.open()).settings]
      const replace = (before: string | undefined, value: string | undefined, settings = one) =>
        settings.replace('acme', 'sizing', before, value)
      expect([await replace(undefined, undefined), await replace('a', 'b')]).toEqual([true, false])
      expect(await one.read('acme', 'sizing')).toBeUndefined()
      const steps: [string | undefined, string | undefined][] = [
        [undefined, 'a'],
        ['a', 'b'],
        ['b', undefined],
      ]
      for (const [before, value] of steps) {
        const done = await Promise.all([replace(before, value), replace(before, value, two)])
        expect(done.toSorted()).toEqual([false, true])
        expect(await two.read('acme', 'sizing')).toBe(value)
      }
      await two.write('acme', 'sizing', 'c')
      for (const value of ['d', undefined])
        expect([await replace(undefined, value), await replace('b', value)]).toEqual([false, false])
      expect(await one.read('acme', 'sizing')).toBe('c')
    })

    test('tell every node that they have changed, and only then', async () => {
      const store = await freshStore()
      const version = async () => (await store.changes.versions()).get('settings/prices/acme') ?? 0
      const versions = [await version()]
      const then = async (write: Promise<unknown>) => {
        await write
        versions.push(await version())
      }
      await then(store.settings.write('acme', 'prices', 'a'))
      await then(store.settings.replace('acme', 'prices', 'b', 'c'))
      await then(store.settings.replace('acme', 'prices', 'a', 'b'))
      await then(store.settings.write('other', 'prices', 'a'))
      expect(versions).toEqual([0, 1, 1, 2, 2])
    })

    test('belong to one organisation and one name', async () => {
      const store = await freshStore()
      const all = [
        ['acme', 'sizing'],
        ['acme', 'Sizing'],
        ['Acme', 'sizing'],
        ['__proto__', 'sizing'],
      ] as const
      for (const [index, [organisation, name]] of all.entries())
        await store.settings.write(organisation, name, String(index))
      for (const [index, [organisation, name]] of all.entries())
        expect(await store.settings.read(organisation, name)).toBe(String(index))
    })

    test.each([
      ['an organisation that cannot be kept', 'a\0b', 'sizing', 'x'],
      ['a name that cannot be kept', 'acme', 'x'.repeat(500), 'x'],
      ['a value that cannot be kept', 'acme', 'sizing', '\ud800'],
    ])('%s is refused, and found nowhere', async (_, organisation, name, value) => {
      const store = await freshStore()
      await expect(store.settings.write(organisation, name, value)).rejects.toThrow(NotStorable)
      await expect(store.settings.replace(organisation, name, undefined, value)).rejects.toThrow(NotStorable)
      expect(await store.settings.read(organisation, name)).toBeUndefined()
    })
  })
}
