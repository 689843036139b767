import { expect, test } from 'vitest'
import { collidingSeries } from './hostile.case.ts'
import { hashBytes, hashed, hashKey, messageMemory } from './label-hash.ts'

/** SipHash as its authors wrote it (siphash.c), with any number of rounds, in hex. */
function slowSipHash(key: Uint8Array, message: Uint8Array, c: number, d: number): string {
  const [k0, k1] = [Buffer.from(key).readBigUInt64LE(), Buffer.from(key).readBigUInt64LE(8)]
  let v0 = k0 ^ 0x736f6d6570736575n
  let v1 = k1 ^ 0x646f72616e646f6dn
  let v2 = k0 ^ 0x6c7967656e657261n
  let v3 = k1 ^ 0x7465646279746573n
  const sum = (a: bigint, b: bigint) => BigInt.asUintN(64, a + b)
  const rotated = (a: bigint, by: bigint) => BigInt.asUintN(64, (a << by) | (a >> (64n - by)))
  const rounds = (count: number) => {
    for (let round = 0; round < count; round++) {
      v0 = sum(v0, v1)
      v1 = rotated(v1, 13n) ^ v0
      v0 = rotated(v0, 32n)
      v2 = sum(v2, v3)
      v3 = rotated(v3, 16n) ^ v2
      v0 = sum(v0, v3)
      v3 = rotated(v3, 21n) ^ v0
      v2 = sum(v2, v1)
      v1 = rotated(v1, 17n) ^ v2
      v2 = rotated(v2, 32n)
    }
  }
  const padded = Buffer.concat([message, new Uint8Array(8 - (message.length % 8))])
  padded[padded.length - 1] = message.length & 255
  for (let at = 0; at < padded.length; at += 8) {
    const word = padded.readBigUInt64LE(at)
    v3 ^= word
    rounds(c)
    v0 ^= word
  }
  v2 ^= 0xffn
  rounds(d)
  return (v0 ^ v1 ^ v2 ^ v3).toString(16).padStart(16, '0')
}

const counting = (length: number) => Uint8Array.from({ length }, (_, n) => n)

test('the slow twin gives the published value of SipHash-2-4', () => {
  // vectors.h of github.com/veorq/SipHash, vectors_sip64: key 00 to 0f, the empty message.
  expect(slowSipHash(counting(16), counting(0), 2, 4)).toBe('726fdb47dd0e0e31')
})

function hashOf(view: DataView, start: number, end: number): string {
  hashBytes(view, start, end, 7)
  return [hashed.high, hashed.low].map((half) => half.toString(16).padStart(8, '0')).join('')
}

test('labels are hashed by SipHash-1-3 with the secret of the process', () => {
  for (let length = 0; length < 600; length++) {
    const bytes = counting(length + 5)
    const message = Buffer.concat([Uint8Array.of(7, 0, 0, 0, 0, 0, 0, 0), bytes.subarray(5)])
    const meant = slowSipHash(hashKey, message, 1, 3)
    expect(hashOf(new DataView(bytes.buffer), 5, length + 5)).toBe(meant)
    // Bytes that follow in memory must not change the hash.
    messageMemory.fill(0xee, 0, length + 100).set(bytes, 3)
    expect(hashOf(new DataView(messageMemory.buffer, 3), 5, length + 5)).toBe(meant)
  }
})

test('series that would collide without the secret are spread over the table', () => {
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
