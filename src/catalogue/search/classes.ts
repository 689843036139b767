import { type Likeness, ordinaryTraits, strictKinds, type TypeTraits } from '../../domain/likeness.ts'
import { type OfferColumns, usageCount } from '../columns/columns.ts'
import type { Vocabulary } from '../names/vocabulary.ts'
import type { CatalogueRules } from '../rules.ts'

/** GPU key, kinds, whether it is offered unasked. */
export type ClassRow = readonly [gpu: number, kinds: number, isOffered: boolean]

/** Offers with the same accelerator, or none, and the same kinds of type: only they can stand in for each other. */
export class Classes {
  readonly rows: ClassRow[] = []
  readonly #ids = new Map<number, number>()
  readonly #byGpu = new Map<number, number[]>()

  constructor(rows: Iterable<ClassRow> = []) {
    for (const [gpu, kinds, isOffered] of rows) this.id(gpu, { kinds, isOffered })
  }

  /** Gives a class that was not there an id. */
  id(gpu: number, { kinds, isOffered }: Pick<TypeTraits, 'kinds' | 'isOffered'>): number {
    const key = keyOf(gpu, kinds, isOffered)
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const id = this.rows.push([gpu, kinds, isOffered]) - 1
    this.#ids.set(key, id)
    this.#byGpu.getOrInsertComputed(gpu, () => []).push(id)
    return id
  }

  /** Those in which something alike can be. */
  alike(gpu: number, like: Likeness | undefined): readonly number[] {
    if (like === undefined) return this.#byGpu.get(gpu) ?? []
    const id = this.#ids.get(keyOf(gpu, like.kinds, true))
    return id === undefined ? [] : [id]
  }
}

const keyOf = (gpu: number, kinds: number, isOffered: boolean): number =>
  ((gpu << strictKinds.length) + kinds) * 2 + Number(isOffered)

/** The traits of each group's type: those of its provider, or of each where several have a type of that name. */
export class GroupTraits {
  readonly #only: (TypeTraits | undefined)[] = []
  readonly #ofProvider = new Map<number, TypeTraits>()
  readonly #providers: number
  /** The greatest speed there is. */
  readonly fastest: number

  constructor(columns: OfferColumns, words: Vocabulary, { traitsOf = () => ordinaryTraits }: CatalogueRules) {
    const { groupType, slotStart, offerPlace, types } = columns
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
      const end = slotStart[(g + 1) * usageCount]!
      for (let i = slotStart[g * usageCount]!; i < end; i++) seen.add(placeProvider[offerPlace[i]!]!)
      const traits = [...seen].map((provider) => typeTraits(provider, groupType[g]!))
      for (const { speed } of traits) fastest = Math.max(fastest, speed)
      const areAlike = traits.every((one) => one === traits[0])
      this.#only.push(areAlike ? traits[0]! : undefined)
      if (!areAlike)
        for (const [i, provider] of [...seen].entries())
          this.#ofProvider.set(g * this.#providers + provider, traits[i]!)
    }
    this.fastest = fastest
  }

  /** Undefined where its providers differ. */
  only(group: number): TypeTraits | undefined {
    return this.#only[group]
  }

  of(group: number, provider: number): TypeTraits {
    return this.#only[group] ?? this.#ofProvider.get(group * this.#providers + provider)!
  }
}

/** Equal traits are kept once: the sizes of a family differ in little else than their disks. */
function traitsText({ kinds, isOffered, speed, localDiskGib, localDiskRank }: TypeTraits): string {
  return `${kinds} ${isOffered} ${speed} ${localDiskGib} ${localDiskRank}`
}
