import { randomBytes } from 'node:crypto'
import { siphash } from './siphash.ts'

/** A 64-bit hash in two halves, left here to spare an object a series. */
export const hashed = { high: 0, low: 0 }

/** Secret of this process: who does not know it cannot make series whose hashes collide. Hashes are never stored or sent. */
export const hashKey: Uint8Array = new Uint8Array(randomBytes(16))

/** All labels of a series of the greatest size. */
const maxBytes = 17 << 16
const { bytes: input, result, hash } = siphash(hashKey, maxBytes)
const inputView = new DataView(input.buffer)

/**
 * Hashes bytes from start to end by SipHash-1-3, which is made for tables whose keys an adversary chooses. The domain is
 * hashed as four bytes in front, so that equal bytes of different domains differ.
 */
export function hashBytes(view: DataView, start: number, end: number, domain: number): void {
  const length = end - start + 4
  inputView.setInt32(0, domain, true)
  let to = 4
  for (let at = start; to <= length - 4; to += 4, at += 4)
    inputView.setInt32(to, view.getInt32(at, true), true)
  for (; to < length; to++) input[to] = view.getUint8(start + to - 4)
  const lastWord = length & ~7
  for (; to < lastWord + 7; to++) input[to] = 0
  input[lastWord + 7] = length
  hash(lastWord + 8)
  hashed.low = result[0]!
  hashed.high = result[1]!
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
