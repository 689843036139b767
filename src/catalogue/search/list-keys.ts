import {
  type Comparability,
  ordinaryTraits,
  strictKinds,
  type TypeTraits,
} from '../../domain/comparability.ts'
import type { Near } from '../../domain/need.ts'
import { architectureNames, type OfferColumns, optionCount, osNames } from '../columns/columns.ts'
import { IdsByName, type Vocabulary } from '../names/vocabulary.ts'
import type { CatalogueRules } from '../rules.ts'

/** Decides which places can replace each other. A place without an area is near to all. */
export class Areas {
  readonly count: number
  /** Area of each place, from 1; 0 if the place is near to all. */
  readonly ofPlace: Uint16Array
  /** For each area: 1 for each place that is near to it. */
  readonly #marks: readonly Uint8Array[]
  readonly #ids = new Map<string, number>()
  readonly #columns: OfferColumns
  readonly #placesByRegion: IdsByName
  /** Whether all places are near to each other. */
  readonly isOne: boolean

  constructor(columns: OfferColumns, { areaOf = () => '' }: CatalogueRules) {
    this.#columns = columns
    this.#placesByRegion = new IdsByName(columns.places.map(({ region }) => region))
    this.ofPlace = Uint16Array.from(columns.places, ({ provider, region }) => {
      const name = areaOf(provider, region)
      return name === '' ? 0 : this.#ids.getOrInsertComputed(name, () => this.#ids.size + 1)
    })
    this.count = this.#ids.size
    this.isOne = this.count === 0
    this.#marks = Array.from({ length: this.count + 1 }, (_, area) =>
      Uint8Array.from(this.ofPlace, (of) => (of === 0 || of === area ? 1 : 0)),
    )
  }

  /** Returns the area of a name if it alone determines which places are near; else 0. */
  only({ area, places }: Near): number {
    return places.length === 0 ? (this.#ids.get(area) ?? 0) : 0
  }

  holdsAny(area: string, places: readonly number[]): boolean {
    const id = this.#ids.get(area)
    return id !== undefined && places.some((place) => this.ofPlace[place] === id)
  }

  /** Returns 1 for each place that is near, else 0. */
  marks(near: Near): Uint8Array {
    const known = this.#marks[this.#ids.get(near.area) ?? 0]!
    if (near.places.length === 0) return known
    const marks = known.slice()
    for (const { provider, region } of near.places)
      for (const place of this.#placesByRegion.idsOf(region))
        if (this.#columns.places[place]!.provider.toLowerCase() === provider.toLowerCase()) marks[place] = 1
    return marks
  }
}

/** The purchase option of a list in which every offer counts. */
export const anyOption = optionCount

export const everywhere = 0

/**
 * Numbers the scopes of lists: everything, then places, zones, providers, areas, and the part of
 * each provider in each area.
 */
export class Scopes {
  readonly count: number
  readonly #zones: number
  readonly #providers: number
  readonly #areas: number
  readonly #parts: number
  readonly #areaCount: number

  constructor(columns: OfferColumns, words: Vocabulary, areas: Areas) {
    this.#areaCount = areas.count + 1
    this.#zones = 1 + columns.places.length
    this.#providers = this.#zones + columns.zones.length
    this.#areas = this.#providers + words.providers.length
    this.#parts = this.#areas + this.#areaCount
    this.count = this.#parts + words.providers.length * this.#areaCount
  }

  place(place: number): number {
    return 1 + place
  }

  zone(zone: number): number {
    return this.#zones + zone
  }

  provider(provider: number): number {
    return this.#providers + provider
  }

  area(area: number): number {
    return this.#areas + area
  }

  providerIn(provider: number, area: number): number {
    return this.#parts + provider * this.#areaCount + area
  }

  listKey(scope: number, os: number, option: number, kind: number): number {
    return ((kind * this.count + scope) * osNames.length + os) * (optionCount + 1) + option
  }
}

/** What the offers of a class have in common: a GPU key, an index of architectureNames, and traits of their types. */
export interface OfferClass extends Pick<TypeTraits, 'kinds' | 'isOffered'> {
  readonly gpu: number
  readonly architecture: number
}

/**
 * Classes of offers with the same accelerator, or none, the same architecture and the same kinds of type. Only offers of
 * classes that differ at most in their architecture can replace each other.
 */
export class Classes {
  readonly all: OfferClass[] = []
  readonly #ids = new Map<number, number>()
  readonly #byGpu = new Map<number, number[]>()

  constructor(all: Iterable<OfferClass> = []) {
    for (const each of all) this.id(each.gpu, each.architecture, each)
  }

  id(
    gpu: number,
    architecture: number,
    { kinds, isOffered }: Pick<TypeTraits, 'kinds' | 'isOffered'>,
  ): number {
    const key = keyOf(gpu, architecture, kinds, isOffered)
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const id = this.all.push({ gpu, architecture, kinds, isOffered }) - 1
    this.#ids.set(key, id)
    this.#byGpu.getOrInsertComputed(gpu, () => []).push(id)
    return id
  }

  /** Returns the classes in which comparable offers can be. Bit a of the architectures is set if architecture a passes. */
  comparableClasses(gpu: number, architectures: number, comparableTo: Comparability | undefined): number[] {
    if (comparableTo === undefined)
      return (this.#byGpu.get(gpu) ?? []).filter((id) => (architectures >> this.all[id]!.architecture) & 1)
    const found: number[] = []
    for (let a = 0; a < architectureNames.length; a++) {
      if (((architectures >> a) & 1) === 0) continue
      for (const kinds of kindsOf(comparableTo)) {
        const id = this.#ids.get(keyOf(gpu, a, kinds, true))
        if (id !== undefined) found.push(id)
      }
    }
    return found
  }
}

/** Returns every combination of the kinds that must be equal with those that may differ. */
function kindsOf({ kinds, ignoredKinds }: Comparability): number[] {
  const found = [kinds & ~ignoredKinds]
  for (let bit = 1; bit <= ignoredKinds; bit <<= 1)
    if ((ignoredKinds & bit) !== 0) found.push(...found.map((other) => other | bit))
  return found
}

const keyOf = (gpu: number, architecture: number, kinds: number, isOffered: boolean): number =>
  (((gpu << strictKinds.length) + kinds) * architectureNames.length + architecture) * 2 + Number(isOffered)

/** The traits of the type of each group: one set if all its providers agree, else one for each provider. */
export class GroupTraits {
  readonly #only: (TypeTraits | undefined)[] = []
  readonly #ofProvider = new Map<number, TypeTraits>()
  readonly #providers: number
  /** The greatest speed of all types. */
  readonly fastest: number

  constructor(columns: OfferColumns, words: Vocabulary, { traitsOf = () => ordinaryTraits }: CatalogueRules) {
    const { groupType, slotStart, offers, types } = columns
    const { placeProvider, providers } = words
    this.#providers = providers.length
    const known = new Map<number, TypeTraits>()
    const distinct = new Map<string, TypeTraits>()
    const typeTraits = (provider: number, type: number): TypeTraits =>
      known.getOrInsertComputed(type * providers.length + provider, () => {
        const traits = traitsOf(providers[provider]!, types[type]!)
        return distinct.getOrInsert(traitsText(traits), traits)
      })
    let fastest = 0
    for (let g = 0; g < groupType.length; g++) {
      const seen = new Set<number>()
      const end = slotStart[(g + 1) * optionCount]!
      for (let i = slotStart[g * optionCount]!; i < end; i++) seen.add(placeProvider[offers.place[i]!]!)
      const traits = [...seen].map((provider) => typeTraits(provider, groupType[g]!))
      for (const { speed } of traits) fastest = Math.max(fastest, speed)
      const areEqual = traits.every((other) => other === traits[0])
      this.#only.push(areEqual ? traits[0]! : undefined)
      if (!areEqual)
        for (const [i, provider] of [...seen].entries())
          this.#ofProvider.set(g * this.#providers + provider, traits[i]!)
    }
    this.fastest = fastest
  }

  /** Returns undefined if the traits differ between providers. */
  only(group: number): TypeTraits | undefined {
    return this.#only[group]
  }

  traitsOf(group: number, provider: number): TypeTraits {
    return this.#only[group] ?? this.#ofProvider.get(group * this.#providers + provider)!
  }
}

/** Returns a key by which equal traits are stored once: the sizes of a family differ in little but their disks. */
function traitsText({ kinds, isShared, isOffered, speed, localDiskGib, localDiskRank }: TypeTraits): string {
  return `${kinds} ${isShared} ${isOffered} ${speed} ${localDiskGib} ${localDiskRank}`
}
