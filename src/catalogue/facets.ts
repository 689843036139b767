import type { KnownZone } from '../domain/zone.ts'
import { osNames, usageCount, usageNames } from './columns.ts'
import { compareText } from './dictionary.ts'
import type { Structure } from './structure.ts'

/** What a provider's offers can be limited to. Sorted, without duplicates. */
export interface Facets {
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
export function facetsOf({ columns, groups, words }: Structure, zones: readonly KnownZone[]): Facets[] {
  const found = words.providers.map(() => new Collected())
  const { places, cellsStart, cellPlace, offersStart, groupType, groupOs, offers } = columns
  for (let g = 0; g < groups.count; g++)
    for (let u = 0; u < usageCount; u++) {
      const slot = g * usageCount + u
      for (let c = cellsStart[slot]!; c < cellsStart[slot + 1]!; c++) {
        const of = found[words.placeProvider[cellPlace[c]!]!]!
        of.types.add(groupType[g]!)
        of.systems.add(groupOs[g]!)
        of.usages.add(u)
        of.offers += offersStart[c + 1]! - offersStart[c]!
        for (let i = offersStart[c]!; i < offersStart[c + 1]!; i++) {
          if (offers.label(i) === of.lastLabel && offers.machine(i) === of.lastMachine) continue
          of.lastLabel = offers.label(i)
          of.lastMachine = offers.machine(i)
          of.zones.add(columns.labels.zone[offers.label(i)]!)
          of.machines.add(offers.machine(i))
        }
      }
    }
  return words.providers.map((provider, p) => {
    const of = found[p]!
    const regions = places.filter((place) => place.provider === provider).map((place) => place.region)
    const knownZones = zones.filter((z) => z.provider === provider && regions.includes(z.region))
    return {
      provider,
      regions: sortedNames(regions),
      usageTypes: sortedNames([...of.usages].map((u) => usageNames[u]!)),
      zones: sortedNames([...[...of.zones].map((z) => columns.zones[z]!), ...knownZones.map((z) => z.zone)]),
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
  readonly zones = new Set<number>()
  readonly machines = new Set<number>()
  offers = 0
  lastLabel = -1
  lastMachine = -1
}

const sortedNames = (names: readonly string[]): string[] =>
  [...new Set(names)].filter((name) => name !== '').sort(compareText)
