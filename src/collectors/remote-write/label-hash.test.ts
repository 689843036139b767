import { expect, test } from 'vitest'
import { collidingSeries } from './hostile.case.ts'
import { hashBytes, hashed, hashKey } from './label-hash.ts'

/** HalfSipHash as its authors wrote it (halfsiphash.c), with any number of rounds; the lower half and the upper. */
function halfSipHash([key0, key1]: readonly [number, number], message: Uint8Array, c: number, d: number) {
  const v = [key0, key1 ^ 0xee, 0x6c796765 ^ key0, 0x74656462 ^ key1]
  const rotated = (word: number, by: number) => (word << by) | (word >>> (32 - by))
  const rounds = (count: number) => {
    for (let round = 0; round < count; round++) {
      v[0] = (v[0]! + v[1]!) | 0
      v[1] = rotated(v[1]!, 5) ^ v[0]
      v[0] = rotated(v[0], 16)
      v[2] = (v[2]! + v[3]!) | 0
      v[3] = rotated(v[3]!, 8) ^ v[2]
      v[0] = (v[0] + v[3]) | 0
      v[3] = rotated(v[3], 7) ^ v[0]
      v[2] = (v[2] + v[1]) | 0
      v[1] = rotated(v[1], 13) ^ v[2]
      v[2] = rotated(v[2], 16)
    }
  }
  const padded = Buffer.concat([message, new Uint8Array(4 - (message.length % 4))])
  padded[padded.length - 1] = message.length & 255
  for (let at = 0; at < padded.length; at += 4) {
    const word = padded.readInt32LE(at)
    v[3]! ^= word
    rounds(c)
    v[0]! ^= word
  }
  v[2]! ^= 0xee
  rounds(d)
  const low = (v[1]! ^ v[3]!) >>> 0
  v[1]! ^= 0xdd
  rounds(d)
  return { low, high: (v[1]! ^ v[3]!) >>> 0 }
}

const counting = (length: number) => Uint8Array.from({ length }, (_, n) => n)

test('the slow twin gives the published values of HalfSipHash-2-4', () => {
  // vectors.h of github.com/veorq/SipHash, vectors_hsip64: key 00 to 07, the empty message.
  const { low, high } = halfSipHash([0x03020100, 0x07060504], counting(0), 2, 4)
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32LE(low)
  bytes.writeUInt32LE(high, 4)
  expect(bytes.toString('hex')).toBe('218d1f59b9b83cc8')
})

test('labels are hashed by HalfSipHash-1-3 with the secret of the process', () => {
  for (let length = 0; length < 300; length++) {
    const bytes = counting(length + 5)
    hashBytes(new DataView(bytes.buffer), 5, length + 5, 7)
    const word = Uint8Array.of(7, 0, 0, 0)
    expect(hashed).toEqual(halfSipHash(hashKey, Buffer.concat([word, bytes.subarray(5)]), 1, 3))
  }
})

test('series that shared one place of a table without the secret are spread', () => {
  const message = collidingSeries(2000, 0)
  const [seriesBytes, labelBytes] = [message.length / 2000, 16]
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength)
  const places = new Set<number>()
  for (let at = 2; at < message.length; at += seriesBytes) {
    hashBytes(view, at, at + labelBytes, 1)
    places.add(hashed.low & 0x1ffff)
  }
  expect(places.size).toBeGreaterThan(1900)
})
