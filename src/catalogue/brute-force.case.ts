import { monthUsd } from '../domain/money.ts'
import type { FoundType, Need } from '../domain/need.ts'
import type { Offer } from '../domain/offer.ts'
import type { KnownZone } from '../domain/zone.ts'
import type { ZoneLiesIn } from './zone-places.ts'

/** The search as one would say it: filter, sort, group. What the real one must answer, offer for offer. */
export function bruteForceSearch(
  offers: readonly Offer[],
  need: Need,
  zones: readonly KnownZone[],
  liesIn: ZoneLiesIn,
): FoundType[] {
  const zonesOf = new Map<string, Set<string>>()
  for (const { provider, region, zone } of [...zones, ...offers]) {
    if (zone === '') continue
    const place = placeOf(provider, region)
    zonesOf.set(place, (zonesOf.get(place) ?? new Set()).add(zone.toLowerCase()))
  }
  const isIn = (zone: string, { provider, region }: Offer) =>
    zonesOf.get(placeOf(provider, region))?.has(zone.toLowerCase()) || liesIn(provider, zone, region)
  const found = new Map<string, Offer[]>()
  for (const offer of offers.filter((o) => passes(o, need, isIn)).sort(canonical)) {
    const group = found.get(offer.instanceType)
    if (group === undefined) found.set(offer.instanceType, [offer])
    else group.push(offer)
  }
  return [...found]
    .slice(0, need.limit)
    .map(([instanceType, group]) => ({ instanceType, offers: group.slice(0, need.offersPerType) }))
}

const placeOf = (provider: string, region: string) => JSON.stringify([provider, region])

function passes(offer: Offer, need: Need, isIn: (zone: string, offer: Offer) => boolean): boolean {
  const { predicates, gpu } = need
  const { availabilityZones, instanceTypes, providers, regions, usageTypes } = predicates
  return (
    limitedTo(providers, (p) => same(p, offer.provider)) &&
    limitedTo(regions, (r) => same(r, offer.region)) &&
    limitedTo(instanceTypes, (t) => same(t, offer.instanceType)) &&
    limitedTo(usageTypes, (u) => u === offer.usageType) &&
    limitedTo(availabilityZones, (z) => (offer.zone === '' ? isIn(z, offer) : same(z, offer.zone))) &&
    offer.operatingSystem === need.operatingSystem &&
    (need.architectures === undefined || ['', ...need.architectures].includes(offer.architecture)) &&
    (gpu.count === 0 ? offer.gpuCount === 0 : offer.gpuCount >= gpu.count && same(offer.gpuName, gpu.name)) &&
    offer.vcpus !== null &&
    offer.ramGib !== null &&
    offer.vcpus >= need.vcpus &&
    offer.ramGib >= need.ramGib &&
    (offer.burstableBaseline === null || offer.vcpus * offer.burstableBaseline >= need.sustainedVcpus) &&
    offer.pricePerHourUsd < need.belowPerHourUsd &&
    monthUsd(offer.pricePerHourUsd, offer.monthlyCapUsd) < need.belowPerMonthUsd
  )
}

function limitedTo<T>(values: readonly T[] | undefined, matches: (value: T) => boolean): boolean {
  return values === undefined || values.length === 0 || values.some(matches)
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

function canonical(a: Offer, b: Offer): number {
  if (a.pricePerHourUsd !== b.pricePerHourUsd) return a.pricePerHourUsd - b.pricePerHourUsd
  for (const name of ['provider', 'region', 'instanceType', 'usageType', 'term', 'zone', 'service'] as const)
    if (a[name] !== b[name]) return a[name] < b[name] ? -1 : 1
  return 0
}
