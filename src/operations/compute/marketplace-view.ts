import type { RegisteredEntry } from '../../domain/marketplace.ts'
import type { OfferFacts } from '../../pricing/answer.ts'
import { entryToOffer } from '../marketplace/own-prices.ts'
import { type ComputePrice, computePrice } from '../pricing/compute-price.ts'

/** A registered price as a compute price, with what was registered as its raw data. */
export type ComputeEntry = Omit<ComputePrice, 'raw_pricing_data'> & { readonly raw_pricing_data: unknown }

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
