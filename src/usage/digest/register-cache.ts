import { type ByteReader, isAt } from '../../runtime/bytes/byte-reader.ts'
import { type NumberRegister, numberNames, type TextRegister, textNames } from './digest.ts'

/** Most rows repeat those of the previous row byte for byte and need not be decoded again. */
export class RegisterCache {
  readonly numbers: (NumberRegister | undefined)[] = numberNames.map(() => undefined)
  readonly texts: (TextRegister | undefined)[] = textNames.map(() => undefined)
  number = 0
  #fields = 0
  readonly #bytes = new Uint8Array(maxBytes)
  /** Length of the encoded form in #bytes; 0 if it was too long to keep. */
  #length = 0
  /** The text that was decoded last, by index of its name. */
  readonly #decoded: { readonly bytes: Uint8Array; readonly text: string }[] = []

  /** Skips the registers and returns true if they are the same fields in the same bytes. Otherwise nothing is read. */
  isRepeated(reader: ByteReader, fields: number): boolean {
    const [bytes, from, known] = [reader.bytes, reader.offset, this.#bytes]
    const length = this.#length
    if (length === 0 || fields !== this.#fields || from + length > reader.end) return false
    for (let index = 0; index < length; index++) if (bytes[from + index] !== known[index]) return false
    reader.offset = from + length
    return true
  }

  /** Reads registers in the layout of codec.ts. Fields are bits: 2 for numbers, 4 for texts. */
  read(reader: ByteReader, fields: number): void {
    const from = reader.offset
    this.#length = 0
    this.number++
    if (fields & 2) this.#readNumbers(reader)
    if (fields & 4) this.#readTexts(reader)
    const length = reader.offset - from
    if (length > maxBytes) return
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
    if (known?.bytes.length === length && isAt(bytes, offset, known.bytes)) return known.text
    const textBytes = bytes.slice(offset, offset + length)
    const text = textDecoder.decode(textBytes)
    this.#decoded[index] = { bytes: textBytes, text }
    return text
  }
}

const maxBytes = 512

const textDecoder = new TextDecoder()
