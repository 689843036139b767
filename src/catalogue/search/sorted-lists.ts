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
  for (let g = 0; g < groups.count; g++) {
    const classes = collector.classesOf(g)
    for (const kind of classes) collector.collect(g, kind, classes.size === 1, entries)
  }
  return { ...entries.ordered(groups), zoneless: collector.zoneless, classes: collector.classes.all }
}

/** Finds a group's cheapest offer in each scope, and which part of a slot the offers of a scope are in. */
class CheapestByScope {
  readonly zoneless: Uint8Array
  readonly classes = new Classes()
  readonly #columns: OfferColumns
  readonly #rules: ListRules
  /** By scope: the offers of the current slot are within [from, to) of it; from is noOffer if there is none so far. */
  readonly #from: Uint32Array
  readonly #to: Uint32Array

  constructor(columns: OfferColumns, rules: ListRules) {
    this.#columns = columns
    this.#rules = rules
    const scopes = rules.scopes.count
    this.zoneless = new Uint8Array(columns.places.length)
    this.#from = new Uint32Array(scopes).fill(noOffer)
    this.#to = new Uint32Array(scopes)
  }

  /** Returns the classes of a group's offers of known size, usually one. */
  classesOf(group: number): Set<number> {
    const { slotStart, offers, machines } = this.#columns
    const found = new Set<number>()
    const end = slotStart[(group + 1) * optionCount]!
    const isOne = this.#rules.traits.only(group) !== undefined
    let last = -1
    for (let i = slotStart[group * optionCount]!; i < end; i++) {
      const m = offers.machine[i]!
      if (m === last && isOne) continue
      last = m
      if (machines.isSized(m)) found.add(this.#classOf(group, i))
    }
    return found
  }

  #classOf(group: number, i: number): number {
    const { offers, machines } = this.#columns
    const { traits, words } = this.#rules
    const m = offers.machine[i]!
    return this.classes.id(
      machines.gpuKey(m),
      machines.architecture(m),
      traits.only(group) ?? traits.traitsOf(group, words.placeProvider[offers.place[i]!]!),
    )
  }

  /** If the group has offers of other classes too, those of a list can be anywhere in the slot. */
  collect(group: number, kind: number, isOnlyClass: boolean, entries: ListEntries): void {
    const { slotStart, labels, machines, offers, groupOs, zones } = this.#columns
    const { words, areas, scopes } = this.#rules
    const os = groupOs[group]!
    let [lastMachine, isLastIn] = [-1, false]
    let [cheapest, longest] = [Infinity, 0]
    const isOne = this.#rules.traits.only(group) !== undefined
    for (let option = 0; option < optionCount; option++) {
      const start = slotStart[group * optionCount + option]!
      const end = slotStart[group * optionCount + option + 1]!
      const found: number[] = []
      longest = Math.max(longest, end - start)
      for (let i = start; i < end; i++) {
        const m = offers.machine[i]!
        if (m !== lastMachine || !isOne) {
          lastMachine = m
          isLastIn = machines.isSized(m) && this.#classOf(group, i) === kind
        }
        if (!isLastIn) continue
        const place = offers.place[i]!
        const zone = labels.zone[offers.label[i]!]!
        const provider = words.placeProvider[place]!
        const offset = i - start
        if (zones[zone] === '') this.zoneless[place]! |= 1 << option
        else this.#add(found, scopes.zone(zone), offset)
        this.#addToAreas(found, place, offset)
        this.#add(found, everywhere, offset)
        this.#add(found, scopes.provider(provider), offset)
        this.#add(found, scopes.providerIn(provider, areas.ofPlace[place]!), offset)
        this.#add(found, scopes.place(place), offset)
      }
      for (const scope of found) {
        const price = offers.price[start + this.#from[scope]!]!
        const key = scopes.listKey(scope, os, option, kind)
        if (isOnlyClass) entries.add(key, group, price, this.#from[scope]!, this.#to[scope]!)
        else entries.add(key, group, price, 0, end - start)
        cheapest = Math.min(cheapest, price)
        this.#from[scope] = noOffer
      }
    }
    if (cheapest < Infinity)
      entries.add(scopes.listKey(everywhere, os, anyOption, kind), group, cheapest, 0, longest)
  }

  #addToAreas(found: number[], place: number, offset: number): void {
    const { areas, scopes } = this.#rules
    const placeArea = areas.ofPlace[place]!
    if (placeArea > 0) this.#add(found, scopes.area(placeArea), offset)
    else for (let area = 1; area <= areas.count; area++) this.#add(found, scopes.area(area), offset)
  }

  /** Adds an offer to a scope. Offers come in order of price, so the first of a scope is its cheapest. */
  #add(found: number[], scope: number, offset: number): void {
    if (this.#from[scope] === noOffer) {
      this.#from[scope] = offset
      found.push(scope)
    }
    this.#to[scope] = offset + 1
  }
}

const noOffer = 0xffff_ffff
