import { flexibleSizeOf } from '../../catalogue/shipped-facts.ts'
import type { Offer } from '../../domain/offer.ts'
import type { Entity } from '../../usage/digest/entities.ts'
import { chooseCurrent, ratesOfOffer, splitPrice } from '../current-offer.ts'
import { familyRatesIn } from '../find-current.ts'
import type { Market, PricingDeps } from '../market.ts'
import { nodeOffer } from '../price-node.ts'
import type { Commitment, PlanRate, RunningKind } from './commitment.ts'

export interface RunningMachines {
  readonly kind: RunningKind
  readonly machines: readonly Entity[]
}

/** Returns the machines that run on demand and have a listed price, by kind. */
export function runningKinds(
  deps: PricingDeps,
  market: Market,
  machines: Iterable<Entity>,
): RunningMachines[] {
  const kinds = new Map<string, RunningMachines & { machines: Entity[] }>()
  for (const machine of machines) {
    const offer = nodeOffer(deps, market, machine)
    const kind =
      offer && kindOfOffer(deps, market, offer, String(machine.attributes.get('zone')?.value ?? ''))
    if (kind === undefined) continue
    const key = [kind.provider, kind.region, kind.zone, kind.instanceType, kind.operatingSystem].join('\n')
    kinds.getOrInsertComputed(key, () => ({ kind, machines: [] })).machines.push(machine)
  }
  return [...kinds.values()].map((one) => ({
    ...one,
    kind: { ...one.kind, quantity: one.machines.length },
  }))
}

export function kindOfOffer(
  deps: PricingDeps,
  market: Market,
  offer: Offer,
  zone: string,
): RunningKind | undefined {
  const { vcpus, ramGib, usageType, instanceType, operatingSystem } = offer
  const provider = deps.findProvider(offer.provider)
  if (usageType !== 'ONDEMAND' || provider === undefined || vcpus === null || ramGib === null)
    return undefined
  const coverLicences = provider.commitments?.coverLicences ?? true
  const bare = coverLicences || operatingSystem === 'Linux' ? offer : linuxOffer(market, offer)
  const rates = splitPrice(
    bare.pricePerHourUsd,
    { vcpus, ramGib, gpuCount: offer.gpuCount },
    ratesOfOffer(bare, familyRatesIn(market.catalogue, bare)),
  )
  const memoryUsd = ramGib * rates.gibPerHourUsd
  const flexible = flexibleSizeOf(provider, instanceType)
  return {
    provider: offer.provider,
    region: offer.region,
    zone,
    instanceType,
    family: offer.family || (flexible?.group ?? ''),
    operatingSystem,
    vcpus,
    ramGib,
    flexible,
    hasWholeCores: offer.burstableBaseline === null,
    coresUsd: bare.pricePerHourUsd - memoryUsd,
    memoryUsd,
    uncoverableUsd: Math.max(0, offer.pricePerHourUsd - bare.pricePerHourUsd),
    quantity: 1,
  }
}

function linuxOffer({ catalogue }: Market, offer: Offer): Offer {
  const { provider, region, instanceType } = offer
  const linux = catalogue.offersOf({ provider, region, instanceType, operatingSystem: 'Linux' })
  const found = chooseCurrent(linux, offer)
  return found !== undefined && found.pricePerHourUsd < offer.pricePerHourUsd ? found : offer
}

/**
 * Returns the rates of savings plans: as stated, else as the price list has them. Plans for one family cost about as much as
 * standard reservations, and others as convertible ones, so these are used where no price of a plan is known.
 */
export function planRates({ catalogue }: Market): PlanRate {
  const known = new Map<string, ReadonlyMap<string, number>>()
  return (plan, kind) => {
    if (plan.percentOff !== undefined) return (kind.coresUsd + kind.memoryUsd) * (1 - plan.percentOff / 100)
    const key = [kind.provider, kind.region, kind.instanceType, kind.operatingSystem].join('\n')
    const { provider, region, instanceType, operatingSystem } = kind
    const rates = known.getOrInsertComputed(key, () =>
      ratesByTerm(catalogue.offersOf({ provider, region, instanceType, operatingSystem })),
    )
    const { term, family } = plan
    return family === undefined
      ? (rates.get(`${term}-savings-plan`) ?? rates.get(`${term}-convertible`))
      : (rates.get(term) ?? rates.get(`${term}-savings-plan`))
  }
}

const ratesByTerm = (offers: readonly Offer[]): ReadonlyMap<string, number> =>
  new Map(offers.filter((offer) => offer.term !== '').map((offer) => [offer.term, offer.pricePerHourUsd]))

/** Returns what all of a commitment costs an hour: as stated, else by the price list; undefined if neither is known. */
export function costPerHour({ catalogue }: Market, commitment: Commitment): number | undefined {
  const { provider, instanceType, region, operatingSystem = 'Linux', term, amount } = commitment
  if (commitment.perHourUsd !== undefined) return commitment.perHourUsd
  if (instanceType === undefined || region === undefined) return undefined
  const offers = catalogue.offersOf({ provider, region, instanceType, operatingSystem })
  const rate = ratesByTerm(offers).get(term)
  return rate === undefined ? undefined : rate * amount.instances
}
