import type { KnownZone } from '../../domain/offer.ts'
import { groupOf, osNames, usageNames, usageOf } from '../columns/columns.ts'
import { compareText } from '../columns/dictionary.ts'
import type { SearchIndex } from './search-index.ts'

/** The values to which a provider's offers can be limited, sorted and without duplicates. */
export interface ProviderFacets {
  readonly provider: string
  readonly regions: readonly string[]
  readonly usageTypes: readonly string[]
  readonly zones: readonly string[]
  readonly operatingSystems: readonly string[]
  readonly services: readonly string[]
  readonly types: readonly string[]
  readonly offers: number
}

export function buildFacets({ columns, words }: SearchIndex, zones: readonly KnownZone[]): ProviderFacets[] {
  const byProvider = words.providers.map(() => new Collected())
  const { places, slotStart, groupType, groupOs, offers, labels } = columns
  for (let s = 0; s + 1 < slotStart.length; s++)
    for (let i = slotStart[s]!; i < slotStart[s + 1]!; i++) {
      const label = offers.label[i]!
      const collected = byProvider[words.placeProvider[labels.place[label]!]!]!
      collected.offers++
      collected.labels.add(label)
      if (collected.lastSlot === s && collected.lastMachine === offers.machine[i]!) continue
      collected.lastSlot = s
      collected.lastMachine = offers.machine[i]!
      collected.machines.add(collected.lastMachine)
      collected.types.add(groupType[groupOf(s)]!)
      collected.systems.add(groupOs[groupOf(s)]!)
      collected.usages.add(usageOf(s))
    }
  return words.providers.map((provider, p) => {
    const collected = byProvider[p]!
    const regions = places.filter((place) => place.provider === provider).map((place) => place.region)
    const knownZones = zones.filter((z) => z.provider === provider && regions.includes(z.region))
    return {
      provider,
      regions: sortedNames(regions),
      usageTypes: sortedNames([...collected.usages].map((u) => usageNames[u]!)),
      zones: sortedNames([
        ...[...collected.labels].map((l) => columns.zones[labels.zone[l]!]!),
        ...knownZones.map((z) => z.zone),
      ]),
      operatingSystems: sortedNames([...collected.systems].map((os) => osNames[os]!)),
      services: sortedNames(
        [...collected.machines].map((m) => columns.machines.services[columns.machines.service(m)]!),
      ),
      types: sortedNames([...collected.types].map((t) => columns.types[t]!)),
      offers: collected.offers,
    }
  })
}

class Collected {
  readonly types = new Set<number>()
  readonly systems = new Set<number>()
  readonly usages = new Set<number>()
  readonly labels = new Set<number>()
  readonly machines = new Set<number>()
  offers = 0
  lastSlot = -1
  lastMachine = -1
}

const sortedNames = (names: readonly string[]): string[] =>
  [...new Set(names)].filter((name) => name !== '').sort(compareText)
