import type { ByteReader } from '../../domain/byte-reader.ts'
import { type NumberRegister, numberNames, type TextRegister, textNames } from './digest.ts'

/** The last decoded numbers and texts: most rows repeat those of the previous row byte for byte and need not be decoded again. */
export class RegisterCache {
  readonly numbers: (NumberRegister | undefined)[] = numberNames.map(() => undefined)
  readonly texts: (TextRegister | undefined)[] = textNames.map(() => undefined)
  /** Counts what was read. */
  number = 0
  #fields = 0
  readonly #bytes = new Uint8Array(mostBytes)
  /** 0 where they were too long to keep. */
  #length = 0
  /** Decoded last, by index of the name. */
  readonly #decoded: { readonly bytes: Uint8Array; readonly text: string }[] = []

  /** Reads past them where they are the same fields in the same bytes; otherwise nothing is read. */
  isRepeated(reader: ByteReader, fields: number): boolean {
    const [bytes, from, known] = [reader.bytes, reader.offset, this.#bytes]
    const length = this.#length
    if (length === 0 || fields !== this.#fields || from + length > reader.end) return false
    for (let index = 0; index < length; index++) if (bytes[from + index] !== known[index]) return false
    reader.offset = from + length
    return true
  }

  /** As codec.ts draws them; 2: numbers, 4: texts. */
  read(reader: ByteReader, fields: number): void {
    const from = reader.offset
    this.#length = 0
    this.number++
    if (fields & 2) this.#readNumbers(reader)
    if (fields & 4) this.#readTexts(reader)
    const length = reader.offset - from
    if (length > mostBytes) return
    for (let index = 0; index < length; index++) this.#bytes[index] = reader.bytes[from + index]!
    this.#length = length
    this.#fields = fields
  }

  #readNumbers(reader: ByteReader): void {
    const present = reader.varint()
    for (let index = 0; index < numberNames.length; index++) {
      this.numbers[index] = undefined
      if ((present & (1 << index)) === 0) continue
      const at = reader.varint()
      const last = reader.varint()
      this.numbers[index] = { at, last, max: last + reader.varint() }
    }
  }

  #readTexts(reader: ByteReader): void {
    const present = reader.varint()
    for (let index = 0; index < textNames.length; index++)
      this.texts[index] =
        present & (1 << index) ? { at: reader.varint(), text: this.#readText(reader, index) } : undefined
  }

  #readText(reader: ByteReader, index: number): string {
    const length = reader.varint()
    const { bytes, offset } = reader
    reader.skip(length)
    const known = this.#decoded[index]
    if (known !== undefined && isAt(bytes, offset, length, known.bytes)) return known.text
    const own = bytes.slice(offset, offset + length)
    const text = textDecoder.decode(own)
    this.#decoded[index] = { bytes: own, text }
    return text
  }
}

const mostBytes = 512

const textDecoder = new TextDecoder()

function isAt(bytes: Uint8Array, offset: number, length: number, known: Uint8Array): boolean {
  if (length !== known.length) return false
  for (let index = 0; index < length; index++) if (bytes[offset + index] !== known[index]) return false
  return true
}
