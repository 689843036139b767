/**
 * JSON text written as bytes into a place that is known to be large enough: an answer of sixty offers is mostly text
 * that was written before, and copying it costs a fraction of joining strings and encoding them.
 */
export class ByteWriter {
  length = 0
  readonly view: DataView
  readonly #bytes: Buffer

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  /** Buffer.copy is by far the fastest way to move a few hundred bytes, and leaves nothing to collect. */
  putFrom(bytes: Buffer, from: number, to: number): void {
    bytes.copy(this.#bytes, this.length, from, to)
    this.length += to - from
  }

  put(bytes: Buffer): void {
    this.putFrom(bytes, 0, bytes.length)
  }

  putByte(code: number): void {
    this.view.setUint8(this.length++, code)
  }

  /** At most three bytes for each unit of the text. */
  putText(text: string): void {
    this.length += this.#bytes.write(text, this.length)
  }
}
