import type { Offer } from '../domain/offer.ts'
import { osNames, usageCount, usageNames } from './columns.ts'
import { OfferView } from './offer-view.ts'
import type { Structure } from './structure.ts'

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
}

export interface TypePlace {
  /** Provider keys and regions, in any letter case; absent: all. */
  readonly provider?: string
  readonly region?: string
}

/** The facts of a type, named in any letter case, for each provider that has it. */
export function typeFacts(structure: Structure, instanceType: string, where: TypePlace = {}): TypeFacts[] {
  const { columns, words } = structure
  const provider = where.provider?.toLowerCase()
  const region = where.region?.toLowerCase()
  const found = new Map<string, Gathered>()
  for (const type of words.typesByName.get(instanceType.toLowerCase()) ?? [])
    for (let g = words.typeGroups[type]!; g < words.typeGroups[type + 1]!; g++)
      for (let u = 0; u < usageCount; u++) {
        const slot = g * usageCount + u
        for (let i = columns.slotStart[slot]!; i < columns.slotStart[slot + 1]!; i++) {
          const place = columns.labels.values[columns.offers.label(i)]!
          if (provider !== undefined && place.provider.toLowerCase() !== provider) continue
          if (region !== undefined && place.region.toLowerCase() !== region) continue
          const key = `${place.provider}\n${columns.types[type]}`
          const of = found.get(key) ?? new Gathered(new OfferView(columns, i, slot))
          found.set(key, of)
          of.regions.add(place.region)
          of.systems.add(osNames[columns.groupOs[g]!]!)
          of.usages.add(usageNames[u]!)
          if (usageNames[u] === 'ONDEMAND') of.least = Math.min(of.least, columns.offers.price(i))
        }
      }
  return [...found.values()].map((of) => of.facts())
}

class Gathered {
  readonly regions = new Set<string>()
  readonly systems = new Set<string>()
  readonly usages = new Set<string>()
  readonly offer: Offer
  least = Number.POSITIVE_INFINITY

  constructor(offer: Offer) {
    this.offer = offer
  }

  facts(): TypeFacts {
    const { provider, instanceType, vcpus, ramGib, architecture, gpuCount, gpuName } = this.offer
    return {
      provider,
      instanceType,
      vcpus,
      ramGib,
      architecture,
      gpuCount,
      gpuName,
      regions: [...this.regions].sort(),
      operatingSystems: [...this.systems].sort(),
      usageTypes: [...this.usages].sort(),
      leastPerHourUsd: Number.isFinite(this.least) ? this.least : null,
    }
  }
}
