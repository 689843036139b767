import { shippedDisks } from '../../catalogue/shipped-facts.ts'
import type { DiskOffer } from '../../domain/disk.ts'
import { hoursPerMonth, round } from '../../domain/money.ts'
import { NotFound } from '../../domain/not-found.ts'
import type { PricingDeps } from '../market.ts'
import { resolveRegions } from '../names.ts'
import { quoted } from '../not-found.ts'
import { maximum } from './disk-price-row.ts'
import { same } from './find-disk.ts'
import type { DiskTypesQuery, DiskTypeView } from './schema.ts'

export function listDiskTypes(
  deps: Pick<PricingDeps, 'catalogue' | 'providers' | 'findProvider'>,
  { provider: name, region, limit }: DiskTypesQuery,
): DiskTypeView[] | NotFound {
  const provider = name === undefined ? undefined : deps.findProvider(name)
  if (name !== undefined && provider === undefined)
    return new NotFound('unknown-provider', `No provider is named ${quoted(name)}.`)
  const regions = region === undefined ? undefined : resolveRegions(deps.catalogue(), region)
  const providers = provider === undefined ? deps.providers : [provider]
  return providers
    .flatMap(({ key, displayName }) =>
      [...Map.groupBy(shippedDisks(key), ({ type, tier }) => `${type} ${tier}`).values()].flatMap(
        (offers) => {
          const here = offers.filter((offer) => regions?.some((one) => same(one, offer.region)) ?? true)
          const [first] = here.sort(
            (a, b) => a.gibPerHourUsd - b.gibPerHourUsd || (a.region < b.region ? -1 : 1),
          )
          return first === undefined ? [] : [typeView(first, displayName, offers.length)]
        },
      ),
    )
    .slice(0, limit)
}

function typeView(offer: DiskOffer, provider: string, regions: number): DiskTypeView {
  const month = (perHourUsd: number): number => round(perHourUsd * hoursPerMonth, 6)
  const { iops, throughput } = offer
  return {
    provider,
    provider_key: offer.provider,
    type: offer.type,
    tier: offer.tier,
    region: offer.region,
    cost_per_gb_month: month(offer.gibPerHourUsd),
    cost_per_iops_month: month(offer.iopsPerHourUsd),
    cost_per_throughput_mbps_month: month(offer.mbpsPerHourUsd),
    min_capacity_gb: offer.minGib,
    max_capacity_gb: maximum(offer.maxGib),
    included_iops: iops.included,
    iops_per_gb: round(iops.perGib, 6),
    max_iops: maximum(iops.max),
    included_throughput_mbps: throughput.included,
    throughput_mbps_per_gb: round(throughput.perGib, 6),
    max_throughput_mbps: maximum(throughput.max),
    traits: [...offer.traits],
    source: offer.source,
    price_day: offer.day || null,
    is_estimate: offer.isEstimate,
    regions,
  }
}
