import type { RegisteredEntry } from '../../domain/marketplace.ts'
import { parseUsageType } from '../../domain/names.ts'
import { usageTypes } from '../../domain/offer.ts'
import type { MarketplacePage, MarketplaceQuery, Store } from '../../store/port.ts'
import type { OfferFacts } from '../answer/answer.ts'
import { invalidField, knownNames } from '../not-found.ts'
import { refuseBadCursor } from '../own-prices/list-marketplace.ts'
import { entryToOffer } from '../own-prices/own-prices.ts'
import { computePrice } from './compute-price.ts'
import type { ComputeEntry, ComputeFilter, ComputePage } from './entry-schema.ts'

type ComputeFilters = { readonly [Filter in ComputeFilter]?: string }

type Deps = { readonly store: Pick<Store, 'marketplace'> }

export async function listCompute(
  deps: Deps,
  organisation: string,
  { limit, offset, ...filters }: ComputeFilters & { limit: number; offset: number },
): Promise<{ providers: ComputeEntry[] }> {
  const { entries } = await pageOf(deps, organisation, { limit, offset, ...conditions(filters) })
  return { providers: entries.map(viewEntry) }
}

export async function pageCompute(
  deps: Deps,
  organisation: string,
  { limit, cursor, ...filters }: ComputeFilters & { limit: number; cursor?: string },
): Promise<ComputePage> {
  const after = cursor === undefined ? {} : { after: cursor }
  const { entries, next } = await pageOf(deps, organisation, { limit, ...after, ...conditions(filters) })
  return {
    data: entries.map(viewEntry),
    page: { has_more: next !== undefined, next_cursor: next ?? null },
  }
}

const pageOf = ({ store }: Deps, organisation: string, query: MarketplaceQuery): Promise<MarketplacePage> =>
  store.marketplace.page(organisation, query).catch(refuseBadCursor)

function conditions(filters: ComputeFilters): Omit<MarketplaceQuery, 'limit'> {
  const { service, region, instance_type: instanceType, usage_type } = filters
  const usageType = usage_type === undefined ? undefined : parseUsageType(usage_type)
  if (usage_type !== undefined && usageType === undefined)
    throw invalidField('?usage_type', knownNames(usageTypes))
  return {
    ...(service === undefined ? {} : { service }),
    ...(region === undefined ? {} : { region }),
    ...(instanceType === undefined ? {} : { instanceType }),
    ...(usageType === undefined ? {} : { usageType }),
  }
}

export function viewEntry(entry: RegisteredEntry): ComputeEntry {
  const { vcpus, ramGib, rawJson, createdAt, updatedAt } = entry
  return {
    ...computePrice(entryToOffer(entry), { vcpus, ramGib }, facts),
    raw_pricing_data: JSON.parse(rawJson),
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  }
}

const facts: OfferFacts = { displayName: ({ provider }) => provider, ratesOf: () => null }
