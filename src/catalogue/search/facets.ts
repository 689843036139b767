import type { KnownZone } from '../../domain/offer.ts'
import { groupOf, osNames, usageNames, usageOf } from '../columns/columns.ts'
import { compareText } from '../columns/dictionary.ts'
import type { SearchIndex } from './search-index.ts'

/** What a provider's offers can be limited to. Sorted, without duplicates. */
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

/** One for each provider with offers, in the order of their keys. */
export function buildFacets({ columns, words }: SearchIndex, zones: readonly KnownZone[]): ProviderFacets[] {
  const found = words.providers.map(() => new Collected())
  const { places, slotStart, groupType, groupOs, offers, labels } = columns
  for (let s = 0; s + 1 < slotStart.length; s++)
    for (let i = slotStart[s]!; i < slotStart[s + 1]!; i++) {
      const label = offers.label(i)
      const of = found[words.placeProvider[labels.place[label]!]!]!
      of.offers++
      of.labels.add(label)
      if (of.lastSlot === s && of.lastMachine === offers.machine(i)) continue
      of.lastSlot = s
      of.lastMachine = offers.machine(i)
      of.machines.add(of.lastMachine)
      of.types.add(groupType[groupOf(s)]!)
      of.systems.add(groupOs[groupOf(s)]!)
      of.usages.add(usageOf(s))
    }
  return words.providers.map((provider, p) => {
    const of = found[p]!
    const regions = places.filter((place) => place.provider === provider).map((place) => place.region)
    const knownZones = zones.filter((z) => z.provider === provider && regions.includes(z.region))
    return {
      provider,
      regions: sortedNames(regions),
      usageTypes: sortedNames([...of.usages].map((u) => usageNames[u]!)),
      zones: sortedNames([
        ...[...of.labels].map((l) => labels.values[l]!.zone),
        ...knownZones.map((z) => z.zone),
      ]),
      operatingSystems: sortedNames([...of.systems].map((os) => osNames[os]!)),
      services: sortedNames(
        [...of.machines].map((m) => columns.machines.services[columns.machines.service(m)]!),
      ),
      types: sortedNames([...of.types].map((t) => columns.types[t]!)),
      offers: of.offers,
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
