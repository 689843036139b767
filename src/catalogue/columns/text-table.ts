/** Many short texts in one block of bytes: a JavaScript string each would cost more than the offers. */
export class TextTable {
  /** The texts in UTF-8, end to end. */
  readonly bytes: Buffer
  /** One more than there are texts; text i lies at [starts[i], starts[i + 1]). */
  readonly starts: Uint32Array

  constructor(bytes: Buffer, starts: Uint32Array) {
    this.bytes = bytes
    this.starts = starts
  }

  static of(texts: readonly string[]): TextTable {
    const starts = new Uint32Array(texts.length + 1)
    for (let i = 0; i < texts.length; i++) starts[i + 1] = starts[i]! + Buffer.byteLength(texts[i]!)
    const bytes = Buffer.alloc(starts[texts.length]!)
    for (let i = 0; i < texts.length; i++) bytes.write(texts[i]!, starts[i]!)
    return new TextTable(bytes, starts)
  }

  get length(): number {
    return this.starts.length - 1
  }

  get byteLength(): number {
    return this.bytes.byteLength + this.starts.byteLength
  }

  text(i: number): string {
    return this.bytes.toString('utf8', this.starts[i], this.starts[i + 1])
  }
}
