import { type Columns, osNames, usageCount } from './columns.ts'
import { type Groups, roundedDown } from './groups.ts'
import { type Ids, idArray } from './narrow.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Of how many entries a block is made, the largest sizes of which are kept. */
export const blockShift = 4
export const blockLength = 1 << blockShift
/** The usage type of a list in which every usage type counts. */
export const anyUsage = usageCount

/**
 * Groups in the order of their cheapest offer, one list for each (scope, operating system, usage type or any, GPU model
 * or none), where a scope is everything, one provider, or one place. An offer of unknown size is in none.
 */
export interface Lists {
  readonly byKey: ReadonlyMap<number, number>
  /** Entries of list l: [start[l], start[l + 1]); its blocks begin at blocksStart[l]. */
  readonly start: Uint32Array
  readonly group: Ids
  /** The group's cheapest price in the list, rounded down: a lower bound, never a price. */
  readonly bound: Float32Array
  readonly blocksStart: Uint32Array
  readonly blockMaxVcpus: Float32Array
  readonly blockMaxRamGib: Float32Array
}

export const everywhere = 0
export const scopeOfProvider = (provider: number): number => 1 + provider
export const scopeOfPlace = (words: Vocabulary, place: number): number => 1 + words.providers.length + place

export function listKey(words: Vocabulary, scope: number, os: number, usage: number, gpu: number): number {
  return ((scope * osNames.length + os) * (usageCount + 1) + usage) * words.gpuKeyCount + gpu
}

export function listsOf(columns: Columns, groups: Groups, words: Vocabulary): Lists {
  const byKey = new Map<number, number>()
  const lengths: number[] = []
  const entryList: number[] = []
  const entryGroup: number[] = []
  const entryPrice: number[] = []
  const cheapest = new Map<number, number>()
  for (let g = 0; g < groups.count; g++) {
    cheapest.clear()
    for (let u = 0; u < usageCount; u++) collectCheapest(columns, words, g, u, cheapest)
    for (const [key, price] of cheapest) {
      let list = byKey.get(key)
      if (list === undefined) {
        list = byKey.size
        byKey.set(key, list)
        lengths.push(0)
      }
      lengths[list]!++
      entryList.push(list)
      entryGroup.push(g)
      entryPrice.push(price)
    }
  }
  return ordered(byKey, lengths, entryList, entryGroup, entryPrice, groups)
}

function collectCheapest(
  { cellsStart, cellPlace, offersStart, offers, machines, groupOs }: Columns,
  words: Vocabulary,
  group: number,
  usage: number,
  cheapest: Map<number, number>,
): void {
  const os = groupOs[group]!
  const keep = (scope: number, gpu: number, p: number) => {
    for (const u of [usage, anyUsage]) {
      const key = listKey(words, scope, os, u, gpu)
      const known = cheapest.get(key)
      if (known === undefined || p < known) cheapest.set(key, p)
    }
  }
  const slot = group * usageCount + usage
  for (let c = cellsStart[slot]!; c < cellsStart[slot + 1]!; c++) {
    const place = cellPlace[c]!
    let last = -1
    for (let i = offersStart[c]!; i < offersStart[c + 1]!; i++) {
      const m = offers.machine(i)
      if (m === last || Number.isNaN(machines.vcpus(m) + machines.ramGib(m))) continue
      last = m
      const gpu = machines.gpuKey(m)
      const price = offers.price(i)
      keep(everywhere, gpu, price)
      keep(scopeOfProvider(words.placeProvider[place]!), gpu, price)
      keep(scopeOfPlace(words, place), gpu, price)
    }
  }
}

function ordered(
  byKey: Map<number, number>,
  lengths: readonly number[],
  entryList: readonly number[],
  entryGroup: readonly number[],
  entryPrice: readonly number[],
  groups: Groups,
): Lists {
  const start = new Uint32Array(lengths.length + 1)
  const blocksStart = new Uint32Array(lengths.length + 1)
  for (let l = 0; l < lengths.length; l++) {
    start[l + 1] = start[l]! + lengths[l]!
    blocksStart[l + 1] = blocksStart[l]! + blocksOf(lengths[l]!)
  }
  const order = new Uint32Array(entryList.length)
  const next = start.slice()
  for (let e = 0; e < entryList.length; e++) order[next[entryList[e]!]!++] = e
  const group = idArray(order.length, groups.count)
  const bound = new Float32Array(order.length)
  const blockMaxVcpus = new Float32Array(blocksStart.at(-1)!)
  const blockMaxRamGib = new Float32Array(blocksStart.at(-1)!)
  for (let l = 0; l < lengths.length; l++) {
    const from = start[l]!
    const slice = order.subarray(from, start[l + 1]!)
    slice.sort((a, b) => entryPrice[a]! - entryPrice[b]! || a - b)
    for (let i = 0; i < slice.length; i++) {
      const g = entryGroup[slice[i]!]!
      const block = blocksStart[l]! + (i >> blockShift)
      group[from + i] = g
      bound[from + i] = roundedDown(entryPrice[slice[i]!]!)
      blockMaxVcpus[block] = Math.max(blockMaxVcpus[block]!, groups.maxVcpus(g))
      blockMaxRamGib[block] = Math.max(blockMaxRamGib[block]!, groups.maxRamGib(g))
    }
  }
  return { byKey, start, group, bound, blocksStart, blockMaxVcpus, blockMaxRamGib }
}

const blocksOf = (entries: number): number => (entries + blockLength - 1) >> blockShift
