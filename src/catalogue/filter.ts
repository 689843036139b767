import type { Need, Predicates } from '../domain/need.ts'
import { architectureNames, osNames, usageCount, usageNames } from './columns.ts'
import type { Structure } from './structure.ts'

/** A need in the ids of one catalogue. An absent set limits nothing; a marked one holds 1 where an id is let through. */
export interface Filter {
  readonly vcpus: number
  readonly ramGib: number
  readonly sustainedVcpus: number
  readonly belowPerHourUsd: number
  readonly belowPerMonthUsd: number
  readonly os: number
  readonly usages: readonly number[]
  readonly architectures: number
  readonly gpu: number
  readonly gpuCount: number
  readonly places: readonly number[] | undefined
  readonly placeMarks: Uint8Array | undefined
  readonly types: readonly number[] | undefined
  readonly typeMarks: Uint8Array | undefined
  readonly zoneMarks: Uint8Array | undefined
}

/** Undefined: nothing in this catalogue can pass. */
export function filterOf(structure: Structure, need: Need): Filter | undefined {
  const { columns, words } = structure
  const { gpu } = need
  const predicates = limiting(need.predicates)
  const gpuKey = gpu.count === 0 ? 0 : words.gpuKeys.get(gpu.name.toLowerCase())
  if (gpuKey === undefined) return undefined
  const places = placesOf(structure, predicates)
  if (places?.length === 0) return undefined
  const types = predicates.instanceTypes && idsOf(words.typesByName, predicates.instanceTypes)
  if (types?.length === 0) return undefined
  const zones = predicates.availabilityZones && idsOf(words.zonesByName, predicates.availabilityZones)
  return {
    vcpus: need.vcpus,
    ramGib: need.ramGib,
    sustainedVcpus: need.sustainedVcpus,
    belowPerHourUsd: need.belowPerHourUsd,
    belowPerMonthUsd: need.belowPerMonthUsd,
    os: osNames.indexOf(need.operatingSystem),
    usages: usagesOf(predicates),
    architectures: architecturesOf(need),
    gpu: gpuKey,
    gpuCount: gpu.count,
    places,
    placeMarks: places && marks(places, columns.places.length),
    types,
    typeMarks: types && marks(types, columns.types.length),
    zoneMarks: zones && marks(zones, columns.zones.length),
  }
}

/** Without the empty members, which limit nothing. */
function limiting(predicates: Predicates): Predicates {
  const { availabilityZones, instanceTypes, providers, regions, usageTypes } = predicates
  return {
    ...(availabilityZones?.length && { availabilityZones }),
    ...(instanceTypes?.length && { instanceTypes }),
    ...(providers?.length && { providers }),
    ...(regions?.length && { regions }),
    ...(usageTypes?.length && { usageTypes }),
  }
}

/** Providers, regions and zones limit the same thing: where an offer may be. */
function placesOf({ columns, words, zonePlaces }: Structure, predicates: Predicates): number[] | undefined {
  const { providers, regions, availabilityZones } = predicates
  let places: number[] | undefined
  if (regions !== undefined) places = idsOf(words.placesByRegion, regions)
  if (availabilityZones !== undefined) {
    const ofZones = [...new Set(availabilityZones.flatMap((zone) => zonePlaces.placesOf(zone)))]
    places = places === undefined ? ofZones : common(places, ofZones, columns.places.length)
  }
  if (providers !== undefined) {
    const ofProviders = idsOf(words.placesByProvider, providers)
    places = places === undefined ? ofProviders : common(places, ofProviders, columns.places.length)
  }
  return places?.length === columns.places.length ? undefined : places
}

const allUsages = usageNames.map((_, u) => u)

function usagesOf({ usageTypes }: Predicates): readonly number[] {
  if (usageTypes === undefined) return allUsages
  const ids = new Set(usageTypes.map((name) => usageNames.indexOf(name)))
  return ids.size === usageCount ? allUsages : [...ids].sort()
}

function architecturesOf({ architectures }: Need): number {
  if (architectures === undefined) return ~0
  const unknown = 1 << architectureNames.indexOf('')
  return architectures.reduce((bits, name) => bits | (1 << architectureNames.indexOf(name)), unknown)
}

function idsOf(ids: ReadonlyMap<string, readonly number[]>, names: readonly string[]): number[] {
  const found = new Set<number>()
  for (const name of names) for (const id of ids.get(name.toLowerCase()) ?? []) found.add(id)
  return [...found]
}

function common(a: readonly number[], b: readonly number[], count: number): number[] {
  const inB = marks(b, count)
  return a.filter((id) => inB[id] === 1)
}

function marks(ids: readonly number[], count: number): Uint8Array {
  const marked = new Uint8Array(count)
  for (const id of ids) marked[id] = 1
  return marked
}
