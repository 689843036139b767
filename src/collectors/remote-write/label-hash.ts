/** A 64-bit hash in two halves, left here to spare an object a series. */
export const hashed = { high: 0, low: 0 }

/** Hashes bytes from start to end. Made for tables, not against an adversary: what collides is the sender's own. */
export function hashBytes(view: DataView, start: number, end: number, seed: number): void {
  let high = seed | 0
  let low = (end - start) | 0
  let at = start
  for (const whole = end - 3; at < whole; at += 4) {
    const word = view.getInt32(at, true)
    high = Math.imul(high ^ word, 0x9e3779b1)
    high ^= high >>> 15
    low = Math.imul(low + word, 0x85ebca77)
    low = (low << 13) | (low >>> 19)
  }
  let tail = 0
  for (; at < end; at++) tail = (tail << 8) | view.getUint8(at)
  finish(high ^ tail, low + tail)
}

/** Goes on from `hashed` with two more halves. */
export function hashMore(high: number, low: number): void {
  finish(Math.imul(hashed.high ^ high, 0x9e3779b1), Math.imul(hashed.low, 0x85ebca77) + low)
}

function finish(first: number, second: number): void {
  let high = Math.imul(first ^ (first >>> 16), 0x21f0aaad)
  let low = Math.imul(second ^ (second >>> 15), 0x735a2d97)
  high = Math.imul(high ^ (high >>> 15) ^ low, 0x735a2d97)
  low = Math.imul(low ^ (low >>> 16) ^ high, 0x21f0aaad)
  hashed.high = (high ^ (high >>> 15)) >>> 0
  hashed.low = (low ^ (low >>> 16)) >>> 0
}

/** FNV-1a of a text's UTF-8, 32 bits. */
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
