import type { Clock } from '../../../domain/time.ts'
import { Cache } from '../../../runtime/cache.ts'
import { type Entity, readEntities } from '../../../usage/digest/entities.ts'
import type { UsageStore } from '../../../usage/port.ts'

const maxAgeMs = 5000

/** Facts about machines by name. They are reloaded after a short time, because every page needs them. */
export class MachineFactsCache {
  readonly #store: { readonly usage: Pick<UsageStore, 'entities'> }
  readonly #kept: Cache<ReadonlyMap<string, Entity>>

  constructor(store: { readonly usage: Pick<UsageStore, 'entities'> }, clockMs: Clock) {
    this.#store = store
    this.#kept = new Cache({ maxCount: 100, clockMs })
  }

  async factsOf(organisation: string): Promise<ReadonlyMap<string, Entity>> {
    return (
      this.#kept.get(organisation, maxAgeMs) ?? this.#kept.load(organisation, () => this.#read(organisation))
    )
  }

  async #read(organisation: string): Promise<Map<string, Entity>> {
    const machines = await readEntities(this.#store.usage, organisation, { kinds: ['machine'] })
    return new Map([...machines.values()].map((machine) => [machine.ref.name, machine]))
  }
}
