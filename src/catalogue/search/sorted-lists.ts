import { type OfferColumns, optionCount } from '../columns/columns.ts'
import type { Vocabulary } from '../names/vocabulary.ts'
import type { OfferGroups } from './groups.ts'
import { ListEntries, type SortedLists } from './list-entries.ts'
import { type Areas, anyOption, Classes, everywhere, type GroupTraits, type Scopes } from './list-keys.ts'

/** What decides, together with the columns, which lists an offer is in. */
interface ListRules {
  readonly words: Vocabulary
  readonly traits: GroupTraits
  readonly areas: Areas
  readonly scopes: Scopes
}

export function buildSortedLists(columns: OfferColumns, groups: OfferGroups, rules: ListRules): SortedLists {
  const entries = new ListEntries()
  const collector = new CheapestByScope(columns, rules)
  for (let g = 0; g < groups.count; g++)
    for (const kind of collector.classesOf(g)) collector.collect(g, kind, entries)
  return { ...entries.ordered(groups), zoneless: collector.zoneless, classes: collector.classes.rows }
}

/** Finds a group's cheapest offer in each scope. */
class CheapestByScope {
  readonly zoneless: Uint8Array
  readonly classes = new Classes()
  readonly #columns: OfferColumns
  readonly #rules: ListRules
  /**
   * Cheapest prices by scope, over all purchase options and for the current one; Infinity for scopes without an offer so far.
   */
  readonly #ofAny: Float64Array
  readonly #ofOne: Float64Array

  constructor(columns: OfferColumns, rules: ListRules) {
    this.#columns = columns
    this.#rules = rules
    const scopes = rules.scopes.count
    this.zoneless = new Uint8Array(columns.places.length)
    this.#ofAny = new Float64Array(scopes).fill(Infinity)
    this.#ofOne = new Float64Array(scopes).fill(Infinity)
  }

  /** Returns the classes of a group's offers of known size, usually one. */
  classesOf(group: number): Set<number> {
    const { slotStart, offers, machines } = this.#columns
    const found = new Set<number>()
    const end = slotStart[(group + 1) * optionCount]!
    const isOne = this.#rules.traits.only(group) !== undefined
    let last = -1
    for (let i = slotStart[group * optionCount]!; i < end; i++) {
      const m = offers.machine(i)
      if (m === last && isOne) continue
      last = m
      if (machines.isSized(m)) found.add(this.#classOf(group, i))
    }
    return found
  }

  #classOf(group: number, i: number): number {
    const { offers, machines, offerPlace } = this.#columns
    const { traits, words } = this.#rules
    return this.classes.id(
      machines.gpuKey(offers.machine(i)),
      traits.only(group) ?? traits.traitsOf(group, words.placeProvider[offerPlace[i]!]!),
    )
  }

  collect(group: number, kind: number, entries: ListEntries): void {
    const { slotStart, labels, machines, offers, groupOs, zones } = this.#columns
    const { words, areas, scopes } = this.#rules
    const os = groupOs[group]!
    const anyScopes: number[] = []
    let [lastMachine, isLastIn] = [-1, false]
    const isOne = this.#rules.traits.only(group) !== undefined
    for (let option = 0; option < optionCount; option++) {
      const slot = group * optionCount + option
      const optionScopes: number[] = []
      for (let i = slotStart[slot]!; i < slotStart[slot + 1]!; i++) {
        const m = offers.machine(i)
        if (m !== lastMachine || !isOne) {
          lastMachine = m
          isLastIn = machines.isSized(m) && this.#classOf(group, i) === kind
        }
        if (!isLastIn) continue
        const label = offers.label(i)
        const [place, zone] = [labels.place[label]!, labels.zone[label]!]
        const price = offers.price(i)
        if (zones[zone] === '') this.zoneless[place]! |= 1 << option
        else this.#keepOfOne(optionScopes, scopes.zone(zone), price)
        this.#keepInAreas(optionScopes, place, price)
        this.#keep(optionScopes, anyScopes, everywhere, price)
        const provider = words.placeProvider[place]!
        this.#keepOfOne(optionScopes, scopes.provider(provider), price)
        this.#keepOfOne(optionScopes, scopes.providerIn(provider, areas.ofPlace[place]!), price)
        this.#keepOfOne(optionScopes, scopes.place(place), price)
      }
      this.#flush(
        optionScopes,
        this.#ofOne,
        (scope) => scopes.listKey(scope, os, option, kind),
        group,
        entries,
      )
    }
    this.#flush(anyScopes, this.#ofAny, (scope) => scopes.listKey(scope, os, anyOption, kind), group, entries)
  }

  #keepInAreas(optionScopes: number[], place: number, price: number): void {
    const { areas, scopes } = this.#rules
    const placeArea = areas.ofPlace[place]!
    if (placeArea > 0) this.#keepOfOne(optionScopes, scopes.area(placeArea), price)
    else
      for (let area = 1; area <= areas.count; area++) this.#keepOfOne(optionScopes, scopes.area(area), price)
  }

  #keep(optionScopes: number[], anyScopes: number[], scope: number, price: number): void {
    this.#keepOfOne(optionScopes, scope, price)
    if (this.#ofAny[scope] === Infinity) anyScopes.push(scope)
    if (price < this.#ofAny[scope]!) this.#ofAny[scope] = price
  }

  #keepOfOne(optionScopes: number[], scope: number, price: number): void {
    if (this.#ofOne[scope] === Infinity) optionScopes.push(scope)
    if (price < this.#ofOne[scope]!) this.#ofOne[scope] = price
  }

  #flush(
    scopes: readonly number[],
    cheapest: Float64Array,
    keyOf: (scope: number) => number,
    group: number,
    entries: ListEntries,
  ): void {
    for (const scope of scopes) {
      entries.add(keyOf(scope), group, cheapest[scope]!)
      cheapest[scope] = Infinity
    }
  }
}
