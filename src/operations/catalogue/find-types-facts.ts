import { setImmediate as otherWork } from 'node:timers/promises'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { type TypeFacts, typeFacts } from '../../catalogue/search/type-facts.ts'

/** A catalogue does not change, so neither do its facts; an old one takes its own with it. */
const kept = new WeakMap<Catalogue, Map<string, readonly TypeFacts[]>>()

/** Types whose facts are worked out before others get a turn: about a millisecond. */
const typesATurn = 100

/** The facts of types, named in any letter case, each type once; worked out when first asked for. */
export async function findTypeFacts(catalogue: Catalogue, names: readonly string[]): Promise<TypeFacts[]> {
  const known = kept.getOrInsertComputed(catalogue, () => new Map())
  const found: TypeFacts[] = []
  let worked = 0
  for (const name of new Set(names.map((name) => name.toLowerCase()))) {
    let facts = known.get(name)
    if (facts === undefined) {
      facts = typeFacts(catalogue.searchIndex, name)
      known.set(name, facts)
      if (++worked % typesATurn === 0) await otherWork()
    }
    found.push(...facts)
  }
  return found
}
