import { ordinaryTraits, type TypeTraits } from '../domain/likeness.ts'
import { type OfferColumns, usageCount } from './columns/columns.ts'
import type { Vocabulary } from './names/vocabulary.ts'
import type { CatalogueRules } from './rules.ts'

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
        return distinct.getOrInsert(textOf(traits), traits)
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
function textOf({ kinds, isOffered, speed, localDiskGib, localDiskRank }: TypeTraits): string {
  return `${kinds} ${isOffered} ${speed} ${localDiskGib} ${localDiskRank}`
}
