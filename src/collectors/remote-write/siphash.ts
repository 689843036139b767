/**
 * SipHash-1-3 (github.com/veorq/SipHash) as a WebAssembly module, since JavaScript has no fast arithmetic of 64 bits. What is
 * hashed lies at the beginning of its memory, padded by zeros to whole words of eight bytes of which the last holds the
 * length in its highest byte; the hash is left at `resultAt`. `label-hash.test.ts` has the slow twin.
 */
export function siphash(key: Uint8Array, maxBytes: number): SipHash {
  const resultAt = Math.ceil((maxBytes + 16) / 8) * 8
  const pages = Math.ceil((resultAt + 8) / 65_536)
  const { memory, hash } = instantiate(moduleOf(key, resultAt, pages))
  return { bytes: new Uint8Array(memory.buffer), result: new Uint32Array(memory.buffer, resultAt, 2), hash }
}

export interface SipHash {
  readonly bytes: Uint8Array
  /** The lower half and the upper. */
  readonly result: Uint32Array
  /** Hashes the whole words from 0 to `end`. */
  hash(end: number): void
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly hash: (end: number) => void
}

/** The part of WebAssembly that is used; types of Node have none of it. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    Module: new (bytes: Uint8Array) => object
    Instance: new (module: object) => { readonly exports: unknown }
  }
}

const instantiate = (bytes: Uint8Array): Exports =>
  new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as Exports

/** Locals: 0 the end, 1 to 4 the state, 5 the word, 6 the place. */
const [end, v0, v1, v2, v3, word, place] = [0, 1, 2, 3, 4, 5, 6] as const
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

function moduleOf(key: Uint8Array, resultAt: number, pages: number): Uint8Array<ArrayBuffer> {
  const keys = new DataView(key.buffer, key.byteOffset, 16)
  const [k0, k1] = [keys.getBigInt64(0, true), keys.getBigInt64(8, true)]
  const code = [
    ...[2, 5, 0x7e, 1, 0x7f],
    ...set(v0, ...i64(k0 ^ 0x736f6d6570736575n)),
    ...set(v1, ...i64(k1 ^ 0x646f72616e646f6dn)),
    ...set(v2, ...i64(k0 ^ 0x6c7967656e657261n)),
    ...set(v3, ...i64(k1 ^ 0x7465646279746573n)),
    // do { one word, one round } while (place < end)
    ...[0x03, 0x40],
    ...set(word, ...get(place), 0x29, 3, 0),
    ...[...xor(v3, word), ...round, ...xor(v0, word)],
    ...set(place, ...get(place), 0x41, 8, 0x6a),
    ...[...get(place), ...get(end), 0x48, 0x0d, 0, 0x0b],
    ...set(v2, ...get(v2), ...i64(0xffn), 0x85),
    ...[...round, ...round, ...round],
    ...[0x41, 0, ...get(v0), ...get(v1), 0x85, ...get(v2), 0x85, ...get(v3), 0x85],
    ...[0x37, 3, ...unsigned(resultAt), 0x0b],
  ]
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 1, 0x7f, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, ...unsigned(pages)]),
    ...section(7, [2, ...named('memory'), 2, 0, ...named('hash'), 0, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ])
}

const section = (id: number, content: readonly number[]) => [id, ...unsigned(content.length), ...content]
const named = (name: string) => [name.length, ...Buffer.from(name)]

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]
}

function signed(given: bigint): number[] {
  const value = BigInt.asIntN(64, given)
  return value >= -64n && value < 64n
    ? [Number(value & 127n)]
    : [Number(value & 127n) | 128, ...signed(value >> 7n)]
}
