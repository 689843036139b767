import { randomBytes } from 'node:crypto'
import { siphash } from './siphash.ts'

/** The last 64-bit hash in two halves. It is left here to save an object per series. */
export const hashed = { high: 0, low: 0 }

/**
 * A secret of this process, without which nobody can construct series whose hashes collide. Hashes are never stored or
 * sent.
 */
export const hashKey: Uint8Array = new Uint8Array(randomBytes(16))

/** Requests up to this size are unpacked into the memory of the hash module, so that they are hashed without a copy. */
const messageBytes = 4 << 20
/** Size of all labels of the largest series. */
const maxBytes = 17 << 16
const { bytes: memory, result, hash } = siphash(hashKey, messageBytes + maxBytes)
const memoryView = new DataView(memory.buffer)

/** Memory for one message, whose bytes are hashed without a copy. */
export const messageMemory: Uint8Array = memory.subarray(0, messageBytes)

/**
 * Hashes bytes from start to end by SipHash-1-3, which is made for tables whose keys an adversary chooses. The domain is
 * hashed first, so that equal bytes of different domains have different hashes.
 */
export function hashBytes(view: DataView, start: number, end: number, domain: number): void {
  if (view.buffer === memory.buffer) hash(view.byteOffset + start, view.byteOffset + end, domain)
  else hash(messageBytes, copyOf(view, start, end), domain)
  hashed.low = result[0]!
  hashed.high = result[1]!
}

/** Copies bytes behind the message, and returns the end of the copy. */
function copyOf(view: DataView, start: number, end: number): number {
  let to = messageBytes
  let from = start
  for (; from <= end - 4; to += 4, from += 4) memoryView.setInt32(to, view.getInt32(from, true), true)
  for (; from < end; to++, from++) memory[to] = view.getUint8(from)
  return to
}

/**
 * FNV-1a of a text's UTF-8 in 32 bits, the same in every process. It is used for names of metrics, for which a collision
 * only costs decoding the labels, and for origins, which are stored.
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
