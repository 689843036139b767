/** What to do with a value: go into its members, hand it over parsed, or pass over it. */
export type Wish = 'enter' | 'take' | 'skip'

/** From the root: names of members, positions in arrays. Valid only during the call. */
export type Path = readonly (string | number)[]

export interface Skimming {
  wish(path: Path): Wish
  /** A look at the raw bytes of a value to be taken: false where it surely is not wanted, which saves parsing it. */
  worth?(bytes: Buffer, path: Path): boolean
  take(path: Path, value: unknown): void
}

/** The text is no JSON; `cut` says that it merely ends too early. */
export class NotJson extends Error {
  override readonly name = 'NotJson'
  readonly cut: boolean

  constructor(message: string, cut = false) {
    super(message)
    this.cut = cut
  }
}

const mostTakenBytes = 32 * 1024 * 1024

/** What is expected next among the members that are entered. */
const value = 0
const firstKey = 1
const key = 2
const inKey = 3
const colon = 4
const comma = 5
/** Inside a value that is taken or skipped. */
const inContainer = 6
const inString = 7
const inScalar = 8
const end = 9
const firstElement = 10

/**
 * Reads a JSON text of any size in pieces, holding no more of it than the value being taken. What is entered is checked
 * in full and what is taken is parsed; of what is skipped only strings and the balance of brackets are.
 */
export class JsonSkimmer {
  readonly #skimming: Skimming
  readonly #path: (string | number)[] = []
  /** Of each container entered: whether it is an object. */
  readonly #isObject: boolean[] = []
  #state = value
  #taking = false
  /** Of the value being taken or skipped. */
  #depth = 0
  #quoted = false
  #escaped = false
  /** Pieces of a key or taken value that began in an earlier chunk. */
  #carry: Buffer[] = []
  #carried = 0

  constructor(skimming: Skimming) {
    this.#skimming = skimming
  }

  write(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const { length } = chunk
    let i = 0
    while (i < length) {
      if (this.#state === inContainer) i = this.#container(chunk, i, i)
      else if (this.#state === inString) i = this.#string(chunk, i, i)
      else if (this.#state === inScalar) i = this.#scalar(chunk, i, i)
      else if (this.#state === inKey) i = this.#key(chunk, i, i)
      else i = this.#structure(chunk, i)
    }
  }

  /** Throws NotJson unless the text was whole. */
  finish(): void {
    if (this.#state === inScalar && this.#path.length === 0) this.#ended(Buffer.alloc(0), 0, 0)
    if (this.#state !== end) throw new NotJson('the text ends before its last value does', true)
  }

  /** One byte between values; the position after it. */
  #structure(chunk: Buffer, i: number): number {
    const byte = chunk[i]!
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return i + 1
    const state = this.#state
    if (state === value) return this.#begin(chunk, i)
    if (state === firstElement) {
      if (byte !== 0x5d) return this.#begin(chunk, i)
      this.#path.pop()
      return this.#leave(i)
    }
    if (state === comma) {
      if (byte === 0x2c) return this.#next(i)
      if (byte === (this.#isObject.at(-1) ? 0x7d : 0x5d)) {
        this.#path.pop()
        return this.#leave(i)
      }
    } else if (state === colon) {
      if (byte === 0x3a) {
        this.#state = value
        return i + 1
      }
    } else if (state === firstKey && byte === 0x7d) {
      return this.#leave(i)
    } else if ((state === firstKey || state === key) && byte === 0x22) {
      this.#state = inKey
      return this.#key(chunk, i + 1, i + 1)
    }
    throw new NotJson(`unexpected ${JSON.stringify(String.fromCharCode(byte))}`)
  }

  #next(i: number): number {
    if (this.#isObject.at(-1)) {
      this.#path.pop()
      this.#state = key
    } else {
      const position = this.#path.length - 1
      this.#path[position] = (this.#path[position] as number) + 1
      this.#state = value
    }
    return i + 1
  }

  /** A container entered has ended. */
  #leave(i: number): number {
    this.#isObject.pop()
    this.#state = this.#isObject.length === 0 ? end : comma
    return i + 1
  }

  #begin(chunk: Buffer, i: number): number {
    const byte = chunk[i]!
    const wish = this.#skimming.wish(this.#path)
    const isObject = byte === 0x7b
    if (wish === 'enter' && (isObject || byte === 0x5b)) {
      this.#isObject.push(isObject)
      if (!isObject) this.#path.push(0)
      this.#state = isObject ? firstKey : firstElement
      return i + 1
    }
    this.#taking = wish === 'take'
    if (isObject || byte === 0x5b) {
      this.#state = inContainer
      this.#depth = 1
      return this.#container(chunk, i + 1, i)
    }
    if (byte === 0x22) {
      this.#state = inString
      return this.#string(chunk, i + 1, i)
    }
    if (byte !== 0x2d && (byte < 0x30 || byte > 0x39) && byte !== 0x74 && byte !== 0x66 && byte !== 0x6e)
      throw new NotJson(`unexpected ${JSON.stringify(String.fromCharCode(byte))}`)
    this.#state = inScalar
    return this.#scalar(chunk, i + 1, i)
  }

  /** The hot loop: nearly every byte of a large file passes here. */
  #container(chunk: Buffer, from: number, start: number): number {
    const { length } = chunk
    let depth = this.#depth
    let quoted = this.#quoted
    let i = from
    if (this.#escaped) {
      this.#escaped = false
      i++
    }
    while (i < length) {
      if (quoted) {
        // Strings are short: a loop is faster than a search in native code.
        while (i < length && chunk[i] !== 0x22 && chunk[i] !== 0x5c) i++
        if (i >= length) break
        if (chunk[i++] === 0x22) quoted = false
        else if (i++ === length) this.#escaped = true
        continue
      }
      while (i < length && matters[chunk[i]!] === 0) i++
      if (i >= length) break
      const byte = chunk[i++]!
      if (byte === 0x22) quoted = true
      else if (byte === 0x7b || byte === 0x5b) depth++
      else if (--depth === 0) {
        this.#quoted = false
        return this.#ended(chunk, start, i)
      }
    }
    this.#depth = depth
    this.#quoted = quoted
    return this.#pause(chunk, start)
  }

  #string(chunk: Buffer, from: number, start: number): number {
    const after = this.#closingQuote(chunk, from)
    return after === -1 ? this.#pause(chunk, start) : this.#ended(chunk, start, after)
  }

  #scalar(chunk: Buffer, from: number, start: number): number {
    for (let i = from; i < chunk.length; i++) {
      const byte = chunk[i]!
      if (byte === 0x2c || byte === 0x7d || byte === 0x5d || byte <= 0x20) return this.#ended(chunk, start, i)
    }
    return this.#pause(chunk, start)
  }

  #key(chunk: Buffer, from: number, start: number): number {
    const after = this.#closingQuote(chunk, from)
    if (after === -1) {
      this.#hold(chunk, start)
      return chunk.length
    }
    const text = this.#joined(chunk, start, after - 1).toString('utf8')
    this.#path.push(text.includes('\\') ? String(parsed(`"${text}"`)) : text)
    this.#state = colon
    return after
  }

  /** The position after it; -1 where it is not in this chunk. */
  #closingQuote(chunk: Buffer, from: number): number {
    let i = from
    if (this.#escaped) {
      this.#escaped = false
      i++
    }
    for (; i < chunk.length; i++) {
      const byte = chunk[i]!
      if (byte === 0x22) return i + 1
      if (byte === 0x5c && ++i >= chunk.length) this.#escaped = true
    }
    return -1
  }

  #ended(chunk: Buffer, start: number, after: number): number {
    if (this.#taking) {
      const bytes = this.#joined(chunk, start, after)
      if (this.#skimming.worth?.(bytes, this.#path) ?? true)
        this.#skimming.take(this.#path, parsed(bytes.toString('utf8')))
    }
    this.#state = this.#isObject.length === 0 ? end : comma
    return after
  }

  #pause(chunk: Buffer, start: number): number {
    if (this.#taking) this.#hold(chunk, start)
    return chunk.length
  }

  #hold(chunk: Buffer, start: number): void {
    this.#carried += chunk.length - start
    if (this.#carried > mostTakenBytes) throw new NotJson(`a value is larger than ${mostTakenBytes} bytes`)
    this.#carry.push(Buffer.from(chunk.subarray(start)))
  }

  #joined(chunk: Buffer, start: number, after: number): Buffer {
    const last = chunk.subarray(start, after)
    if (this.#carry.length === 0) return last
    const all = Buffer.concat([...this.#carry, last])
    this.#carry = []
    this.#carried = 0
    return all
  }
}

/** Bytes outside strings that say where a value ends: " [ ] { }. */
const matters = Uint8Array.from({ length: 256 }, (_, byte) =>
  '"[]{}'.includes(String.fromCharCode(byte)) ? 1 : 0,
)

/** Whether a text that is no JSON merely ends too early. */
export function isCutOff(text: string): boolean {
  const skimmer = new JsonSkimmer({ wish: () => 'enter', take: () => {} })
  try {
    skimmer.write(Buffer.from(text))
    skimmer.finish()
    return false
  } catch (error) {
    return error instanceof NotJson && error.cut
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new NotJson((error as Error).message)
  }
}
