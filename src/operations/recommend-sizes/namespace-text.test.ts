import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortNames } from '../../cluster-usage/sort-names.ts'
import { Yielder } from '../../runtime/yielder.ts'
import { CompressedLines } from './namespace-text.ts'

test('any range of lines comes back as it went in, also where they are compressed', () => {
  const lines = Array.from({ length: 900 }, (_, index) => `${index} ${'é"\\'.repeat(index % 400)}`)
  const kept = new CompressedLines()
  for (const line of lines) kept.add(line)
  fc.assert(
    fc.property(fc.nat(1000), fc.nat(1000), (from, to) => {
      expect([...kept.pieces(from, to)].flat()).toEqual(lines.slice(from, to))
    }),
  )
  expect([...new CompressedLines().pieces(0, 10)]).toEqual([])
})

test('names are sorted as the platform sorts them, however many there are', async () => {
  const yielder = new Yielder()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'binary' })), async (names) => {
      expect(await sortNames(names, yielder)).toEqual([...names].sort())
    }),
  )
  const many = Array.from({ length: 9000 }, (_, index) => `${(index * 7919) % 9001}`)
  expect(await sortNames(many, yielder)).toEqual([...many].sort())
})
