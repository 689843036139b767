import { typeFacts } from '../../catalogue/search/type-facts.ts'
import { monthUsd, round, roundHourly } from '../../domain/money.ts'
import { NotFound } from '../../domain/not-found.ts'
import { type Offer, operatingSystems } from '../../domain/offer.ts'
import { compareMachine } from '../compare/compare-machine.ts'
import { type Market, marketOf, type PricingDeps } from '../market.ts'
import { resolveRegion, resolveType } from '../names.ts'
import { unknownProvider, unknownType } from '../not-found.ts'
import type { InstanceTypeDetails, TypePrice } from './schema.ts'
import { typeView } from './type-view.ts'

export async function showType(
  deps: PricingDeps,
  organisation: string,
  given: { readonly provider: string; readonly instanceType: string; readonly region?: string },
  today: string,
): Promise<InstanceTypeDetails | NotFound> {
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
  if (found === undefined) return noSuchType(deps, market, provider, given)
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
    const comparison = await compareMachine(deps, organisation, { ...short, offers_per_type: 3 }, today)
    if (comparison instanceof NotFound) return null
    const { options } = comparison
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
): NotFound {
  const types = [market.catalogue, ...market.own.catalogues].flatMap((catalogue) =>
    catalogue.typesOf(provider),
  )
  if (types.length === 0) return unknownProvider(deps, market.own, provider)
  return unknownType(deps.findProvider(provider), provider, instanceType, types)
}
