import { baseRates, round } from '../domain/money.ts'
import type { InstanceSpec, Offer } from '../domain/offer.ts'
import type { CustomType } from '../domain/provider.ts'
import type { Size } from './requirement.ts'
import type { Rates } from './split.ts'

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
