import { type Columns, osNames, usageCount } from './columns.ts'
import type { Groups } from './groups.ts'
import { Entries } from './list-entries.ts'
import type { Lists } from './list-shape.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The usage type of a list in which every usage type counts. */
export const anyUsage = usageCount

export const everywhere = 0
export const scopeOfProvider = (provider: number): number => 1 + provider
export const scopeOfPlace = (words: Vocabulary, place: number): number => 1 + words.providers.length + place
export const scopeOfZone = (words: Vocabulary, zone: number): number =>
  scopeOfPlace(words, words.placeProvider.length + zone)

export function listKey(words: Vocabulary, scope: number, os: number, usage: number, gpu: number): number {
  return ((scope * osNames.length + os) * (usageCount + 1) + usage) * words.gpuKeyCount + gpu
}

export function listsOf(columns: Columns, groups: Groups, words: Vocabulary): Lists {
  const entries = new Entries()
  const collector = new CheapestByScope(columns, words)
  for (let g = 0; g < groups.count; g++)
    for (const gpu of gpusOf(columns, g)) collector.collect(g, gpu, entries)
  return { ...entries.ordered(groups), zoneless: collector.zoneless }
}

/** The GPU models, or none, of a group's offers of known size: one, as a rule. */
function gpusOf({ slotStart, offers, machines }: Columns, group: number): Set<number> {
  const found = new Set<number>()
  const end = slotStart[(group + 1) * usageCount]!
  let last = -1
  for (let i = slotStart[group * usageCount]!; i < end; i++) {
    const m = offers.machine(i)
    if (m === last) continue
    last = m
    if (machines.isSized(m)) found.add(machines.gpuKey(m))
  }
  return found
}

/** Finds a group's cheapest offer in each scope. */
class CheapestByScope {
  readonly zoneless: Uint8Array
  readonly #columns: Columns
  readonly #words: Vocabulary
  /** By scope, of all usage types and of the one at hand; Infinity, but for the scopes seen. */
  readonly #ofAny: Float64Array
  readonly #ofOne: Float64Array

  constructor(columns: Columns, words: Vocabulary) {
    this.#columns = columns
    this.#words = words
    const scopes = scopeOfZone(words, columns.zones.length)
    this.zoneless = new Uint8Array(columns.places.length)
    this.#ofAny = new Float64Array(scopes).fill(Infinity)
    this.#ofOne = new Float64Array(scopes).fill(Infinity)
  }

  collect(group: number, gpu: number, entries: Entries): void {
    const { slotStart, labels, machines, offers, groupOs, zones } = this.#columns
    const words = this.#words
    const os = groupOs[group]!
    const any: number[] = []
    for (let usage = 0; usage < usageCount; usage++) {
      const slot = group * usageCount + usage
      const one: number[] = []
      for (let i = slotStart[slot]!; i < slotStart[slot + 1]!; i++) {
        const m = offers.machine(i)
        if (machines.gpuKey(m) !== gpu || !machines.isSized(m)) continue
        const label = offers.label(i)
        const [place, zone] = [labels.place[label]!, labels.zone[label]!]
        const price = offers.price(i)
        if (zones[zone] === '') this.zoneless[place]! |= 1 << usage
        else this.#keepOfOne(one, scopeOfZone(words, zone), price)
        this.#keep(one, any, everywhere, price)
        this.#keep(one, any, scopeOfProvider(words.placeProvider[place]!), price)
        this.#keep(one, any, scopeOfPlace(words, place), price)
      }
      this.#flush(one, this.#ofOne, (scope) => listKey(words, scope, os, usage, gpu), group, entries)
    }
    this.#flush(any, this.#ofAny, (scope) => listKey(words, scope, os, anyUsage, gpu), group, entries)
  }

  #keep(one: number[], any: number[], scope: number, price: number): void {
    this.#keepOfOne(one, scope, price)
    if (this.#ofAny[scope] === Infinity) any.push(scope)
    if (price < this.#ofAny[scope]!) this.#ofAny[scope] = price
  }

  #keepOfOne(one: number[], scope: number, price: number): void {
    if (this.#ofOne[scope] === Infinity) one.push(scope)
    if (price < this.#ofOne[scope]!) this.#ofOne[scope] = price
  }

  #flush(
    scopes: readonly number[],
    cheapest: Float64Array,
    keyOf: (scope: number) => number,
    group: number,
    entries: Entries,
  ): void {
    for (const scope of scopes) {
      entries.add(keyOf(scope), group, cheapest[scope]!)
      cheapest[scope] = Infinity
    }
  }
}
