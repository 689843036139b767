/**
 * All records of a table in memory, always read as a whole. A record that this node wrote itself takes effect at once, and
 * overrides the result of a reading that may have begun before the write.
 */
export class RecordCache<Held> {
  readonly #isFinal: (held: Held) => boolean
  #records: ReadonlyMap<string, Held> = new Map()
  /** Own writes, with the number of the last reading that may have begun before. A removed record is undefined. */
  readonly #written = new Map<string, { readonly held: Held | undefined; readonly load: number }>()
  #loads = 0
  #shown = 0

  /** A final record never changes again. If a reading contains it, no earlier write of this node overrides it. */
  constructor(isFinal: (held: Held) => boolean = () => false) {
    this.#isFinal = isFinal
  }

  get size(): number {
    return this.#records.size
  }

  get(id: string): Held | undefined {
    return this.#records.get(id)
  }

  async load(read: () => Promise<Map<string, Held>>): Promise<void> {
    const load = ++this.#loads
    const records = await read()
    // A slower, older reading must not undo a newer one.
    if (load < this.#shown) return
    this.#shown = load
    for (const [id, written] of this.#written) {
      const current = records.get(id)
      if (load > written.load) this.#written.delete(id)
      else if (current === undefined || !this.#isFinal(current)) setOrDelete(records, id, written.held)
    }
    this.#records = records
  }

  /** Takes over records that were just written; undefined for those that were removed. */
  put(changes: Iterable<readonly [id: string, held: Held | undefined]>): void {
    const records = new Map(this.#records)
    for (const [id, held] of changes) {
      const current = records.get(id)
      // A write that ends late, such as a rotation, must not undo a revocation.
      if (current !== undefined && this.#isFinal(current)) continue
      setOrDelete(records, id, held)
      this.#written.set(id, { held, load: this.#loads })
    }
    this.#records = records
  }
}

function setOrDelete<Held>(records: Map<string, Held>, id: string, held: Held | undefined): void {
  if (held === undefined) records.delete(id)
  else records.set(id, held)
}
