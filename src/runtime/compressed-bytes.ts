import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

export interface PackedBytes {
  /** Number of bytes before compression. */
  readonly length: number
  readonly bytes: Uint8Array
}

/** Text as bytes, compressed in packs, so that a range can be read without decompressing the rest. */
export class CompressedBytes {
  readonly #packs: PackedBytes[]
  /** Text that is not compressed yet. */
  #open = ''
  #length: number
  #compressedLength: number

  constructor(packs: PackedBytes[] = []) {
    this.#packs = packs
    this.#length = packs.reduce((sum, { length }) => sum + length, 0)
    this.#compressedLength = packs.reduce((sum, { bytes }) => sum + bytes.length, 0)
  }

  get packs(): readonly PackedBytes[] {
    return this.#packs
  }

  /** Number of bytes before compression. */
  get length(): number {
    return this.#length
  }

  get compressedLength(): number {
    return this.#compressedLength
  }

  add(text: string): void {
    this.#open += text
    this.#length += Buffer.byteLength(text)
    if (this.#open.length >= packChars) this.seal()
  }

  /** Compresses the rest of the text. Only what is compressed can be read. */
  seal(): void {
    if (this.#open === '') return
    const text = Buffer.from(this.#open)
    const bytes = zstdCompressSync(text)
    this.#packs.push({ length: text.length, bytes })
    this.#compressedLength += bytes.length
    this.#open = ''
  }

  /**
   * Yields the bytes of each range [from, to) in turn, which must not be changed. Ranges ascend. Each pack is
   * decompressed once, when it is needed.
   */
  *pieces(
    ranges: Iterable<readonly [from: number, to: number]>,
    unpack: (pack: PackedBytes) => Uint8Array = decompress,
  ): Generator<Uint8Array> {
    let [index, start] = [0, 0]
    let pack: Uint8Array | undefined
    for (const [from, to] of ranges)
      for (let at = from; at < to; ) {
        while (at >= start + this.#packs[index]!.length) {
          start += this.#packs[index++]!.length
          pack = undefined
        }
        pack ??= unpack(this.#packs[index]!)
        const piece = pack.subarray(at - start, to - start)
        at += piece.length
        yield piece
      }
  }
}

/** Creating a decompressor takes as long as decompressing some tens of kilobytes, so packs are larger. */
const packChars = 256 * 1024

/**
 * If the result does not fill the chunk, zlib neither copies it nor allocates another chunk. Chunks have at least 64
 * bytes.
 */
const decompress = ({ length, bytes }: PackedBytes): Uint8Array =>
  zstdDecompressSync(bytes, { chunkSize: Math.max(64, length + 1), maxOutputLength: Math.max(64, length) })

/**
 * Keeps recently decompressed packs up to a total size, because the garbage collector traces the whole heap after some
 * tens of megabytes of new buffers. The least recently used are dropped first.
 */
export class RecentPacks {
  readonly #maxBytes: number
  /** The most recently used pack comes last. */
  readonly #recent = new Map<PackedBytes, Uint8Array>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  readonly unpack = (pack: PackedBytes): Uint8Array => {
    const bytes = this.#recent.get(pack) ?? decompress(pack)
    if (!this.#recent.delete(pack)) this.#bytes += pack.length
    this.#recent.set(pack, bytes)
    for (const oldest of this.#recent.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.#recent.delete(oldest)
      this.#bytes -= oldest.length
    }
    return bytes
  }
}
