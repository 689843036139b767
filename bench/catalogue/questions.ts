import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import { comparabilityOf } from '../../src/domain/comparability.ts'
import { monthUsd } from '../../src/domain/money.ts'
import type { Need, Predicates } from '../../src/domain/need.ts'
import { type Offer, termLength } from '../../src/domain/offer.ts'
import { oneOf, seeded } from './random.ts'

/**
 * Which members a question limits, as callers do: their own region, one provider, what they may buy, one zone, or a few
 * types.
 */
const kinds: readonly [weight: number, kind: keyof typeof limits][] = [
  [25, 'nothing'],
  [25, 'region'],
  [12, 'provider'],
  [10, 'usageType'],
  [8, 'regionAndUsageType'],
  [8, 'providerAndUsageType'],
  [7, 'zone'],
  [5, 'types'],
]

/** The limits of a question. If it limits neither payment nor region, both are those of the current machine. */
const limits = {
  nothing: () => ({}),
  region: (current: Offer) => ({ regions: [current.region] }),
  provider: (_: Offer, c: Catalogue, r: () => number) => ({ providers: [anyOffer(c, r).provider] }),
  usageType: (current: Offer) => ({ usageTypes: [current.usageType] }),
  regionAndUsageType: (current: Offer) => ({ regions: [current.region], usageTypes: [current.usageType] }),
  providerAndUsageType: (current: Offer) => ({
    providers: [current.provider],
    usageTypes: [current.usageType],
  }),
  zone: (current: Offer, c: Catalogue, r: () => number) => ({ availabilityZones: [zoneFor(current, c, r)] }),
  types: (_: Offer, c: Catalogue, r: () => number) => ({
    instanceTypes: Array.from({ length: 10 }, () => oneOf(r, c.columns.types)),
  }),
} satisfies Record<string, (current: Offer, c: Catalogue, random: () => number) => Predicates>

/** Generates the questions of callers that run some machine of the catalogue at some load. */
export function questions(catalogue: Catalogue, count: number, seed: number): Need[] {
  const random = seeded(seed)
  const asked: Need[] = []
  while (asked.length < count) {
    const current = anyOffer(catalogue, random)
    if (current.vcpus === null || current.ramGib === null) continue
    const [usedCpu, usedRam] = [0.1 + 0.9 * random(), 0.1 + 0.9 * random()]
    asked.push({
      vcpus: current.vcpus * Math.min(1, usedCpu / 0.8),
      ramGib: current.ramGib * Math.min(1, usedRam / 0.8),
      sustainedVcpus: current.vcpus * usedCpu,
      operatingSystem: current.operatingSystem,
      ...(current.architecture !== '' && { architectures: [current.architecture] }),
      gpu: { count: current.gpuCount, name: current.gpuName },
      belowPerHourUsd: current.pricePerHourUsd,
      belowPerMonthUsd: monthUsd(current.pricePerHourUsd, current.monthlyCapUsd),
      ...scopeOf(catalogue, current, limits[kindAt(100 * random())](current, catalogue, random)),
      comparableTo: comparabilityOf(catalogue.rules.traitsOf(current.provider, current.instanceType)),
      limit: 20,
      offersPerType: 3,
    })
  }
  return asked
}

function scopeOf(catalogue: Catalogue, current: Offer, predicates: Predicates) {
  const { regions, availabilityZones, usageTypes = [current.usageType] } = predicates
  const area = catalogue.rules.areaOf(current.provider, current.region)
  return {
    predicates: { ...predicates, usageTypes },
    near: regions || availabilityZones ? undefined : { area, places: [] },
    withoutLocalZones: availabilityZones === undefined,
    termLength: predicates.usageTypes || current.term === '' ? undefined : termLength(current.term),
  }
}

const anyOffer = (catalogue: Catalogue, random: () => number): Offer =>
  catalogue.offer(Math.floor(random() * catalogue.offerCount))

function kindAt(position: number): keyof typeof limits {
  let passed = 0
  for (const [weight, kind] of kinds) {
    passed += weight
    if (position < passed) return kind
  }
  return 'nothing'
}

function zoneFor(current: Offer, catalogue: Catalogue, random: () => number): string {
  if (current.zone !== '') return current.zone
  const zones = catalogue.facets().find((f) => f.provider === current.provider)!.zones
  return zones.length > 0 ? oneOf(random, zones) : current.region
}
