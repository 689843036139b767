import type { Need } from '../domain/need.ts'
import { BestOffers } from './best-offers.ts'
import { compareOffers } from './canonical-order.ts'
import { type Filter, filterOf } from './filter.ts'
import { ListCursor } from './list-cursor.ts'
import { directGroups, listsFor } from './plan.ts'
import { groupNamed, type Structure } from './structure.ts'

/** The best offers of one type: offer i of cell i of source i, in canonical order. */
export interface FoundOffers {
  readonly offers: readonly number[]
  readonly cells: readonly number[]
  readonly sources: readonly Structure[]
}

/** The types with the best offers that pass, best first, over several catalogues as if they were one. */
export function searchStructures(structures: readonly Structure[], need: Need): FoundOffers[] {
  if (need.limit <= 0 || need.offersPerType <= 0) return []
  const sources: Structure[] = []
  const filters: Filter[] = []
  const cursors: ListCursor[] = []
  const kept = new KeptTypes(need, sources, filters)
  for (const structure of structures) {
    const filter = filterOf(structure, need)
    if (filter === undefined) continue
    structure.seen.begin()
    sources.push(structure)
    filters.push(filter)
  }
  for (let s = 0; s < sources.length; s++) {
    const direct = directGroups(sources[s]!, filters[s]!)
    if (direct !== undefined) for (const group of direct) kept.consider(s, group)
    else
      for (const list of listsFor(sources[s]!, filters[s]!)) {
        const cursor = new ListCursor(s, sources[s]!, filters[s]!, list)
        if (cursor.advance()) cursors.push(cursor)
      }
  }
  mergeByPrice(cursors, kept)
  return kept.found
}

function mergeByPrice(cursors: ListCursor[], kept: KeptTypes): void {
  while (cursors.length > 0) {
    let next = 0
    for (let i = 1; i < cursors.length; i++) if (cursors[i]!.bound < cursors[next]!.bound) next = i
    const cursor = cursors[next]!
    if (cursor.bound > kept.dearest) return
    kept.consider(cursor.source, cursor.group)
    if (!cursor.advance()) {
      cursors[next] = cursors.at(-1)!
      cursors.pop()
    }
  }
}

class KeptTypes {
  readonly found: FoundOffers[] = []
  /** A type whose best offer costs more than this is of no use. */
  dearest = Infinity
  readonly #best = new BestOffers()
  readonly #need: Need
  readonly #sources: readonly Structure[]
  readonly #filters: readonly Filter[]

  constructor(need: Need, sources: readonly Structure[], filters: readonly Filter[]) {
    this.#need = need
    this.#sources = sources
    this.#filters = filters
  }

  /** Takes a group's type in if its best offers, of all sources, are among the best so far. */
  consider(source: number, group: number): void {
    const { columns, seen } = this.#sources[source]!
    if (seen.has(group)) return
    seen.add(group)
    const best = this.#best
    best.begin(this.#need.offersPerType)
    best.addGroup(this.#sources[source]!, this.#filters[source]!, group)
    if (this.#sources.length > 1) {
      const instanceType = columns.types[columns.groupType[group]!]!
      for (let s = 0; s < this.#sources.length; s++) {
        if (s === source) continue
        const same = groupNamed(this.#sources[s]!, instanceType, this.#filters[s]!.os)
        if (same < 0) continue
        this.#sources[s]!.seen.add(same)
        best.addGroup(this.#sources[s]!, this.#filters[s]!, same)
      }
    }
    if (best.count > 0) this.#keep(best)
  }

  #keep(best: BestOffers): void {
    const { found } = this
    let at = found.length
    while (at > 0 && isBefore(best, found[at - 1]!)) at--
    if (at >= this.#need.limit) return
    found.splice(at, 0, {
      offers: best.offers.slice(0, best.count),
      cells: best.cells.slice(0, best.count),
      sources: best.sources.slice(0, best.count),
    })
    if (found.length > this.#need.limit) found.pop()
    if (found.length === this.#need.limit) {
      const last = found.at(-1)!
      this.dearest = last.sources[0]!.columns.price[last.offers[0]!]!
    }
  }
}

function isBefore(a: FoundOffers, b: FoundOffers): boolean {
  return (
    compareOffers(
      a.sources[0]!.columns,
      a.cells[0]!,
      a.offers[0]!,
      b.sources[0]!.columns,
      b.cells[0]!,
      b.offers[0]!,
    ) < 0
  )
}
