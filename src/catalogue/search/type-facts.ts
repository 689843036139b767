import type { Offer } from '../../domain/offer.ts'
import { osNames, type ProviderRegion, usageCount, usageNames } from '../columns/columns.ts'
import { OfferView } from '../columns/offer-view.ts'
import type { SearchIndex } from './search-index.ts'

/** What one provider's offers of one instance type have in common. Lists are sorted. */
export interface TypeFacts {
  readonly provider: string
  readonly instanceType: string
  readonly vcpus: number | null
  readonly ramGib: number | null
  readonly architecture: string
  readonly gpuCount: number
  readonly gpuName: string
  readonly regions: readonly string[]
  readonly operatingSystems: readonly string[]
  readonly usageTypes: readonly string[]
  /** The lowest on-demand price; null where there is none. */
  readonly leastPerHourUsd: number | null
  /** The day of that price; '' where it is not known. */
  readonly leastDay: string
  /** Share of a vCPU that a burstable type sustains; null where it is not burstable. */
  readonly burstableBaseline: number | null
}

export interface TypeRegion {
  /** Provider keys and regions, in any letter case; absent: all. */
  readonly provider?: string
  readonly region?: string
}

/** The facts of a type, named in any letter case, for each provider that has it. */
export function typeFacts(
  searchIndex: SearchIndex,
  instanceType: string,
  where: TypeRegion = {},
): TypeFacts[] {
  const types = searchIndex.words.typesByName.get(instanceType.toLowerCase()) ?? []
  const isWanted = placeFilter(where)
  return types.flatMap((type) => [...gather(searchIndex, type, isWanted)].map((of) => of.facts()))
}

const onDemand = usageNames.indexOf('ONDEMAND')

/** A place belongs to one provider, so that having seen it once is enough for all of its offers. */
function gather({ columns, words }: SearchIndex, type: number, isWanted: (place: ProviderRegion) => boolean) {
  const { places, slotStart, offerPlace, offers } = columns
  const found = new Map<number, Gathered>()
  const byPlace: (Gathered | null | undefined)[] = new Array(places.length)
  for (let g = words.typeGroups[type]!; g < words.typeGroups[type + 1]!; g++)
    for (let u = 0; u < usageCount; u++) {
      const slot = g * usageCount + u
      for (let i = slotStart[slot]!; i < slotStart[slot + 1]!; i++) {
        const at = offerPlace[i]!
        let of = byPlace[at]
        if (of === undefined) {
          const place = places[at]!
          of = isWanted(place)
            ? found.getOrInsertComputed(
                words.placeProvider[at]!,
                () => new Gathered(new OfferView(columns, i, slot)),
              )
            : null
          of?.regions.push(place.region)
          byPlace[at] = of
        }
        if (of === null) continue
        of.systems |= 1 << columns.groupOs[g]!
        of.usages |= 1 << u
        if (u === onDemand && offers.price(i) < of.least) {
          of.least = offers.price(i)
          of.cheapest = new OfferView(columns, i, slot)
        }
      }
    }
  return found.values()
}

function placeFilter(where: TypeRegion): (place: ProviderRegion) => boolean {
  const provider = where.provider?.toLowerCase()
  const region = where.region?.toLowerCase()
  return (place) =>
    (provider === undefined || place.provider.toLowerCase() === provider) &&
    (region === undefined || place.region.toLowerCase() === region)
}

class Gathered {
  readonly regions: string[] = []
  /** A bit for each of `osNames`, of `usageNames`. */
  systems = 0
  usages = 0
  readonly offer: Offer
  least = Number.POSITIVE_INFINITY
  cheapest: Offer | undefined

  constructor(offer: Offer) {
    this.offer = offer
  }

  facts(): TypeFacts {
    const { provider, instanceType, vcpus, ramGib, architecture, gpuCount, gpuName, burstableBaseline } =
      this.offer
    return {
      provider,
      instanceType,
      vcpus,
      ramGib,
      architecture,
      gpuCount,
      gpuName,
      regions: this.regions.sort(),
      operatingSystems: osNames.filter((_, os) => this.systems & (1 << os)),
      usageTypes: usageNames.filter((_, usage) => this.usages & (1 << usage)),
      leastPerHourUsd: Number.isFinite(this.least) ? this.least : null,
      leastDay: this.cheapest?.day ?? '',
      burstableBaseline,
    }
  }
}
