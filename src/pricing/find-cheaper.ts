import { type Catalogue, searchAll, searchAllPositions } from '../catalogue/catalogue.ts'
import { type Comparability, comparabilityOf, sharedShare, type TypeTraits } from '../domain/comparability.ts'
import type { FoundPositions, FoundType, Need } from '../domain/need.ts'
import { NotFound } from '../domain/not-found.ts'
import type { Offer, OperatingSystem } from '../domain/offer.ts'
import type { ReplacementScope } from '../domain/planned-instance.ts'
import { monthlyPrice } from './answer/savings.ts'
import type { Size } from './current-offer.ts'
import { currentTraits } from './find-current.ts'
import type { Market } from './market.ts'
import { marketplaceSource } from './own-prices/own-prices.ts'
import { maxGroups, maxOffersPerType } from './request/bounds.ts'
import { type Limits, noLimits } from './request/request.ts'
import { type SearchScope, scopeOf } from './request/scope.ts'

/** What is wanted of a replacement. Everything else is as the current machine has it. */
interface Wanted {
  readonly size: Size
  readonly sustainedVcpus: number
  readonly limits?: Limits
  readonly operatingSystem?: OperatingSystem
  readonly countsFasterCores?: boolean
  readonly atAnyPrice?: boolean
  readonly limit?: number
  readonly offersPerType?: number
}

/** Whatever is to replace a machine is searched for with a need from here. */
export type ReplacementNeed = Need & { readonly comparableTo: Comparability }

/** Returns what may replace a machine, and where it is searched. */
export function needToReplace(
  catalogue: Catalogue,
  current: Offer,
  wanted: Wanted,
): { readonly need: ReplacementNeed; readonly scope: SearchScope } | NotFound {
  const { limits = noLimits, atAnyPrice = false } = wanted
  const known = limits === noLimits ? defaultScopeAndTraits(catalogue, current) : undefined
  const scope = known?.scope ?? scopeOf(catalogue, current, limits)
  if (scope instanceof NotFound) return scope
  const traits = known?.traits ?? currentTraits(catalogue, current)
  const { sustainedVcpus } = wanted
  const isBurstable = current.burstableBaseline !== null
  // A machine of the same kind need not sustain more than the current one does.
  const share = current.burstableBaseline ?? sharedShare
  const sustainedNow = Math.min(sustainedVcpus, (current.vcpus ?? Number.POSITIVE_INFINITY) * share)
  // Members are named one by one, because spreading them costs more than the rest of this function.
  const need: ReplacementNeed = {
    vcpus: wanted.size.vcpus,
    ramGib: wanted.size.ramGib,
    sustainedVcpus,
    sustainedBurstableVcpus: isBurstable ? sustainedNow : undefined,
    sustainedSharedVcpus: traits.isShared && !isBurstable ? sustainedNow : undefined,
    operatingSystem: wanted.operatingSystem ?? current.operatingSystem,
    architectures: scope.architectures,
    gpu: { count: current.gpuCount, name: current.gpuName },
    belowPerHourUsd: atAnyPrice ? Number.POSITIVE_INFINITY : current.pricePerHourUsd,
    belowPerMonthUsd: atAnyPrice ? Number.POSITIVE_INFINITY : worthwhileMonthUsd(monthlyPrice(current)),
    predicates: scope.predicates,
    comparableTo: comparabilityOf(traits, {
      countsFasterCores: wanted.countsFasterCores ?? false,
      isAccelerated: current.gpuCount > 0,
      needsInfiniband: limits.needsInfiniband ?? false,
    }),
    home: { provider: current.provider, region: current.region },
    near: scope.near,
    withoutLocalZones: scope.withoutLocalZones,
    termLength: scope.termLength,
    limit: wanted.limit ?? 1,
    offersPerType: wanted.offersPerType ?? 1,
  }
  return { need, scope }
}

/**
 * Returns what a month must cost less than. Nobody moves a machine for less than half a percent of its price if that is
 * also less than ten dollars: 100 a month -> 99.5, 5000 a month -> 4990.
 */
const worthwhileMonthUsd = (monthUsd: number): number =>
  monthUsd - Math.min(minSavedShare * monthUsd, minSavedUsd) * (1 - rounding)

const minSavedShare = 0.005
const minSavedUsd = 10
/** So that a saving of exactly that much counts. */
const rounding = 1e-9

interface ScopeAndTraits {
  readonly scope: SearchScope
  readonly traits: TypeTraits
}

/** Without predicates, as in most requests, scope and traits depend only on the current offer. */
function defaultScopeAndTraits(catalogue: Catalogue, current: Offer): ScopeAndTraits {
  const { position, source } = current
  const isListed = position !== undefined && source !== marketplaceSource
  const known = isListed ? defaults.getOrInsertComputed(catalogue, () => new Map()) : undefined
  const found = known?.get(position!)
  if (found !== undefined) return found
  const scope = scopeOf(catalogue, current, noLimits) as SearchScope
  const computed = { scope, traits: currentTraits(catalogue, current) }
  if (known && known.size >= maxDefaults) known.clear()
  known?.set(position!, computed)
  return computed
}

/** By catalogue and by the position of the current offer in it. */
const defaults = new WeakMap<Catalogue, Map<number, ScopeAndTraits>>()
const maxDefaults = 5000

/**
 * Finds what meets a need among listed and own prices: the types in order of their cheapest offers. If offers can be
 * rejected, more are searched than are wanted.
 */
export function findCheaper(market: Market, need: Need, accepts?: (offer: Offer) => boolean): FoundType[] {
  if (accepts === undefined) return searchAll(cataloguesOf(market), need)
  const most = { limit: maxGroups, offersPerType: maxOffersPerType }
  return searchAll(cataloguesOf(market), { ...need, ...most })
    .flatMap(({ instanceType, offers }) => {
      const accepted = offers.filter(accepts).slice(0, need.offersPerType)
      return accepted.length === 0 ? [] : [{ instanceType, offers: accepted }]
    })
    .slice(0, need.limit)
}

/** The same as positions, which are valid until the next search. */
export const findCheaperPositions = (market: Market, need: Need): FoundPositions =>
  searchAllPositions(cataloguesOf(market), need)

export const cataloguesOf = ({ catalogue, own }: Market): Catalogue[] => [catalogue, ...own.catalogues]

/** Limits a need to the provider or region of the machine. Returns undefined if its predicates exclude these. */
export function needWithin<N extends Need>(
  scope: ReplacementScope,
  { provider, region }: Offer,
  need: N,
): N | undefined {
  const { providers, regions } = need.predicates
  const isWanted = (name: string, named: readonly string[] = []): boolean =>
    named.length === 0 || named.some((one) => one.toLowerCase() === name.toLowerCase())
  if (!isWanted(provider, providers)) return undefined
  if (scope === 'provider') return { ...need, predicates: { ...need.predicates, providers: [provider] } }
  if (!isWanted(region, regions)) return undefined
  return { ...need, predicates: { ...need.predicates, providers: [provider], regions: [region] } }
}
