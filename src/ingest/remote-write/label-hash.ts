import { randomBytes } from 'node:crypto'

/**
 * SipHash-1-3 (github.com/veorq/SipHash) as a WebAssembly module, because JavaScript has no fast 64-bit arithmetic. The
 * input lies in the module's memory and must be followed by at least eight more bytes; the hash is written to `result`.
 * `label-hash.test.ts` has the slow twin.
 */
function siphash(key: Uint8Array, bytes: number): SipHash {
  const resultAt = Math.ceil((bytes + 8) / 8) * 8
  const pages = Math.ceil((resultAt + 8) / 65_536)
  const { memory, hash } = instantiate(moduleOf(key, resultAt, pages))
  return {
    bytes: new Uint8Array(memory.buffer, 0, bytes),
    result: new Uint32Array(memory.buffer, resultAt, 2),
    hash,
  }
}

interface SipHash {
  readonly bytes: Uint8Array
  /** The lower and the upper half of the hash. */
  readonly result: Uint32Array
  /** Hashes the domain, as a word of eight bytes, and the bytes from start to end. */
  hash(start: number, end: number, domain: number): void
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly hash: SipHash['hash']
}

/** The part of WebAssembly that is used. The types of Node do not contain it. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    Module: new (bytes: Uint8Array) => object
    Instance: new (module: object) => { readonly exports: unknown }
  }
}

const instantiate = (bytes: Uint8Array): Exports =>
  new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as Exports

/** Parameters: 0 place, 1 end, 2 domain. Locals: 3 to 6 the state, 7 the word, 8 the length in its highest byte. */
const [place, end, domain, v0, v1, v2, v3, word, length] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const
const get = (local: number) => [0x20, local]
const set = (local: number, ...value: number[]) => [...value, 0x21, local]
const i64 = (value: bigint) => [0x42, ...signed(value)]
const add = (a: number, b: number) => set(a, ...get(a), ...get(b), 0x7c)
const xor = (a: number, b: number) => set(a, ...get(a), ...get(b), 0x85)
const rotate = (a: number, by: number) => set(a, ...get(a), ...i64(BigInt(by)), 0x89)
const round = [
  ...[...add(v0, v1), ...rotate(v1, 13), ...xor(v1, v0), ...rotate(v0, 32)],
  ...[...add(v2, v3), ...rotate(v3, 16), ...xor(v3, v2)],
  ...[...add(v0, v3), ...rotate(v3, 21), ...xor(v3, v0)],
  ...[...add(v2, v1), ...rotate(v1, 17), ...xor(v1, v2), ...rotate(v2, 32)],
]

const loadWord = [...get(place), 0x29, 0, 0]
const takeWord = [...xor(v3, word), ...round, ...xor(v0, word)]
/** Number of bytes that are left, as i64. */
const left = [...get(end), ...get(place), 0x6b, 0xad]

function moduleOf(key: Uint8Array, resultAt: number, pages: number): Uint8Array<ArrayBuffer> {
  const keys = new DataView(key.buffer, key.byteOffset, 16)
  const [k0, k1] = [keys.getBigInt64(0, true), keys.getBigInt64(8, true)]
  const code = [
    ...[1, 6, 0x7e],
    ...set(v0, ...i64(k0 ^ 0x736f6d6570736575n)),
    ...set(v1, ...i64(k1 ^ 0x646f72616e646f6dn)),
    ...set(v2, ...i64(k0 ^ 0x6c7967656e657261n)),
    ...set(v3, ...i64(k1 ^ 0x7465646279746573n)),
    ...[...set(word, ...get(domain), 0xad), ...takeWord],
    ...set(length, ...left, ...i64(8n), 0x7c, ...i64(56n), 0x86),
    // while (place + 8 <= end) take one word, in one round
    ...[0x02, 0x40, 0x03, 0x40],
    ...[...get(end), ...get(place), 0x41, 8, 0x6a, 0x49, 0x0d, 1],
    ...[...set(word, ...loadWord), ...takeWord],
    ...set(place, ...get(place), 0x41, 8, 0x6a),
    ...[0x0c, 0, 0x0b, 0x0b],
    // The last word has the remaining bytes, at most seven: word & ((1 << 8 x left) - 1) | length
    ...set(
      word,
      ...loadWord,
      ...i64(1n),
      ...left,
      ...i64(3n),
      0x86,
      0x86,
      ...i64(1n),
      0x7d,
      0x83,
      ...get(length),
      0x84,
    ),
    ...takeWord,
    ...set(v2, ...get(v2), ...i64(0xffn), 0x85),
    ...[...round, ...round, ...round],
    ...[0x41, 0, ...get(v0), ...get(v1), 0x85, ...get(v2), 0x85, ...get(v3), 0x85],
    ...[0x37, 3, ...unsigned(resultAt), 0x0b],
  ]
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 3, 0x7f, 0x7f, 0x7f, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, ...unsigned(pages)]),
    ...section(7, [2, ...named('memory'), 2, 0, ...named('hash'), 0, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ])
}

const section = (id: number, content: readonly number[]) => [id, ...unsigned(content.length), ...content]
const named = (name: string) => [name.length, ...Buffer.from(name)]

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]
}

function signed(given: bigint): number[] {
  const value = BigInt.asIntN(64, given)
  return value >= -64n && value < 64n
    ? [Number(value & 127n)]
    : [Number(value & 127n) | 128, ...signed(value >> 7n)]
}

/** The last 64-bit hash in two halves. It is left here to save an object per series. */
export const hashed = { high: 0, low: 0 }

/** A secret of this process, so that nobody can construct series whose hashes collide. Hashes are never stored or sent. */
export const hashKey: Uint8Array = new Uint8Array(randomBytes(16))

/** Requests up to this size are unpacked into the memory of the hash module, so that they are hashed without a copy. */
const messageBytes = 4 << 20
/** Size of all labels of the largest series. */
const maxBytes = 17 << 16
const { bytes: memory, result, hash } = siphash(hashKey, messageBytes + maxBytes)
const memoryView = new DataView(memory.buffer)

/** Memory for one message, whose bytes are hashed without a copy. */
export const messageMemory: Uint8Array = memory.subarray(0, messageBytes)

/** SipHash-1-3, for keys that an adversary chooses. The domain is hashed first: equal bytes of others have other hashes. */
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

/** FNV-1a of UTF-8 in 32 bits, for names of metrics, where a collision only costs time, and for stored origins. */
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
