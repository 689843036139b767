import { baseRates, round } from '../domain/money.ts'
import { type InstanceSpec, type Offer, terms, type UsageType } from '../domain/offer.ts'
import type { CustomType } from '../domain/provider.ts'

interface WantedOffer {
  readonly usageType: UsageType
  /** '' if it is not given. */
  readonly zone: string
}

/**
 * Chooses the price of the instance that the caller runs from the offers of its type, region and operating system:
 * the requested usage type, the first term that exists, and the requested zone, else the price of the whole
 * region, else the cheapest zone.
 */
export function chooseCurrent<O extends Offer>(offers: readonly O[], wanted: WantedOffer): O | undefined {
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
  let best: O | undefined
  for (const offer of offers) {
    if (offer.usageType !== wanted.usageType) continue
    if (best === undefined || before(offer, best)) best = offer
  }
  return best
}

/** The terms to look for, in order, if a price has to be computed from the rates of the family. */
export const termsFor = (usageType: UsageType) => (usageType === 'RESERVED' ? terms : ([''] as const))

/** Prices a machine at base rates: 4 cores and 16 GiB -> 4 x 0.031611 + 16 x 0.004237 = 0.194236. */
export function baseOffer(spec: InstanceSpec, vm: Size): Offer {
  return syntheticOffer(spec, vm, baseRates, 'base rates')
}

/** Prices a custom type at the rates of its family. The sibling provides what the types of the family have in common. */
export function customOffer(
  spec: InstanceSpec,
  custom: CustomType,
  rates: Rates,
  sibling: Offer,
  /** Whether the rates are those of custom types, and not those of the listed ones, which are a little lower. */
  isCustomRate: boolean,
): Offer {
  const offer = syntheticOffer(
    spec,
    custom,
    isCustomRate ? rates : scaled(rates, customRateRatio),
    `${sibling.source}${isCustomRate ? '' : assumedRate}`,
  )
  return {
    ...offer,
    // The family has the same discount for a whole month.
    monthlyCapUsd:
      sibling.monthlyCapUsd === null
        ? null
        : round((sibling.monthlyCapUsd * offer.pricePerHourUsd) / sibling.pricePerHourUsd, 4),
    service: sibling.service,
    zone: sibling.zone,
    term: sibling.term,
    architecture: sibling.architecture,
    family: sibling.family,
    siblingType: sibling.instanceType,
    day: sibling.day,
  }
}

/** Marks the source of a custom type's price if it is computed from the rates of listed types. */
export const assumedRate = '; rates of listed types plus 5% assumed'

/** Custom types cost about 5% more than listed ones (cloud.google.com/compute/docs/instances/creating-instance-with-custom-machine-type). */
const customRateRatio = 1.05

/** Returns the rates at which an offer is priced, from those of the listed types of its family. */
export const ratesOfOffer = ({ source }: Pick<Offer, 'source'>, listed: Rates | null): Rates | null =>
  listed !== null && source.endsWith(assumedRate) ? scaled(listed, customRateRatio) : listed

function syntheticOffer(spec: InstanceSpec, size: Size, rates: Rates, source: string): Offer {
  return {
    ...spec,
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

export interface Rates {
  readonly corePerHourUsd: number
  readonly gibPerHourUsd: number
}

/**
 * Weights for splitting a price if the rates are unknown: a core counts as much as 7.5 GiB and a GPU as much as 224 GiB.
 */
const coreGib = 7.5
const gpuGib = 224

/** Price lists have five decimals or more. The tolerance is half of the fifth decimal, and as much again for the fit. */
const roundingUsd = 1e-5

/**
 * Splits a price so that cores x core rate + GiB x GiB rate is the price again; with GPUs, their share is the rest.
 * 0.0625 for 2 cores and 4 GiB: 0.0625 / (2 x 7.5 + 4) -> 0.003289 a GiB and 0.024671 a core.
 */
export function splitPrice(
  pricePerHourUsd: number,
  machine: Size & { readonly gpuCount: number },
  family: Rates | null,
): Rates {
  if (family !== null && machine.gpuCount === 0) {
    const fitted = machine.vcpus * family.corePerHourUsd + machine.ramGib * family.gibPerHourUsd
    // A price list rounds each price separately. The difference of a few millionths is spread over both rates,
    // so that the sum is exact.
    if (fitted > 0 && Math.abs(fitted - pricePerHourUsd) <= roundingUsd)
      return scaled(family, pricePerHourUsd / fitted)
  }
  const weightGib = machine.vcpus * coreGib + machine.ramGib + machine.gpuCount * gpuGib
  const gibPerHourUsd = weightGib > 0 ? pricePerHourUsd / weightGib : 0
  return { corePerHourUsd: gibPerHourUsd * coreGib, gibPerHourUsd }
}

/**
 * Computes the core and GiB rates of one family, region, operating system, usage type and term. Returns null if
 * its prices do not determine both: fewer than three types, sizes all in one proportion, a price off the plane, or a
 * rate that is not above zero.
 */
export function familyRates(offers: readonly Offer[]): Rates | null {
  const points = offers.flatMap(asPoint)
  if (new Set(points.map((p) => p.type)).size < 3) return null
  let cc = 0
  let cg = 0
  let gg = 0
  let cp = 0
  let gp = 0
  for (const { cores, gib, usd } of points) {
    cc += cores * cores
    cg += cores * gib
    gg += gib * gib
    cp += cores * usd
    gp += gib * usd
  }
  const determinant = cc * gg - cg * cg
  if (determinant <= 1e-6 * cc * gg) return null
  const corePerHourUsd = (cp * gg - gp * cg) / determinant
  const gibPerHourUsd = (cc * gp - cg * cp) / determinant
  if (!(corePerHourUsd > 1e-7 && gibPerHourUsd > 1e-7)) return null
  const onPlane = points.every(
    ({ cores, gib, usd }) => Math.abs(cores * corePerHourUsd + gib * gibPerHourUsd - usd) <= roundingUsd,
  )
  return onPlane ? { corePerHourUsd, gibPerHourUsd } : null
}

const scaled = (rates: Rates, by: number): Rates => ({
  corePerHourUsd: rates.corePerHourUsd * by,
  gibPerHourUsd: rates.gibPerHourUsd * by,
})

/** Leaves out shared cores and GPUs, which are priced by other rules than the family's whole cores. */
function asPoint(offer: Offer) {
  const { vcpus, ramGib, gpuCount, burstableBaseline, pricePerHourUsd } = offer
  if (vcpus === null || ramGib === null || gpuCount > 0 || burstableBaseline !== null) return []
  return [{ type: offer.instanceType, cores: vcpus, gib: ramGib, usd: pricePerHourUsd }]
}
