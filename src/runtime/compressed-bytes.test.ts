import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CompressedBytes, RecentPacks } from './compressed-bytes.ts'

const texts = Array.from({ length: 900 }, (_, index) => `${index} ${'é"\\n'.repeat(index % 400)}`)
const whole = Buffer.from(texts.join(''))

function compressed(): CompressedBytes {
  const bytes = new CompressedBytes()
  for (const text of texts) bytes.add(text)
  bytes.seal()
  return bytes
}

test('any ranges are returned unchanged, also after the packs were copied', () => {
  const bytes = compressed()
  expect(bytes.length).toBe(whole.length)
  expect(bytes.packs.length).toBeGreaterThan(2)
  expect(bytes.compressedLength).toBeLessThan(whole.length / 5)
  fc.assert(
    fc.property(fc.array(fc.nat(whole.length)), fc.boolean(), (places, isCopied) => {
      const ends = places.sort((a, b) => a - b)
      const ranges = ends.flatMap((from, index): [number, number][] =>
        index % 2 === 0 && index + 1 < ends.length ? [[from, ends[index + 1]!]] : [],
      )
      const read = isCopied ? new CompressedBytes([...bytes.packs]) : bytes
      const expected = Buffer.concat(ranges.map(([from, to]) => whole.subarray(from, to)))
      expect(expected.equals(Buffer.concat([...read.pieces(ranges)]))).toBe(true)
    }),
  )
  expect([...new CompressedBytes().pieces([])]).toEqual([])
})

test('recently decompressed packs are kept up to a total size', () => {
  const { packs } = compressed()
  const [first, second, third] = packs
  const recent = new RecentPacks(first!.length + second!.length)
  const [one, two] = [recent.unpack(first!), recent.unpack(second!)]
  expect(Buffer.concat([one, two]).equals(whole.subarray(0, first!.length + second!.length))).toBe(true)
  expect(recent.unpack(first!)).toBe(one)
  recent.unpack(third!)
  expect(recent.unpack(first!)).toBe(one)
  expect(recent.unpack(second!)).not.toBe(two)
})
