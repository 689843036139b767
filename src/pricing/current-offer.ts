import { baseRates, round } from '../domain/money.ts'
import { type InstanceSpec, type Offer, terms, type UsageType } from '../domain/offer.ts'
import type { CustomType } from '../domain/provider.ts'
import type { Rates } from './split.ts'

interface WantedOffer {
  readonly usageType: UsageType
  /** '' if it is not given. */
  readonly zone: string
}

/**
 * Which of a type's offers at one place and system is the price of the instance the caller runs:
 * the usage type asked for, the first term there is, the zone asked for, else the price of the whole region,
 * else the cheapest zone.
 */
export function chooseCurrent(offers: readonly Offer[], wanted: WantedOffer): Offer | undefined {
  const zone = wanted.zone.toLowerCase()
  const rank = (offer: Offer): number => {
    if (offer.zone === '') return 1
    return offer.zone.toLowerCase() === zone ? 0 : 2
  }
  const before = (a: Offer, b: Offer): boolean => {
    const order =
      terms.indexOf(a.term) - terms.indexOf(b.term) ||
      rank(a) - rank(b) ||
      a.pricePerHourUsd - b.pricePerHourUsd
    return order === 0 ? a.zone + a.service < b.zone + b.service : order < 0
  }
  let best: Offer | undefined
  for (const offer of offers) {
    if (offer.usageType !== wanted.usageType) continue
    if (best === undefined || before(offer, best)) best = offer
  }
  return best
}

/** The terms to look for, in order, where a price has to be made up from the family's. */
export const termsFor = (usageType: UsageType) => (usageType === 'RESERVED' ? terms : ([''] as const))

/** A machine without a cloud: 4 cores and 16 GiB -> 4 x 0.031611 + 16 x 0.004237 = 0.194236. */
export function baseOffer(place: InstanceSpec, vm: Size): Offer {
  return syntheticOffer(place, vm, baseRates, 'base rates')
}

/** A type of any size, at the rates of its family; the sibling has what the family has in common. */
export function customOffer(
  place: InstanceSpec,
  custom: CustomType,
  rates: Rates,
  sibling: Offer,
  /** Whether the rates are those of custom types, and not those of the listed ones, which are a little lower. */
  isCustomRate: boolean,
): Offer {
  return {
    ...syntheticOffer(place, custom, rates, `${sibling.source}${isCustomRate ? '' : assumedRate}`),
    service: sibling.service,
    zone: sibling.zone,
    term: sibling.term,
    architecture: sibling.architecture,
    family: sibling.family,
    siblingType: sibling.instanceType,
    day: sibling.day,
  }
}

/** Marks the source of a custom type's price where it is made of the rates of listed types. */
export const assumedRate = '; rates of listed types assumed'

function syntheticOffer(place: InstanceSpec, size: Size, rates: Rates, source: string): Offer {
  return {
    ...place,
    term: '',
    vcpus: size.vcpus,
    ramGib: size.ramGib,
    architecture: '',
    gpuCount: 0,
    gpuName: '',
    pricePerHourUsd: round(size.vcpus * rates.corePerHourUsd + size.ramGib * rates.gibPerHourUsd, 9),
    monthlyCapUsd: null,
    burstableBaseline: null,
    family: '',
    source,
    day: '',
  }
}

export interface Size {
  readonly vcpus: number
  readonly ramGib: number
}

interface TargetUtilisation {
  readonly cpu: number
  readonly ram: number
}

/** A fifth of the machine stays free for peaks that the usage figure does not show. */
export const defaultTarget: TargetUtilisation = { cpu: 0.8, ram: 0.8 }

/** What a candidate must hold so that the usage fills it to the target at most. */
export function requirement(usage: Size, vm: Size, target: TargetUtilisation = defaultTarget): Size {
  return {
    vcpus: required(usage.vcpus, vm.vcpus, target.cpu),
    ramGib: required(usage.ramGib, vm.ramGib, target.ram),
  }
}

/** 1.5 used of 4 at 0.8 -> 1.875; 3.6 of 4 -> 4, not 4.5; 5 of 4 -> 6.25, as the machine is too small already. */
function required(used: number, size: number, target: number): number {
  const wanted = round(used / target, 9)
  return used <= size ? Math.min(wanted, size) : wanted
}
