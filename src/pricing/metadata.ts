import type { MachineDescription } from '../domain/machine-description.ts'
import type { Offer, PriceSourceKind } from '../domain/offer.ts'

/** Where a price comes from and what else is known of it, in the API's letter case. */
export interface RawPricingData extends MachineDescription {
  readonly term: string | null
  readonly architecture: string | null
  readonly gpu: { readonly count: number; readonly name: string } | null
  readonly burstable_baseline: number | null
  readonly monthly_cap: number | null
  readonly sku_ids: readonly string[]
  readonly source: string
  readonly day: string | null
  readonly price_source: PriceSourceKind
  /** What the caller registered with a marketplace price. */
  readonly registered?: unknown
  /** What to know of the current machine before acting. */
  readonly notes?: readonly string[]
}

export function rawPricingData(
  offer: Offer,
  machine: MachineDescription,
  priceSource: PriceSourceKind,
  registered?: unknown,
): RawPricingData {
  return {
    term: offer.term || null,
    architecture: offer.architecture || null,
    gpu: offer.gpuCount > 0 ? { count: offer.gpuCount, name: offer.gpuName } : null,
    burstable_baseline: offer.burstableBaseline,
    monthly_cap: offer.monthlyCapUsd,
    sku_ids: offer.skuIds ?? [],
    source: offer.source,
    day: offer.day || null,
    price_source: priceSource,
    ...machine,
    ...(registered === undefined ? {} : { registered }),
  }
}
