import type { MarketplaceEntry } from '../../domain/marketplace.ts'
import { Problem } from '../../domain/problem.ts'
import { BadCursor, type Store } from '../../store/port.ts'

type Deps = { readonly store: Pick<Store, 'marketplace'> }

export interface MarketplaceProviders {
  readonly providers: readonly { readonly provider: string; readonly service: string }[]
  readonly count: number
}

/** Returns one item per provider and service, sorted. */
export async function listMarketplace({ store }: Deps, organisation: string): Promise<MarketplaceProviders> {
  const items = await store.marketplace.providers(organisation)
  const providers = items.map(({ provider, service }) => ({ provider, service }))
  return { providers, count: providers.length }
}

/** An entry with the contract's members. */
export interface CustomPricingEntry {
  readonly cost_per_hour: number
  readonly cpu_cores: number
  readonly ram_gb: number
  readonly usage_type: string
  readonly instance_type: string
  readonly region: string
  readonly raw_pricing_data: unknown
  readonly provider: string
  readonly service: string
  readonly operating_system: string
  readonly availability_zone: string
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

export function toContract(entry: MarketplaceEntry): CustomPricingEntry {
  return {
    cost_per_hour: entry.pricePerHourUsd,
    cpu_cores: entry.vcpus,
    ram_gb: entry.ramGib,
    usage_type: entry.usageType,
    instance_type: entry.instanceType,
    region: entry.region,
    raw_pricing_data: JSON.parse(entry.rawJson),
    provider: entry.provider,
    service: entry.service,
    operating_system: entry.operatingSystem,
    availability_zone: entry.zone,
  }
}
