import type { Comparability } from '../../domain/comparability.ts'
import type { Need, Predicates } from '../../domain/need.ts'
import { osNames, purchaseOptions } from '../columns/columns.ts'
import type { IdsByName } from '../names/vocabulary.ts'
import { architecturesOf } from './groups.ts'
import type { SearchIndex } from './search-index.ts'

/** A need in the ids of one catalogue. An undefined member limits nothing. Marks contain 1 for each id that passes. */
export interface SearchFilter {
  readonly vcpus: number
  readonly ramGib: number
  /** The smallest vCPUs and RAM that any candidate needs, as the size codes of groups. */
  readonly vcpuCode: number
  readonly ramCode: number
  readonly sustainedBurstableVcpus: number
  readonly sustainedSharedVcpus: number
  readonly belowPerHourUsd: number
  readonly belowCode: number
  readonly belowPerMonthUsd: number
  readonly os: number
  readonly options: readonly number[]
  /** Bit a is set if architecture a passes. */
  readonly architectures: number
  readonly gpu: number
  readonly gpuCount: number
  /** Classes in which comparable offers can be. */
  readonly classes: readonly number[]
  readonly comparableTo: Comparability | undefined
  /** The area, if it alone determines the places; else 0. */
  readonly area: number
  /** 1 for each label in a local zone, if these are left out. */
  readonly excludedLabels: Uint8Array | undefined
  readonly places: readonly number[] | undefined
  /** The place if there is only one, else -1. Several places have marks instead. */
  readonly onlyPlace: number
  readonly placeMarks: Uint8Array | undefined
  /** Place and provider of the current machine; -1 if there are none here. */
  readonly homePlace: number
  readonly homeProvider: number
  /** Types that are named explicitly; they need not be comparable. */
  readonly types: readonly number[] | undefined
  readonly zones: readonly number[] | undefined
  readonly zoneMarks: Uint8Array | undefined
}

/** Returns undefined if nothing in this catalogue can pass. */
export function buildFilter(searchIndex: SearchIndex, need: Need): SearchFilter | undefined {
  const { columns, groups, words, areas } = searchIndex
  const { predicates, gpu, comparableTo } = need
  // An accelerator of unknown model is not comparable to any other.
  const gpuKey =
    gpu.count === 0 ? 0 : gpu.name === '' ? undefined : columns.machines.gpuKeys.get(gpu.name.toLowerCase())
  if (gpuKey === undefined) return undefined
  const near = areas.isOne ? undefined : need.near
  const isAnywhereNamed = limitsPlaces(predicates)
  const area = near === undefined || isAnywhereNamed ? 0 : areas.only(near)
  const places = area > 0 ? undefined : placesOf(searchIndex, predicates, near && areas.marks(near))
  if (places?.length === 0) return undefined
  const types = idsOf(words.typesByName, predicates.instanceTypes)
  if (types?.length === 0) return undefined
  const zones = idsOf(words.zonesByName, predicates.availabilityZones)
  const isOne = places?.length === 1
  const architectures = architecturesOf(need)
  const isFewer =
    comparableTo?.countsFasterCores &&
    comparableTo.speed > 0 &&
    searchIndex.traits.fastest > comparableTo.speed
  const least = isFewer ? need.vcpus * (comparableTo.speed / searchIndex.traits.fastest) : need.vcpus
  return {
    vcpus: need.vcpus,
    ramGib: need.ramGib,
    vcpuCode: groups.vcpuCodes.codeOf(least),
    ramCode: groups.ramCodes.codeOf(need.ramGib),
    sustainedBurstableVcpus: need.sustainedBurstableVcpus ?? need.sustainedVcpus,
    sustainedSharedVcpus: need.sustainedSharedVcpus ?? need.sustainedVcpus,
    belowPerHourUsd: need.belowPerHourUsd,
    belowCode: groups.priceCodes.codeOf(need.belowPerHourUsd),
    belowPerMonthUsd: need.belowPerMonthUsd,
    os: osNames.indexOf(need.operatingSystem),
    options: optionsOf(groups.options, need),
    architectures,
    gpu: gpuKey,
    gpuCount: gpu.count,
    classes: searchIndex.classes.comparableClasses(gpuKey, architectures, comparableTo),
    comparableTo,
    area,
    excludedLabels: need.withoutLocalZones ? searchIndex.localLabels : undefined,
    places,
    onlyPlace: isOne ? places[0]! : -1,
    placeMarks: area > 0 ? areas.marks(near!) : isOne ? undefined : marks(places, columns.places.length),
    homePlace: homePlaceOf(searchIndex, need),
    homeProvider: need.home === undefined ? -1 : words.providers.indexOf(need.home.provider),
    types,
    zones,
    zoneMarks: marks(zones, columns.zones.length),
  }
}

function homePlaceOf({ columns, words }: Pick<SearchIndex, 'columns' | 'words'>, { home }: Need): number {
  if (home === undefined) return -1
  const isHome = (place: number): boolean =>
    columns.places[place]!.provider === home.provider && columns.places[place]!.region === home.region
  return words.placesByRegion.idsOf(home.region).find(isHome) ?? -1
}

/** Where an offer may be, which providers, regions and zones all limit; undefined if that is anywhere. */
function placesOf(
  { columns, words, zonePlaces }: SearchIndex,
  predicates: Predicates,
  near: Uint8Array | undefined,
): readonly number[] | undefined {
  const count = columns.places.length
  let places = idsOf(words.placesByRegion, predicates.regions)
  places = common(places, idsOf(words.placesByProvider, predicates.providers), count)
  const zones = predicates.availabilityZones
  if (zones !== undefined && zones.length > 0)
    places = common(
      places,
      distinct(zones, (zone) => zonePlaces.placesOf(zone)),
      count,
    )
  if (near !== undefined)
    places =
      places?.filter((place) => near[place] === 1) ??
      columns.places.flatMap((_, p) => (near[p] === 1 ? [p] : []))
  return places?.length === count ? undefined : places
}

function limitsPlaces({ providers, regions, availabilityZones }: Predicates): boolean {
  return Boolean(providers?.length || regions?.length || availabilityZones?.length)
}

function optionsOf(options: readonly number[], need: Need): readonly number[] {
  const isLimited = need.predicates.usageTypes?.length || need.termLength !== undefined
  return isLimited ? options.filter((option) => optionPasses(option, need)) : options
}

export function optionPasses(option: number, { predicates, termLength }: Need): boolean {
  const { usageType, termLength: length } = purchaseOptions[option]!
  const { usageTypes } = predicates
  return (
    (!usageTypes?.length || usageTypes.includes(usageType)) &&
    (termLength === undefined || length === '' || length === termLength)
  )
}

/** Returns undefined if no names are given, because then they limit nothing. */
function idsOf(ids: IdsByName, names: readonly string[] | undefined): readonly number[] | undefined {
  if (names === undefined || names.length === 0) return undefined
  return distinct(names, (name) => ids.idsOf(name))
}

function distinct(names: readonly string[], idsOfName: (name: string) => readonly number[]) {
  if (names.length === 1) return idsOfName(names[0]!)
  const found = new Set<number>()
  for (const name of names) for (const id of idsOfName(name)) found.add(id)
  return [...found]
}

function common(a: readonly number[] | undefined, b: readonly number[] | undefined, count: number) {
  if (a === undefined || b === undefined) return a ?? b
  const inB = marks(b, count)!
  return a.filter((id) => inB[id] === 1)
}

function marks(ids: readonly number[] | undefined, count: number): Uint8Array | undefined {
  if (ids === undefined) return undefined
  const marked = new Uint8Array(count)
  for (const id of ids) marked[id] = 1
  return marked
}

/** Whether the size code of a group is large enough. If codes are not exact, the size itself must be checked too. */
export function isLargeEnough(size: number, { vcpuCode, ramCode }: SearchFilter): boolean {
  return size >> 8 >= vcpuCode && (size & 0xff) >= ramCode
}
