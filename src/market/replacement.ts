import { shippedKnowledge } from '../catalogue/load-catalogue.ts'
import { type Likeness, likenessOf, type TypeTraits } from '../domain/likeness.ts'
import type { MachineDescription } from '../domain/machine-description.ts'
import { baseRates } from '../domain/money.ts'
import type { Need } from '../domain/need.ts'
import type { Offer } from '../domain/offer.ts'
import { baseProvider } from '../importers/providers.ts'
import { describeMachine } from '../machines/describe-machine.ts'
import { type OfferFacts, rawPricingData } from '../pricing/answer.ts'
import { assumedRate, defaultTarget, requirement, type Size } from '../pricing/current-offer.ts'
import { monthlyPrice } from '../pricing/savings.ts'
import { currentTraits, familyRatesIn, findCurrent } from './find-current.ts'
import type { Market, PricingDeps } from './market.ts'
import { zonesMeant } from './names.ts'
import { marketplaceSource } from './own-prices.ts'
import {
  defaultLimit,
  defaultOffersPerType,
  type Limits,
  parsePredicates,
  type RecommendationRequest,
  type Resources,
} from './request.ts'
import { type SearchScope, scopeOf, scopeText } from './scope.ts'

/** The current instance, and what may take its place. */
export function needFor(deps: PricingDeps, market: Market, request: RecommendationRequest) {
  const limits = withZonesMeant(deps, market, parsePredicates(request.predicates, deps.findProvider))
  const current = findCurrent(deps, market, request)
  const scope = scopeOf(market.catalogue, current, limits)
  return {
    current,
    need: needOf(request, current, limits, scope, currentTraits(market.catalogue, current)),
  }
}

function withZonesMeant({ providers }: PricingDeps, { catalogue }: Market, limits: Limits): Limits {
  const { availabilityZones } = limits.predicates
  if (availabilityZones === undefined) return limits
  const meant = availabilityZones.flatMap((name) => zonesMeant(providers, catalogue, name))
  return { ...limits, predicates: { ...limits.predicates, availabilityZones: meant } }
}

/** The header Cheapside-Scope. */
export function scopeFor(request: RecommendationRequest, need: SearchScope): string {
  return isBeyondSize(request) ? `${scopeText(need)}, usage_beyond_vm=?1` : scopeText(need)
}

export const vmOf = ({ vm }: RecommendationRequest): Size => ({ vcpus: vm.cpu_cores, ramGib: vm.ram_gb })

/** What the caller says of the machine's size rules, where the price list says otherwise. */
function needOf(
  request: RecommendationRequest,
  current: Offer,
  { architectures, lifted }: Limits,
  { predicates, near, withoutLocalZones }: SearchScope,
  traits: TypeTraits,
): Need & SearchScope & { readonly like: Likeness } {
  const { usage, target_utilisation: target } = request
  const used = { vcpus: usage.cpu_cores, ramGib: usage.ram_gb }
  const wanted = { cpu: target?.cpu ?? defaultTarget.cpu, ram: target?.ram ?? defaultTarget.ram }
  const { vcpus, ramGib } = requirement(used, vmOf(request), wanted)
  const { architecture } = current
  // Named one by one: members that are spread cost more than the rest of this.
  return {
    vcpus,
    ramGib,
    sustainedVcpus: usage.cpu_cores,
    operatingSystem: current.operatingSystem,
    architectures:
      architectures ?? (architecture === '' || lifted.has('architectures') ? undefined : [architecture]),
    gpu: { count: current.gpuCount, name: current.gpuName },
    belowPerHourUsd: current.pricePerHourUsd,
    belowPerMonthUsd: monthlyPrice(current),
    predicates,
    like: likenessOf(traits, request.performance === 'equivalent'),
    near,
    withoutLocalZones,
    limit: request.limit ?? defaultLimit,
    offersPerType: request.offers_per_type ?? defaultOffersPerType,
  }
}

/** What an answer says of offers beyond themselves. */
export function offerFactsFor(
  deps: PricingDeps,
  { catalogue, own }: Market,
  withMetadata: boolean,
  /** What others are compared with in the metadata. */
  current?: Offer,
  /** Size and usage of the current one, for the notes on it. */
  request?: Pick<RecommendationRequest, 'vm' | 'usage'>,
): OfferFacts {
  const names = new Map(deps.providers.map(({ key, displayName }) => [key, displayName]))
  const isOwn = (offer: { source: string }): boolean => offer.source === marketplaceSource
  const facts: OfferFacts = {
    displayName: (offer) => (isOwn(offer) ? offer.provider : (names.get(offer.provider) ?? offer.provider)),
    ratesOf: (offer) => (offer.provider === baseProvider.key ? baseRates : familyRatesIn(catalogue, offer)),
  }
  if (!withMetadata) return facts
  return {
    ...facts,
    rawOf: (offer) => {
      const isCurrent = offer === current
      const machine = describeMachine(shippedKnowledge(), offer, isCurrent ? undefined : current)
      const raw = rawPricingData(
        offer,
        machine,
        isOwn(offer) ? 'own' : offer.provider === baseProvider.key ? 'base' : 'list',
        isOwn(offer) ? JSON.parse(own.rawOf(offer)) : undefined,
      )
      return isCurrent && request ? { ...raw, notes: notesOn(offer, machine, request) } : raw
    },
  }
}

type Described = Pick<RecommendationRequest, 'vm' | 'usage'>

/** What somebody who runs the current machine has to know before acting on a comparison. */
export function notesOn(
  current: Offer,
  { generation, ends_on: endsOn }: Pick<MachineDescription, 'generation' | 'ends_on'>,
  request: Described,
): string[] {
  const { usage, vm } = request
  return [
    ...endingText('This type', generation, endsOn),
    ...assumedText('This custom type', current.source),
    ...(isBeyondSize(request)
      ? [
          `The usage of ${sizeText(usage)} is beyond the size of ${sizeText(vm)}: check both figures. ` +
            'Only machines that hold this usage are compared, and they may all cost more.',
        ]
      : []),
    ...(current.usageType === 'RESERVED'
      ? ['A commitment that is already paid for saves nothing by leaving it before its end.']
      : []),
    ...(current.provider === baseProvider.key
      ? ['No price list has this machine: base rates are an estimate.']
      : []),
  ]
}

/** The same of any offer, in sentences that name its type: whether it ends or has ended, and whether its price is assumed. */
export function offerNotes({ provider, instanceType, siblingType = instanceType, source }: Offer): string[] {
  const { generation, endsOn } = shippedKnowledge().machines.generation(provider, siblingType)
  return [
    ...endingText(`The type ${instanceType}`, generation, endsOn),
    ...assumedText(`The custom type ${instanceType}`, source),
  ]
}

const assumedText = (type: string, source: string): string[] =>
  source.endsWith(assumedRate)
    ? [`${type} is priced at the rates of the listed types of its family, which is an assumption.`]
    : []

function endingText(type: string, generation: string, endsOn: string | null): string[] {
  if (generation === 'retired') return [`${type} has ended${endsOn ? ` on ${endsOn}` : ''}.`]
  return generation === 'retiring' ? [`${type} ends on ${endsOn}.`] : []
}

/** Whether more is used than the machine has, so that one of the figures is wrong or the machine is too small. */
function isBeyondSize({ usage, vm }: Described): boolean {
  return usage.cpu_cores > vm.cpu_cores || usage.ram_gb > vm.ram_gb
}

const sizeText = ({ cpu_cores, ram_gb }: Resources): string => `${cpu_cores} cores and ${ram_gb} GiB`
