import { monthUsd } from '../../domain/money.ts'
import type { Offer, UsageType } from '../../domain/offer.ts'
import {
  optionCount,
  osNames,
  type ProviderRegion,
  purchaseOptions,
  usageNames,
  usageOf,
} from '../columns/columns.ts'
import { OfferView } from '../columns/offer-view.ts'
import type { SearchIndex } from './search-index.ts'

/** What one provider's offers of one instance type have in common. Lists are sorted; prices are not those of local zones. */
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
  readonly minPerHourUsd: number | null
  /** What a month costs at that price; null if there is none. */
  readonly minPerMonthUsd: number | null
  /** The lowest price an hour of each of `purchaseOptions`; infinite if there is none. */
  readonly minByOption: Float64Array
  /** The day of the on-demand price; '' if unknown. */
  readonly minDay: string
  /** Share of a vCPU that a burstable type sustains; null if it is not burstable. */
  readonly burstableBaseline: number | null
}

export interface TypeRegion {
  /** A provider key and a region, in any letter case; all if absent. */
  readonly provider?: string
  readonly region?: string
}

/** Returns the facts of a type, named in any letter case, for each provider that has it. */
export function typeFacts(
  searchIndex: SearchIndex,
  instanceType: string,
  where: TypeRegion = {},
): TypeFacts[] {
  const types = searchIndex.words.typesByName.idsOf(instanceType)
  const isWanted = placeFilter(where)
  return types.flatMap((type) => [...gather(searchIndex, type, isWanted)].map((one) => one.facts()))
}

const onDemand = usageNames.indexOf('ONDEMAND')

/** Null if there is no such price. */
export function leastPerHourUsd(
  { minByOption }: TypeFacts,
  wanted: UsageType,
  length: string = '',
): number | null {
  const at = purchaseOptions.findIndex(
    ({ usageType, termLength }) => usageType === wanted && termLength === length,
  )
  return Number.isFinite(minByOption[at]) ? minByOption[at]! : null
}

/** A place belongs to one provider, so its provider is looked up only once for all of its offers. */
function gather(
  { columns, words, localLabels }: SearchIndex,
  type: number,
  isWanted: (place: ProviderRegion) => boolean,
) {
  const { places, slotStart, offers } = columns
  const found = new Map<number, Gathered>()
  const byPlace: (Gathered | null | undefined)[] = new Array(places.length)
  for (let g = words.typeGroups[type]!; g < words.typeGroups[type + 1]!; g++)
    for (let slot = g * optionCount; slot < (g + 1) * optionCount; slot++) {
      const usage = usageOf(slot)
      const option = slot % optionCount
      for (let i = slotStart[slot]!; i < slotStart[slot + 1]!; i++) {
        const at = offers.place[i]!
        let gathered = byPlace[at]
        if (gathered === undefined) {
          const place = places[at]!
          gathered = isWanted(place)
            ? found.getOrInsertComputed(
                words.placeProvider[at]!,
                () => new Gathered(new OfferView(columns, i, slot)),
              )
            : null
          gathered?.regions.push(place.region)
          byPlace[at] = gathered
        }
        if (gathered === null) continue
        gathered.systems |= 1 << columns.groupOs[g]!
        gathered.usages |= 1 << usage
        const isLocal = localLabels[offers.label[i]!] === 1
        if (!isLocal && offers.price[i]! < gathered.least[option]!) {
          gathered.least[option] = offers.price[i]!
          if (usage === onDemand) gathered.cheapest = new OfferView(columns, i, slot)
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
  /** One bit for each of `osNames`, and of `usageNames`. */
  systems = 0
  usages = 0
  readonly offer: Offer
  readonly least = new Float64Array(optionCount).fill(Number.POSITIVE_INFINITY)
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
      minPerHourUsd: this.cheapest?.pricePerHourUsd ?? null,
      minPerMonthUsd:
        this.cheapest === undefined
          ? null
          : monthUsd(this.cheapest.pricePerHourUsd, this.cheapest.monthlyCapUsd),
      minByOption: this.least,
      minDay: this.cheapest?.day ?? '',
      burstableBaseline,
    }
  }
}
