/**
 * All records of a table in memory, read as a whole. What this node wrote itself counts at once, and in place of what
 * a reading still brings that may have begun before.
 */
export class RecordCache<Held> {
  readonly #isFinal: (held: Held) => boolean
  #records: ReadonlyMap<string, Held> = new Map()
  /** With the number of the last reading that may have begun before; removed where undefined. */
  readonly #written = new Map<string, { readonly held: Held | undefined; readonly load: number }>()
  #loads = 0
  #shown = 0

  /** A final record changes no more: where a reading brings it, nothing that was written before counts. */
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
      const found = records.get(id)
      if (load > written.load) this.#written.delete(id)
      else if (found === undefined || !this.#isFinal(found)) setOrDelete(records, id, written.held)
    }
    this.#records = records
  }

  /** Records that were just written, or removed where undefined. */
  put(changes: Iterable<readonly [id: string, held: Held | undefined]>): void {
    const records = new Map(this.#records)
    for (const [id, held] of changes) {
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
