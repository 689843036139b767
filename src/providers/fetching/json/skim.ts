import { Carry, NotJson, parsed, ValueEnd } from './values.ts'

/** What to do with a value: enter its members, parse it and pass it to take(), or skip it. */
export type SkimAction = 'enter' | 'take' | 'skip'

/** From the root: names of members, positions in arrays. Valid only during the call. */
export type Path = readonly (string | number)[]

export interface Skimming {
  action(path: Path): SkimAction
  /** Checks the raw bytes of a value that is to be taken. False if it is certainly not wanted, which saves parsing it. */
  worth?(bytes: Buffer, path: Path): boolean
  take(path: Path, value: unknown): void
}

/** States between the values of entered containers: what is expected next. */
const value = 0
const firstKey = 1
const key = 2
const inKey = 3
const colon = 4
const comma = 5
/** States inside a value that is taken or skipped. */
const inContainer = 6
const inString = 7
const inScalar = 8
const end = 9
const firstElement = 10

/** Holds no more than the value that is taken. In skipped values only strings and the balance of brackets are checked. */
export class JsonSkimmer {
  readonly #skimming: Skimming
  readonly #path: (string | number)[] = []
  /** For each open container: whether it is an object. */
  readonly #isObject: boolean[] = []
  #state = value
  #taking = false
  readonly #end = new ValueEnd()
  /** Bytes of the key or value that is being read. */
  readonly #carry = new Carry()

  constructor(skimming: Skimming) {
    this.#skimming = skimming
  }

  write(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const { length } = chunk
    let i = 0
    while (i < length) {
      if (this.#state === inContainer) i = this.#ended(chunk, i, this.#end.ofContainer(chunk, i))
      else if (this.#state === inString) i = this.#ended(chunk, i, this.#end.ofString(chunk, i))
      else if (this.#state === inScalar) i = this.#ended(chunk, i, this.#end.ofScalar(chunk, i))
      else if (this.#state === inKey) i = this.#key(chunk, i)
      else i = this.#structure(chunk, i)
    }
  }

  /** Throws NotJson unless the text was complete. */
  finish(): void {
    if (this.#state === inScalar && this.#path.length === 0) this.#ended(Buffer.alloc(0), 0, 0)
    if (this.#state !== end) throw new NotJson('the text ends before its last value does', true)
  }

  /** Reads one byte between values. Returns the position after it. */
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
      return this.#key(chunk, i + 1)
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

  #leave(i: number): number {
    this.#isObject.pop()
    this.#state = this.#isObject.length === 0 ? end : comma
    return i + 1
  }

  #begin(chunk: Buffer, i: number): number {
    const byte = chunk[i]!
    const action = this.#skimming.action(this.#path)
    const isObject = byte === 0x7b
    if (action === 'enter' && (isObject || byte === 0x5b)) {
      this.#isObject.push(isObject)
      if (!isObject) this.#path.push(0)
      this.#state = isObject ? firstKey : firstElement
      return i + 1
    }
    this.#taking = action === 'take'
    if (isObject || byte === 0x5b) {
      this.#state = inContainer
      this.#end.enter()
      return this.#ended(chunk, i, this.#end.ofContainer(chunk, i + 1))
    }
    if (byte === 0x22) {
      this.#state = inString
      return this.#ended(chunk, i, this.#end.ofString(chunk, i + 1))
    }
    if (byte !== 0x2d && (byte < 0x30 || byte > 0x39) && byte !== 0x74 && byte !== 0x66 && byte !== 0x6e)
      throw new NotJson(`unexpected ${JSON.stringify(String.fromCharCode(byte))}`)
    this.#state = inScalar
    return this.#ended(chunk, i, this.#end.ofScalar(chunk, i + 1))
  }

  #key(chunk: Buffer, start: number): number {
    const after = this.#end.ofString(chunk, start)
    if (after === -1) {
      this.#carry.hold(chunk, start)
      return chunk.length
    }
    const text = this.#carry.joined(chunk, start, after - 1).toString('utf8')
    this.#path.push(text.includes('\\') ? String(parsed(`"${text}"`)) : text)
    this.#state = colon
    return after
  }

  /** Called when a taken or skipped value has ended, or with -1 if it continues in the next chunk. */
  #ended(chunk: Buffer, start: number, after: number): number {
    if (after === -1) {
      if (this.#taking) this.#carry.hold(chunk, start)
      return chunk.length
    }
    if (this.#taking) {
      const bytes = this.#carry.joined(chunk, start, after)
      if (this.#skimming.worth?.(bytes, this.#path) ?? true)
        this.#skimming.take(this.#path, parsed(bytes.toString('utf8')))
    }
    this.#state = this.#isObject.length === 0 ? end : comma
    return after
  }
}

/** Whether a text that is not JSON only ends too early. */
export function isCutOff(text: string): boolean {
  const skimmer = new JsonSkimmer({ action: () => 'enter', take: () => {} })
  try {
    skimmer.write(Buffer.from(text))
    skimmer.finish()
    return false
  } catch (error) {
    return error instanceof NotJson && error.cut
  }
}
