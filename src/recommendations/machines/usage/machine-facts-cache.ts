import type { Clock } from '../../../domain/time.ts'
import { type Entity, readEntities } from '../../../usage/digest/entities.ts'
import type { UsageStore } from '../../../usage/port.ts'

const ttlMs = 5000
const maxKept = 100

/** Facts about machines by name. They are reloaded after a short time, because every page needs them. */
export class MachineFactsCache {
  readonly #store: { readonly usage: Pick<UsageStore, 'entities'> }
  readonly #now: Clock
  readonly #pages = new Map<string, { readonly facts: Promise<Map<string, Entity>>; readonly at: number }>()

  constructor(store: { readonly usage: Pick<UsageStore, 'entities'> }, now: Clock) {
    this.#store = store
    this.#now = now
  }

  factsOf(organisation: string): Promise<ReadonlyMap<string, Entity>> {
    const known = this.#pages.get(organisation)
    const now = this.#now()
    if (known !== undefined && now - known.at < ttlMs) return known.facts
    const page = { facts: this.#read(organisation), at: now }
    this.#pages.delete(organisation)
    this.#pages.set(organisation, page)
    if (this.#pages.size > maxKept) this.#pages.delete(this.#pages.keys().next().value!)
    page.facts.catch(() => this.#pages.get(organisation) === page && this.#pages.delete(organisation))
    return page.facts
  }

  async #read(organisation: string): Promise<Map<string, Entity>> {
    const machines = await readEntities(this.#store.usage, organisation, { kinds: ['machine'] })
    return new Map([...machines.values()].map((machine) => [machine.ref.name, machine]))
  }
}
