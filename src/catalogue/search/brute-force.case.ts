import { coresPerCore, isComparable, ordinaryTraits, sharedShare } from '../../domain/comparability.ts'
import { monthUsd, roundToUnits } from '../../domain/money.ts'
import type { FoundType, Need } from '../../domain/need.ts'
import { isReservation, type KnownZone, type Offer } from '../../domain/offer.ts'
import type { CatalogueRules } from '../rules.ts'

/** The search in its simplest form: sort, filter, group. The real search must return the same offers. */
export function bruteForce(
  offers: readonly Offer[],
  zones: readonly KnownZone[],
  rules: CatalogueRules,
): (need: Need) => FoundType[] {
  const zonesOf = new Map<string, Set<string>>()
  for (const { provider, region, zone } of [...zones, ...offers]) {
    if (zone === '') continue
    const place = placeOf(provider, region)
    zonesOf.set(place, (zonesOf.get(place) ?? new Set()).add(zone.toLowerCase()))
  }
  const isIn = (zone: string, { provider, region }: Offer) =>
    zonesOf.get(placeOf(provider, region))?.has(zone.toLowerCase()) ||
    rules.isZoneInRegion?.(provider, zone, region) === true
  const cheapestFirst = Map.groupBy(offers.toSorted(canonical), ({ operatingSystem }) => operatingSystem)
  return (need) => {
    const found = new Map<string, Offer[]>()
    const passes = filterOf(need, isIn, rules)
    const passing = cheapestFirst.get(need.operatingSystem)?.filter(passes) ?? []
    for (const offer of passing.sort(orderFor(need))) {
      const group = found.get(offer.instanceType)
      if (group === undefined) found.set(offer.instanceType, [offer])
      else group.push(offer)
    }
    return [...found]
      .slice(0, need.limit)
      .map(([instanceType, group]) => ({ instanceType, offers: group.slice(0, need.offersPerType) }))
  }
}

const placeOf = (provider: string, region: string) => JSON.stringify([provider, region])

function filterOf(
  need: Need,
  isIn: (zone: string, offer: Offer) => boolean,
  {
    traitsOf = () => ordinaryTraits,
    areaOf = () => '',
    isLocalZone = () => false,
    isSoldIn = () => true,
    isReservable = () => true,
  }: CatalogueRules,
): (offer: Offer) => boolean {
  const { predicates, gpu, comparableTo, near } = need
  const isNamed = (predicates.instanceTypes?.length ?? 0) > 0
  const isNear = ({ provider, region }: Offer): boolean =>
    near === undefined ||
    ['', near.area].includes(areaOf(provider, region)) ||
    near.places.some(
      (place) =>
        place.provider.toLowerCase() === provider.toLowerCase() &&
        place.region.toLowerCase() === region.toLowerCase(),
    )
  const factorOf = ({ provider, instanceType }: Offer): number =>
    comparableTo === undefined ? 1 : coresPerCore(comparableTo, traitsOf(provider, instanceType).speed)
  const isOfKind = ({ provider, instanceType }: Offer): boolean =>
    comparableTo === undefined || isNamed || isComparable(comparableTo, traitsOf(provider, instanceType))
  const isType = oneOf(predicates.instanceTypes)
  const isProvider = oneOf(predicates.providers)
  const isRegion = oneOf(predicates.regions)
  const isUsageType = oneOf(predicates.usageTypes)
  const isZone = oneOf(predicates.availabilityZones)
  const isInZone = (offer: Offer) =>
    offer.zone === '' && predicates.availabilityZones?.length
      ? predicates.availabilityZones.some((zone) => isIn(zone, offer))
      : isZone(offer.zone)
  return (offer) =>
    offer.operatingSystem === need.operatingSystem &&
    offer.pricePerHourUsd < need.belowPerHourUsd &&
    monthUsd(offer.pricePerHourUsd, offer.monthlyCapUsd) < need.belowPerMonthUsd &&
    offer.vcpus !== null &&
    offer.ramGib !== null &&
    offer.vcpus >= need.vcpus * factorOf(offer) &&
    offer.ramGib >= need.ramGib &&
    sustains(need, offer, traitsOf(offer.provider, offer.instanceType).isShared, factorOf(offer)) &&
    (need.architectures === undefined || ['', ...need.architectures].includes(offer.architecture)) &&
    (gpu.count === 0
      ? offer.gpuCount === 0
      : gpu.name !== '' &&
        offer.gpuCount >= gpu.count &&
        offer.gpuName.toLowerCase() === gpu.name.toLowerCase()) &&
    isUsageType(offer.usageType) &&
    isProvider(offer.provider) &&
    isRegion(offer.region) &&
    isType(offer.instanceType) &&
    isInZone(offer) &&
    isOfKind(offer) &&
    (isNamed || isSoldIn(offer.provider, offer.instanceType, offer.region)) &&
    (isNamed || !isReservation(offer.term) || isReservable(offer.provider, offer.instanceType)) &&
    isNear(offer) &&
    (need.termLength === undefined || ['', need.termLength].includes(offer.term.slice(0, 2))) &&
    !(need.withoutLocalZones && offer.zone !== '' && isLocalZone(offer.provider, offer.zone))
}

/** An empty list of names limits nothing. */
function oneOf(names: readonly string[] = []): (name: string) => boolean {
  const wanted = new Set(names.map((name) => name.toLowerCase()))
  return (name) => wanted.size === 0 || wanted.has(name.toLowerCase())
}

function sustains(need: Need, offer: Offer, isShared: boolean, factor: number): boolean {
  const { vcpus, burstableBaseline: baseline } = offer
  if (baseline !== null)
    return vcpus! * baseline >= (need.sustainedBurstableVcpus ?? need.sustainedVcpus) * factor
  return !isShared || vcpus! * sharedShare >= (need.sustainedSharedVcpus ?? need.sustainedVcpus) * factor
}

function orderFor({ home }: Need): (a: Offer, b: Offer) => number {
  const rank = ({ provider, region }: Offer): number =>
    provider !== home?.provider ? 2 : region === home.region ? 0 : 1
  return (a, b) =>
    roundToUnits(a.pricePerHourUsd, 1e6) - roundToUnits(b.pricePerHourUsd, 1e6) ||
    rank(a) - rank(b) ||
    canonical(a, b)
}

function canonical(a: Offer, b: Offer): number {
  if (a.pricePerHourUsd !== b.pricePerHourUsd) return a.pricePerHourUsd - b.pricePerHourUsd
  for (const name of ['provider', 'region', 'instanceType', 'usageType', 'term', 'zone', 'service'] as const)
    if (a[name] !== b[name]) return a[name] < b[name] ? -1 : 1
  return 0
}
