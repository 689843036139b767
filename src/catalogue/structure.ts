import type { KnownZone } from '../domain/zone.ts'
import type { Columns } from './columns.ts'
import { Groups } from './groups.ts'
import { KnownSearches } from './known-searches.ts'
import type { Lists } from './list-shape.ts'
import { listsOf } from './lists.ts'
import { type Vocabulary, vocabularyOf } from './vocabulary.ts'
import { type ZoneLiesIn, ZonePlaces } from './zone-places.ts'

/** Columns with everything that search needs beside them. */
export interface Structure {
  readonly columns: Columns
  readonly groups: Groups
  readonly words: Vocabulary
  readonly lists: Lists
  readonly zonePlaces: ZonePlaces
  readonly known: KnownSearches
}

/** Lists that are known already are not made again. */
export function structureOf(
  columns: Columns,
  zones: readonly KnownZone[],
  liesIn: ZoneLiesIn,
  lists?: Lists,
): Structure {
  const groups = new Groups(columns)
  const words = vocabularyOf(columns)
  return {
    columns,
    groups,
    words,
    lists: lists ?? listsOf(columns, groups, words),
    zonePlaces: new ZonePlaces(columns, words, zones, liesIn),
    known: new KnownSearches(columns, groups),
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
