import type { BaseName } from './bases.ts'
import { gridSize } from './grid.ts'
import experience from './prior.json' with { type: 'json' }

/** Ages (days with samples) from which each of a base's tables holds. */
export const priorAges = [1, 2, 4] as const

/**
 * Experience of other fleets, for a service that has none of its own yet: mean share of a day above each multiple of the
 * base, by age. Made by `bench/quality/prior.ts` from public traces (Bitbrains GWA-T-12, Google 2011, PlanetLab 2011).
 */
export function priorShares(name: BaseName, age: number): Float32Array {
  const tables: readonly (readonly number[])[] = experience[name]
  const index = Math.max(
    0,
    priorAges.findLastIndex((from) => age >= from),
  )
  const table = tables[index]!
  return Float32Array.from({ length: gridSize }, (_, k) => table[k] ?? 0)
}
