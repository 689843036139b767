/** Keeps the items of greatest worth, whether they save or cost, so that memory is bounded. */
export class TopAdvice<Item extends { readonly worth: number }> {
  readonly #most: number
  #items: Item[] = []
  #dropped = 0
  #droppedWorth = 0

  constructor(most: number) {
    this.#most = most
  }

  add(item: Item): void {
    this.#items.push(item)
    if (this.#items.length >= 2 * this.#most) this.#cut()
  }

  /** Items that were left out elsewhere. */
  addDropped({ count, worth }: DroppedAdvice): void {
    this.#dropped += count
    this.#droppedWorth += worth
  }

  /** In no order. */
  get items(): readonly Item[] {
    this.#cut()
    return this.#items
  }

  get dropped(): DroppedAdvice {
    this.#cut()
    return { count: this.#dropped, worth: this.#droppedWorth }
  }

  #cut(): void {
    if (this.#items.length <= this.#most) return
    this.#items.sort((a, b) => Math.abs(b.worth) - Math.abs(a.worth))
    for (const { worth } of this.#items.splice(this.#most)) this.addDropped({ count: 1, worth })
  }
}

/** What was left out to bound memory. */
export interface DroppedAdvice {
  readonly count: number
  readonly worth: number
}
