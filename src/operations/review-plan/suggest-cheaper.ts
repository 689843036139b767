import { searchAll } from '../../catalogue/catalogue.ts'
import { likenessOf } from '../../domain/likeness.ts'
import { roundHourly, roundSum } from '../../domain/money.ts'
import type { Predicates } from '../../domain/need.ts'
import type { Offer } from '../../domain/offer.ts'
import { monthlyPrice, savingsBetween } from '../../pricing/savings.ts'
import { worthChanging } from '../compare/options.ts'
import type { Market, PricingDeps } from '../pricing/deps.ts'
import { scopeOf } from '../pricing/scope.ts'

export const suggestScopes = ['region', 'provider', 'anywhere'] as const
/** How far a machine may move: within its region, to another region of its provider nearby, or to any provider anywhere. */
export type SuggestScope = (typeof suggestScopes)[number]

/** A machine at least as large, for less; amounts are of one machine. */
export interface Suggestion {
  readonly provider: string
  readonly region: string
  readonly availability_zone: string
  readonly instance_type: string
  readonly usage_type: string
  readonly cpu_cores: number
  readonly ram_gb: number
  readonly cost_per_hour: number
  readonly cost_per_month: number
  readonly savings_per_month: number
  /** Saving as a percentage of the current monthly cost. */
  readonly savings_percentage: number
  /** The day of the price, YYYY-MM-DD; null where it is not known. */
  readonly price_day: string | null
}

/** The cheapest comparable types that are at least as large as the machine, whose usage is unknown, with the same usage type. */
export function suggestCheaper(
  deps: PricingDeps,
  { catalogue, own }: Market,
  current: Offer,
  { suggestFrom = 'region', suggestions = 3 }: { suggestFrom?: SuggestScope; suggestions?: number },
): Suggestion[] {
  const { vcpus, ramGib, architecture } = current
  if (vcpus === null || ramGib === null || suggestions <= 0) return []
  const found = searchAll([catalogue, ...own.catalogues], {
    vcpus,
    ramGib,
    sustainedVcpus: vcpus * (current.burstableBaseline ?? 1),
    operatingSystem: current.operatingSystem,
    ...(architecture === '' ? {} : { architectures: [architecture] }),
    gpu: { count: current.gpuCount, name: current.gpuName },
    belowPerHourUsd: worthChanging * current.pricePerHourUsd,
    belowPerMonthUsd: monthlyPrice(current),
    like: likenessOf(catalogue.rules.traitsOf(current.provider, current.instanceType), false),
    ...scopeOf(catalogue, current, {
      predicates: within(suggestFrom, current),
      architectures: undefined,
      lifted: new Set(suggestFrom === 'anywhere' ? ['regions' as const] : []),
    }),
    limit: suggestions,
    offersPerType: 1,
  })
  return found.flatMap(({ offers: [offer] }) =>
    offer === undefined ? [] : asSuggestion(deps, current, offer),
  )
}

function within(scope: SuggestScope, { provider, region }: Offer): Predicates {
  if (scope === 'anywhere') return {}
  return scope === 'provider' ? { providers: [provider] } : { providers: [provider], regions: [region] }
}

function asSuggestion(deps: PricingDeps, current: Offer, offer: Offer): Suggestion[] {
  const savings = savingsBetween(current, offer)
  if (savings === null || offer.vcpus === null || offer.ramGib === null) return []
  return [
    {
      provider: deps.findProvider(offer.provider)?.displayName ?? offer.provider,
      region: offer.region,
      availability_zone: offer.zone,
      instance_type: offer.instanceType,
      usage_type: offer.usageType,
      cpu_cores: offer.vcpus,
      ram_gb: offer.ramGib,
      cost_per_hour: roundHourly(offer.pricePerHourUsd),
      cost_per_month: roundSum(monthlyPrice(offer)),
      savings_per_month: savings.amount_per_month,
      savings_percentage: roundSum((100 * savings.amount_per_month) / monthlyPrice(current)),
      price_day: offer.day || null,
    },
  ]
}
