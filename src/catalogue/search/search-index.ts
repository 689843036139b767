import type { KnownZone } from '../../domain/zone.ts'
import { Areas } from '../areas.ts'
import { Classes } from '../classes.ts'
import type { Columns } from '../columns/columns.ts'
import { GroupTraits } from '../group-traits.ts'
import { type Vocabulary, vocabularyOf } from '../names/vocabulary.ts'
import { ZonePlaces } from '../names/zone-regions.ts'
import type { CatalogueRules } from '../rules.ts'
import { Groups } from './groups.ts'
import { KnownSearches } from './search-cache.ts'
import type { Lists } from './sorted-list.ts'
import { listsOf, Scopes } from './sorted-lists.ts'

/** Columns with everything that search needs beside them. */
export interface Structure {
  readonly columns: Columns
  readonly groups: Groups
  readonly words: Vocabulary
  readonly traits: GroupTraits
  readonly areas: Areas
  readonly scopes: Scopes
  readonly lists: Lists
  readonly classes: Classes
  /** By label: 1 where its zone is a local one. */
  readonly localLabels: Uint8Array
  readonly zonePlaces: ZonePlaces
  readonly known: KnownSearches
}

/** Lists that are known already are not made again. */
export function structureOf(
  columns: Columns,
  zones: readonly KnownZone[],
  rules: CatalogueRules,
  lists?: Lists,
): Structure {
  const { isLocalZone = () => false, zoneLiesIn = () => false } = rules
  const words = vocabularyOf(columns)
  const traits = new GroupTraits(columns, words, rules)
  const groups = new Groups(columns, traits)
  const areas = new Areas(columns, rules)
  const localLabels = Uint8Array.from(columns.labels.values, ({ provider, zone }) =>
    zone !== '' && isLocalZone(provider, zone) ? 1 : 0,
  )
  const scopes = new Scopes(columns, words, areas)
  const all = lists ?? listsOf(columns, groups, { words, traits, areas, scopes })
  return {
    columns,
    groups,
    words,
    traits,
    areas,
    scopes,
    lists: all,
    classes: new Classes(all.classes),
    localLabels,
    zonePlaces: new ZonePlaces(columns, words, zones, zoneLiesIn),
    known: new KnownSearches(columns, groups, areas),
  }
}

/** The group of an instance type, named exactly, and operating system; -1 where there is none. */
export function groupNamed({ columns, words }: Structure, instanceType: string, os: number): number {
  for (const type of words.typesByName.get(instanceType.toLowerCase()) ?? [])
    if (columns.types[type] === instanceType) return groupOfType(columns, words, type, os)
  return -1
}

export function groupOfType(columns: Columns, words: Vocabulary, type: number, os: number): number {
  for (let g = words.typeGroups[type]!; g < words.typeGroups[type + 1]!; g++)
    if (columns.groupOs[g] === os) return g
  return -1
}
