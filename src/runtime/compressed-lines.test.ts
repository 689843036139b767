import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CompressedLines } from './compressed-lines.ts'

test('any range of lines is returned unchanged, also if compressed', () => {
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
