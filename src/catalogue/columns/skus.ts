import { Dictionary, type IdArray, narrowIds } from './dictionary.ts'

/**
 * The ids of each price. The first id is stored by itself, the others as one text; an id that begins with the first id is
 * stored without that prefix. Offer i has first.text(firstOf[i] - 1) and rest.text(restOf[i] - 1); 0 means none.
 */
export interface SkuColumns {
  readonly firstOf: IdArray
  readonly restOf: IdArray
  readonly first: TextTable
  readonly rest: TextTable
}

/** Replaces the first id at the beginning of another id. No provider's id contains control characters. */
const firstIdMark = '\u0001'
const separator = '\n'

const none: readonly string[] = []

export class SkuDictionary {
  readonly #first = new Dictionary()
  readonly #rest = new Dictionary()
  readonly #firstOf: Uint32Array
  readonly #restOf: Uint32Array

  constructor(count: number) {
    this.#firstOf = new Uint32Array(count)
    this.#restOf = new Uint32Array(count)
  }

  set(i: number, ids: readonly string[] | undefined): void {
    const first = ids?.[0]
    if (ids === undefined || first === undefined) return
    this.#firstOf[i] = this.#first.id(first) + 1
    if (ids.length === 1) return
    const rest = ids.slice(1).map((id) => (id.startsWith(first) ? firstIdMark + id.slice(first.length) : id))
    this.#restOf[i] = this.#rest.id(rest.join(separator)) + 1
  }

  columns(): SkuColumns {
    return {
      firstOf: narrowIds(this.#firstOf, this.#first.values.length + 1),
      restOf: narrowIds(this.#restOf, this.#rest.values.length + 1),
      first: TextTable.of(this.#first.values),
      rest: TextTable.of(this.#rest.values),
    }
  }
}

export function skuIds(skus: SkuColumns, i: number): readonly string[] {
  if (skus.firstOf[i] === 0) return none
  const first = skus.first.text(skus.firstOf[i]! - 1)
  if (skus.restOf[i] === 0) return [first]
  const rest = skus.rest.text(skus.restOf[i]! - 1).split(separator)
  return [
    first,
    ...rest.map((id) => (id.startsWith(firstIdMark) ? first + id.slice(firstIdMark.length) : id)),
  ]
}

/** Many short texts in one block of bytes. A JavaScript string for each would take more memory than the offers. */
export class TextTable {
  /** The texts in UTF-8, end to end. */
  readonly bytes: Buffer
  /** Text i is at [starts[i], starts[i + 1]), so there is one more start than there are texts. */
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
