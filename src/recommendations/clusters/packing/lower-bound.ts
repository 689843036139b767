import { allocatableOn, type NodeType, type PoolRules } from './node-type.ts'
import { type PodGroup, type ResourceVector, sumOfPods, vectorOf } from './pods.ts'

/** What a unit of each resource is worth in dollars: cores, GiB, places for pods, GPUs. */
export type BoundPrices = ResourceVector

/**
 * Returns a cost that no set of nodes of these types, mixed in any way, can undercut within the rules. It is the
 * minimum cost if nodes and pods could be divided. Infinite if no type has capacity.
 */
export function lowerBoundUsd(
  groups: readonly PodGroup[],
  types: readonly NodeType[],
  rules: PoolRules,
): number {
  if (types.length === 0) return Number.POSITIVE_INFINITY
  const need = vectorOf({ ...sumOfPods(groups) })
  const cheapestUsd = Math.min(...types.map(({ perMonthUsd }) => perMonthUsd))
  const prices = resourcePrices(groups, types, rules)
  const lacks = need.some(
    (amount, index) => amount > 0 && !types.some((type) => usableOf(type, rules)[index]! > 0),
  )
  return lacks ? Number.POSITIVE_INFINITY : Math.max(worthOf(need, prices), rules.minNodes * cheapestUsd)
}

/** The prices at which all pods are worth most, while no type costs less than what it holds is worth. */
export function resourcePrices(
  groups: readonly PodGroup[],
  types: readonly NodeType[],
  rules: PoolRules,
): BoundPrices {
  const rows = types.map((type) => [...usableOf(type, rules), type.perMonthUsd])
  return maximise([...vectorOf(sumOfPods(groups))], rows) as unknown as BoundPrices
}

export const worthOf = (amounts: ResourceVector, prices: BoundPrices): number =>
  amounts.reduce((sum, amount, index) => sum + amount * prices[index]!, 0)

/** The capacity of a node with headroom. */
function usableOf(type: NodeType, rules: PoolRules): ResourceVector {
  const [cores, gib, pods, gpus] = vectorOf({ gpus: 0, ...allocatableOn(type, rules) })
  return [cores * (1 - rules.headroom), gib * (1 - rules.headroom), pods, gpus]
}

const smallest = 1e-12

/**
 * The simplex method: returns the values from 0 on with the greatest sum of value x gain, within rows of coefficients whose
 * sum may be at most the last member, which is not negative. Of several steps the first is taken, so that it ends.
 */
function maximise(gains: number[], rows: number[][]): number[] {
  const width = gains.length
  const goal = [...gains.map((gain) => -gain), 0]
  // Which variable is in each column, and which in each row: values first, then what the rows leave.
  const columns = gains.map((_, index) => index)
  const basis = rows.map((_, index) => width + index)
  for (let step = 0; step < maxSteps; step++) {
    const column = columns.reduce(
      (best, variable, index) =>
        goal[index]! < -smallest && (best < 0 || variable < columns[best]!) ? index : best,
      -1,
    )
    if (column < 0) break
    let pivot = -1
    for (const [index, row] of rows.entries()) {
      if (row[column]! <= smallest) continue
      const [ratio, least] = [
        row[width]! / row[column]!,
        pivot < 0 ? 0 : rows[pivot]![width]! / rows[pivot]![column]!,
      ]
      if (pivot < 0 || ratio < least || (ratio === least && basis[index]! < basis[pivot]!)) pivot = index
    }
    if (pivot < 0) break
    exchange(rows, goal, pivot, column)
    ;[basis[pivot], columns[column]] = [columns[column]!, basis[pivot]!]
  }
  return gains.map((_, variable) => {
    const row = basis.indexOf(variable)
    return row < 0 ? 0 : Math.max(0, rows[row]![width]!)
  })
}

const maxSteps = 500

function exchange(rows: number[][], goal: number[], pivot: number, column: number): void {
  const chosen = rows[pivot]!
  const by = chosen[column]!
  chosen[column] = 1
  for (let index = 0; index < chosen.length; index++) chosen[index]! /= by
  for (const row of [...rows, goal]) {
    if (row === chosen) continue
    const factor = row[column]!
    row[column] = 0
    for (let index = 0; index < row.length; index++) row[index]! -= factor * chosen[index]!
  }
}
