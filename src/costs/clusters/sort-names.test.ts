import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Yielder } from '../../runtime/yielder.ts'
import { sortNames } from './sort-names.ts'

test('any number of names is sorted like Array.sort', async () => {
  const yielder = new Yielder()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'binary' })), async (names) => {
      expect(await sortNames(names, yielder)).toEqual([...names].sort())
    }),
  )
  const many = Array.from({ length: 9000 }, (_, index) => `${(index * 7919) % 9001}`)
  expect(await sortNames(many, yielder)).toEqual([...many].sort())
})
