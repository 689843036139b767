import { Problem } from '../../domain/problem.ts'
import { BadCursor, type Store } from '../../store/port.ts'
import { toContract } from './marketplace-entry.ts'
import type { CustomPricingEntry, MarketplaceProviders } from './schema.ts'

type Deps = { readonly store: Pick<Store, 'marketplace'> }

export async function listMarketplace({ store }: Deps, organisation: string): Promise<MarketplaceProviders> {
  const items = await store.marketplace.providers(organisation)
  const providers = items.map(({ provider, service }) => ({ provider, service }))
  return { providers, count: providers.length }
}

/**
 * Lists the entries of one provider page by page, ordered by service, region, zone, type, operating system and usage
 * type.
 */
export async function listMarketplaceEntries(
  { store }: Deps,
  organisation: string,
  provider: string,
  page: { limit: number; cursor?: string },
): Promise<{ entries: CustomPricingEntry[]; next?: string }> {
  const { cursor: after, limit } = page
  const found = await store.marketplace
    .page(organisation, { provider, limit, ...(after === undefined ? {} : { after }) })
    .catch(refuseBadCursor)
  if (found.entries.length === 0 && after === undefined) throw providerNotRegistered(provider)
  return { entries: found.entries.map(toContract), ...(found.next === undefined ? {} : { next: found.next }) }
}

export function refuseBadCursor(error: unknown): never {
  if (!(error instanceof BadCursor)) throw error
  throw new Problem('invalid', 'The cursor is invalid.', {
    errors: [{ pointer: '?cursor', message: 'must come from a previous page' }],
  })
}

export const providerNotRegistered = (provider: string): Problem =>
  new Problem('not-found', `No marketplace provider named ${JSON.stringify(provider)} is registered.`)
