import type { Registration } from '../../../market/marketplace/check-registration.ts'
import type { MarketplaceProviders } from '../../../operations/marketplace/list-marketplace.ts'
import type {
  MarketplaceDeps,
  RegistrationResult,
} from '../../../operations/marketplace/register-marketplace.ts'
import type { RemoteService } from '../../server.ts'

/** An organisation's own prices, accessed in the database or through a service. */
export interface Marketplace {
  register(registration: Registration): Promise<RegistrationResult>
  list(): Promise<MarketplaceProviders>
  remove(name: string): Promise<{ readonly Entries: number }>
}

export function marketplaceOnDatabase(deps: MarketplaceDeps, organisation: string): Marketplace {
  return {
    async register(registration) {
      const { registerMarketplace } = await import('../../../operations/marketplace/register-marketplace.ts')
      return registerMarketplace(deps, organisation, registration)
    },
    async list() {
      const { listMarketplace } = await import('../../../operations/marketplace/list-marketplace.ts')
      return listMarketplace(deps, organisation)
    },
    async remove(name) {
      const { removeMarketplace } = await import('../../../operations/marketplace/register-marketplace.ts')
      return removeMarketplace(deps, organisation, name)
    },
  }
}

export function marketplaceOnServer(server: RemoteService): Marketplace {
  const path = '/marketplace/providers'
  return {
    register: (registration) => server.ask(path, { body: registration }),
    list: () => server.ask(path),
    remove: (name) => server.ask(`${path}/${encodeURIComponent(name)}`, { method: 'DELETE' }),
  }
}
