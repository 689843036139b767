import type { Columns } from './columns.ts'
import { compareText, Dictionary } from './dictionary.ts'
import { type Ids, narrowed } from './narrow.ts'

/** From names in any letter case to the ids of columns. */
export interface Vocabulary {
  readonly providers: readonly string[]
  readonly placeProvider: Ids
  readonly typesByName: ReadonlyMap<string, readonly number[]>
  readonly placesByProvider: ReadonlyMap<string, readonly number[]>
  readonly placesByRegion: ReadonlyMap<string, readonly number[]>
  readonly zonesByName: ReadonlyMap<string, readonly number[]>
  /** GPU models get keys from 1; 0 is a machine without. */
  readonly gpuKeys: ReadonlyMap<string, number>
  readonly gpuKeyCount: number
  readonly machineGpu: Ids
  /** Groups of an instance type: [typeGroups[t], typeGroups[t + 1]). */
  readonly typeGroups: Uint32Array
}

export function vocabularyOf(columns: Columns): Vocabulary {
  const { places, types, zones, machines, groupType } = columns
  const providers = [...new Set(places.map((p) => p.provider))].sort(compareText)
  const providerIds = new Map(providers.map((name, i) => [name, i]))
  const gpus = new Dictionary()
  gpus.id('none')
  const machineGpu = Array.from(machines.gpuCount, (n, m) =>
    n > 0 ? gpus.id(`model ${machines.gpuNames[machines.gpuName[m]!]!.toLowerCase()}`) : 0,
  )
  const typeGroups = new Uint32Array(types.length + 1)
  for (const t of groupType) typeGroups[t + 1]!++
  for (let t = 0; t < types.length; t++) typeGroups[t + 1]! += typeGroups[t]!
  return {
    providers,
    placeProvider: narrowed(
      places.map((p) => providerIds.get(p.provider)!),
      providers.length,
    ),
    typesByName: idsByName(types),
    placesByProvider: idsByName(places.map((p) => p.provider)),
    placesByRegion: idsByName(places.map((p) => p.region)),
    zonesByName: idsByName(zones),
    gpuKeys: new Map(gpus.values.map((name, i) => [name.slice('model '.length), i] as const).slice(1)),
    gpuKeyCount: gpus.values.length,
    machineGpu: narrowed(machineGpu, gpus.values.length),
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
