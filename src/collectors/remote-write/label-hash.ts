import { randomBytes } from 'node:crypto'

/** A 64-bit hash in two halves, left here to spare an object a series. */
export const hashed = { high: 0, low: 0 }

/** Secret of this process: who does not know it cannot make series whose hashes collide. Hashes are never stored or sent. */
export const hashKey: readonly [number, number] = [randomBytes(4).readInt32LE(), randomBytes(4).readInt32LE()]
const [key0, key1] = hashKey

/**
 * HalfSipHash-1-3 with 64 bits (github.com/veorq/SipHash, halfsiphash.c): made for tables whose keys an adversary chooses,
 * and all of it is arithmetic of 32 bits. The domain is hashed as a word in front, so that equal bytes of different
 * domains differ.
 */
export function hashBytes(view: DataView, start: number, end: number, domain: number): void {
  let v0 = key0
  let v1 = key1 ^ 0xee
  let v2 = 0x6c796765 ^ key0
  let v3 = 0x74656462 ^ key1
  let word = domain
  let at = start
  for (const whole = end - 3; ; at += 4) {
    v3 ^= word
    v0 = (v0 + v1) | 0
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
    v0 = (v0 << 16) | (v0 >>> 16)
    v2 = (v2 + v3) | 0
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
    v0 = (v0 + v3) | 0
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
    v2 = (v2 + v1) | 0
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
    v2 = (v2 << 16) | (v2 >>> 16)
    v0 ^= word
    if (at >= whole) break
    word = view.getInt32(at, true)
  }
  let last = (end - start + 4) << 24
  for (let shift = 0; at < end; at++, shift += 8) last |= view.getUint8(at) << shift
  finish(v0, v1, v2, v3, last)
}

/** One round takes the last word in, three give each half. */
function finish(s0: number, s1: number, s2: number, s3: number, last: number): void {
  let [v0, v1, v2, v3] = [s0, s1, s2, s3 ^ last]
  for (let round = 0; round < 7; round++) {
    v0 = (v0 + v1) | 0
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
    v0 = (v0 << 16) | (v0 >>> 16)
    v2 = (v2 + v3) | 0
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
    v0 = (v0 + v3) | 0
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
    v2 = (v2 + v1) | 0
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
    v2 = (v2 << 16) | (v2 >>> 16)
    if (round === 0) {
      v0 ^= last
      v2 ^= 0xee
    } else if (round === 3) {
      hashed.low = (v1 ^ v3) >>> 0
      v1 ^= 0xdd
    }
  }
  hashed.high = (v1 ^ v3) >>> 0
}

/**
 * FNV-1a of a text's UTF-8, 32 bits, the same in every process: of metrics' names, where a collision costs a look at the
 * labels, and of origins, which are stored.
 */
export function hashText(text: string, from = 0x811c9dc5): number {
  let hash = from
  for (const byte of textEncoder.encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

export function hashTextBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  return hash >>> 0
}

const textEncoder = new TextEncoder()
