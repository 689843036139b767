import type { Catalogue } from './catalogue.ts'

/** Holds the catalogue that is served. A new one takes its place in one step; who already holds the old one finishes with it. */
export class CatalogueHolder {
  #current: Catalogue

  constructor(first: Catalogue) {
    this.#current = first
  }

  get current(): Catalogue {
    return this.#current
  }

  swap(next: Catalogue): void {
    this.#current = next
  }
}
