import type { Clock } from '../../domain/clock.ts'
import type { UsageStore } from '../../usage/port.ts'
import { type MachineFacts, machineFacts } from './machine-facts.ts'

const believedMs = 5000
const mostKept = 100

/** What machines say of themselves, by name; read anew after moments, since a page asks for all. */
export class FactsBook {
  readonly #store: { readonly usage: Pick<UsageStore, 'entities'> }
  readonly #now: Clock
  readonly #pages = new Map<
    string,
    { readonly facts: Promise<Map<string, MachineFacts>>; readonly at: number }
  >()

  constructor(store: { readonly usage: Pick<UsageStore, 'entities'> }, now: Clock) {
    this.#store = store
    this.#now = now
  }

  of(organisation: string): Promise<ReadonlyMap<string, MachineFacts>> {
    const known = this.#pages.get(organisation)
    const now = this.#now()
    if (known !== undefined && now - known.at < believedMs) return known.facts
    const facts = this.#store.usage.entities(organisation, { kinds: ['machine'] }).then(machineFacts)
    const page = { facts, at: now }
    this.#pages.delete(organisation)
    this.#pages.set(organisation, page)
    if (this.#pages.size > mostKept) this.#pages.delete(this.#pages.keys().next().value!)
    facts.catch(() => this.#pages.get(organisation) === page && this.#pages.delete(organisation))
    return facts
  }
}
