import type { Catalogue } from './catalogue.ts'

/** Holds the catalogue that is served. A new one takes its place in one step; who already holds the old one finishes with it. */
export class CatalogueHolder {
  #current: Catalogue
  readonly #listeners = new Set<(next: Catalogue, before: Catalogue) => void>()

  constructor(first: Catalogue) {
    this.#current = first
  }

  get current(): Catalogue {
    return this.#current
  }

  swap(next: Catalogue): void {
    const before = this.#current
    if (next === before) return
    this.#current = next
    for (const listener of [...this.#listeners]) listener(next, before)
  }

  /** Calls back after each swap. Returns how to stop. */
  onSwap(listener: (next: Catalogue, before: Catalogue) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
