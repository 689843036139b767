import type { Clock } from '../domain/clock.ts'
import { namespaceRoutes } from '../http/routes/namespaces.ts'
import type { PricingDeps } from '../operations/pricing/deps.ts'
import { advisorNamed, profiles } from '../operations/recommend-sizes/advisors.ts'
import type { SizesDeps } from '../operations/recommend-sizes/deps.ts'
import { LoadBook } from '../operations/recommend-sizes/load-book.ts'
import { nodePrices } from '../operations/usage/node-price.ts'
import type { Store } from '../store/port.ts'
import type { Part, Surroundings } from './part.ts'

/** How big containers should be. */
export function sizesPart({ store, now }: Surroundings, pricing: PricingDeps) {
  const deps = sizesDeps(store, pricing, now)
  return { deps, routes: [namespaceRoutes(deps)] } satisfies Part & Record<string, unknown>
}

export function sizesDeps(store: Pick<Store, 'usage'>, pricing: PricingDeps, now: Clock): SizesDeps {
  return {
    store,
    now,
    loads: new LoadBook(store, now),
    profiles,
    advisor: async (_organisation, profile) => advisorNamed(profile),
    // The store's room is asked for each time: it is not open from the start.
    nodePrices: (organisation, cluster) => nodePrices({ pricing, usage: store.usage }, organisation, cluster),
  }
}
