import { providerNotRegistered } from './list-marketplace.ts'
import type { MarketplaceDeps } from './register-marketplace.ts'

interface RemovalResult {
  readonly Status: 'Removed'
  readonly Entries: number
}

/** Takes a provider out of the organisation's marketplace; it is gone from this node's answers when it resolves. */
export async function removeMarketplace(
  deps: Pick<MarketplaceDeps, 'store' | 'catalogues'>,
  organisation: string,
  provider: string,
): Promise<RemovalResult> {
  const removed = await deps.store.marketplace.remove(organisation, provider)
  if (removed === 0) throw providerNotRegistered(provider)
  await deps.catalogues.refresh(organisation).catch(() => deps.catalogues.forget(organisation))
  return { Status: 'Removed', Entries: removed }
}
