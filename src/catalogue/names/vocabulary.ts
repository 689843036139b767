import type { OfferColumns } from '../columns/columns.ts'
import { compareText, type IdArray, narrowIds } from '../columns/dictionary.ts'

/** From names in any letter case to the ids of columns. */
export interface Vocabulary {
  readonly providers: readonly string[]
  readonly placeProvider: IdArray
  readonly typesByName: ReadonlyMap<string, readonly number[]>
  readonly placesByProvider: ReadonlyMap<string, readonly number[]>
  readonly placesByRegion: ReadonlyMap<string, readonly number[]>
  readonly zonesByName: ReadonlyMap<string, readonly number[]>
  /** Groups of an instance type: [typeGroups[t], typeGroups[t + 1]). */
  readonly typeGroups: Uint32Array
}

export function vocabularyOf(columns: OfferColumns): Vocabulary {
  const { places, types, zones, groupType } = columns
  const providers = [...new Set(places.map((p) => p.provider))].sort(compareText)
  const providerIds = new Map(providers.map((name, i) => [name, i]))
  const typeGroups = new Uint32Array(types.length + 1)
  for (const t of groupType) typeGroups[t + 1]!++
  for (let t = 0; t < types.length; t++) typeGroups[t + 1]! += typeGroups[t]!
  return {
    providers,
    placeProvider: narrowIds(
      places.map((p) => providerIds.get(p.provider)!),
      providers.length,
    ),
    typesByName: idsByName(types),
    placesByProvider: idsByName(places.map((p) => p.provider)),
    placesByRegion: idsByName(places.map((p) => p.region)),
    zonesByName: idsByName(zones),
    typeGroups,
  }
}

export function idsByName(names: readonly string[]): Map<string, number[]> {
  const ids = new Map<string, number[]>()
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!.toLowerCase()
    const known = ids.get(name)
    if (known === undefined) ids.set(name, [i])
    else known.push(i)
  }
  return ids
}
