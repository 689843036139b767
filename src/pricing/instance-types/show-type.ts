import { typeFacts } from '../../catalogue/search/type-facts.ts'
import { monthUsd, round, roundHourly } from '../../domain/money.ts'
import { type Offer, operatingSystems } from '../../domain/offer.ts'
import type { Problem } from '../../domain/problem.ts'
import type { ComparisonOption } from '../../market/comparison/comparison.ts'
import { completeRequest } from '../../market/complete-request.ts'
import { type Market, marketOf, type PricingDeps } from '../../market/market.ts'
import { resolveRegion, resolveType } from '../../market/names.ts'
import { unknownProvider, unknownType } from '../../market/not-found.ts'
import { type InstanceTypeView, typeView } from '../../market/type-view.ts'
import { compareMachine } from '../compare-machine.ts'

export interface TypePrice {
  readonly region: string
  readonly operating_system: string
  readonly usage_type: string
  readonly term: string | null
  /** Price in the cheapest zone if zones have different prices. Local zones around the region do not count. */
  readonly cost_per_hour: number
  readonly cost_per_month: number
  readonly day: string | null
}

export interface InstanceTypeDetails extends InstanceTypeView {
  readonly prices: readonly TypePrice[]
  /**
   * Cheaper machines of at least the same size, in the requested region or where the type is cheapest on demand; null
   * if it has no on-demand price.
   */
  readonly equivalents: { readonly region: string; readonly options: readonly ComparisonOption[] } | null
}

/** Returns all that is known about one type. If there is none, throws a problem that names similar types. */
export async function showType(
  deps: PricingDeps,
  organisation: string,
  given: { readonly provider: string; readonly instanceType: string; readonly region?: string },
  today: string,
): Promise<InstanceTypeDetails> {
  const market = await marketOf(deps, organisation)
  const builtIn = deps.findProvider(given.provider)
  const provider = builtIn?.key ?? given.provider
  const named = builtIn ? resolveType(market.catalogue, builtIn, given.instanceType) : given.instanceType
  const region =
    builtIn && given.region ? resolveRegion(market.catalogue, builtIn, given.region) : given.region
  const searched = [market.catalogue, ...market.own.catalogues]
  const [found] = searched.flatMap((catalogue) =>
    typeFacts(catalogue.searchIndex, named, { provider }).map((facts) => ({ catalogue, facts })),
  )
  if (found === undefined) throw noSuchType(deps, market, provider, given)
  const prices = pricesOf(deps, market, found.facts)
  const cheapest = prices
    .filter((price) => price.usage_type === 'ONDEMAND' && price.operating_system === 'Linux')
    .filter((price) => region === undefined || price.region.toLowerCase() === region.toLowerCase())
    .toSorted((a, b) => a.cost_per_hour - b.cost_per_hour)[0]
  return {
    ...typeView(deps, found.facts),
    prices,
    equivalents:
      cheapest === undefined || found.facts.vcpus === null ? null : await equivalents(cheapest.region),
  }

  async function equivalents(region: string) {
    const { instanceType } = found!.facts
    const short = { provider, region, instance_type: instanceType, usage_type: 'ONDEMAND' }
    const request = await completeRequest(deps, organisation, { ...short, offers_per_type: 3 })
    const { options } = await compareMachine(deps, organisation, request, today)
    return { region, options: options.filter(({ effort }) => effort !== 'commit' && effort !== 'spot') }
  }
}

function pricesOf(
  { findProvider }: PricingDeps,
  { catalogue, own }: Market,
  { provider, instanceType, regions }: { provider: string; instanceType: string; regions: readonly string[] },
): TypePrice[] {
  const isLocalZone = findProvider(provider)?.isLocalZone
  const least = new Map<string, Offer>()
  for (const region of regions)
    for (const operatingSystem of operatingSystems)
      for (const each of [catalogue, ...own.catalogues])
        for (const offer of each.offersOf({ provider, region, instanceType, operatingSystem })) {
          if (isLocalZone?.(offer.zone)) continue
          const key = [region, operatingSystem, offer.usageType, offer.term].join('\n')
          const seen = least.get(key)
          if (seen === undefined || offer.pricePerHourUsd < seen.pricePerHourUsd) least.set(key, offer)
        }
  return [...least.values()].map((offer) => ({
    region: offer.region,
    operating_system: offer.operatingSystem,
    usage_type: offer.usageType,
    term: offer.term || null,
    cost_per_hour: roundHourly(offer.pricePerHourUsd),
    cost_per_month: round(monthUsd(offer.pricePerHourUsd, offer.monthlyCapUsd), 3),
    day: offer.day || null,
  }))
}

function noSuchType(
  deps: PricingDeps,
  market: Market,
  provider: string,
  { instanceType }: { instanceType: string },
): Problem {
  const types = [market.catalogue, ...market.own.catalogues].flatMap((catalogue) =>
    catalogue.typesOf(provider),
  )
  if (types.length === 0) return unknownProvider(deps, market.own, provider)
  return unknownType(deps.findProvider(provider), provider, instanceType, types)
}
