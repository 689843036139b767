import type { MarketplaceEntry } from '../../domain/marketplace.ts'
import { Problem } from '../../domain/problem.ts'
import type { Provider } from '../../domain/provider.ts'
import { type Store, TooManyEntries } from '../../store/port.ts'
import { checkRegistration, type Registration } from './check-registration.ts'
import { providerNotRegistered } from './list-marketplace.ts'
import type { OwnPriceCache } from './own-prices.ts'
import type { RegistrationResult, RemovalResult } from './schema.ts'

export interface MarketplaceDeps {
  readonly store: Pick<Store, 'marketplace'>
  readonly ownPrices: OwnPriceCache
  findProvider(name: string): Provider | undefined
}

const maxEntriesPerOrganisation = 200_000

export async function registerMarketplace(
  deps: MarketplaceDeps,
  organisation: string,
  given: Registration,
): Promise<RegistrationResult> {
  const { entries, warnings } = await registerEntries(deps, organisation, given)
  return {
    Status: 'Registered',
    Entries: entries.length,
    ...(warnings.length > 0 ? { Warnings: warnings } : {}),
  }
}

/** Registers all entries or none. When it resolves, this node's answers include them. */
export async function registerEntries(
  deps: MarketplaceDeps,
  organisation: string,
  given: Registration,
  pointerTo?: (i: number) => string,
): Promise<{ entries: readonly MarketplaceEntry[]; warnings: readonly string[] }> {
  const { entries, warnings } = await checkRegistration(deps.findProvider, given, pointerTo)
  await deps.store.marketplace
    .register(organisation, entries, maxEntriesPerOrganisation)
    .catch((error: unknown) => {
      throw error instanceof TooManyEntries ? tooManyProblem(error) : error
    })
  // The entries are stored already, so a failed read only drops the cached prices.
  await deps.ownPrices.refresh(organisation).catch(() => deps.ownPrices.forget(organisation))
  return { entries, warnings }
}

function tooManyProblem({ message }: TooManyEntries): Problem {
  return new Problem(
    'invalid',
    `Nothing was registered. An organisation can have at most ${maxEntriesPerOrganisation} entries.`,
    { errors: [{ pointer: '/entries', message }] },
  )
}

/**
 * Removes a provider from the organisation's marketplace. When it resolves, this node's answers no longer include it.
 */
export async function removeMarketplace(
  deps: Pick<MarketplaceDeps, 'store' | 'ownPrices'>,
  organisation: string,
  provider: string,
): Promise<RemovalResult> {
  const removed = await deps.store.marketplace.remove(organisation, provider)
  if (removed === 0) throw providerNotRegistered(provider)
  await deps.ownPrices.refresh(organisation).catch(() => deps.ownPrices.forget(organisation))
  return { Status: 'Removed', Entries: removed }
}
