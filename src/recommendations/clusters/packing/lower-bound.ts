import { allocatableOn, fewestNodes, type NodeType, type PoolRules, withoutDominated } from './node-type.ts'
import { withSurge } from './pack.ts'
import { type PodGroup, type ResourceVector, sumOfPods, tolerance, vectorOf } from './pods.ts'

/** What a unit of each resource is worth in dollars: cores, GiB, places for pods, GPUs. */
export type BoundPrices = ResourceVector

/** Enough for the least cost of few nodes; of many, whole nodes cost little more than divided ones. */
export const boundSteps = 150

/**
 * Returns a cost that no set of nodes of these types, mixed in any way, can undercut within the rules. It is the
 * minimum cost if pods, and after so many steps nodes, could be divided. Infinite if no type has capacity.
 */
export function lowerBoundUsd(
  groups: readonly PodGroup[],
  types: readonly NodeType[],
  rules: PoolRules,
  steps = 0,
): number {
  const surge = withSurge(groups).slice(groups.length)
  const [cores, gib] = vectorOf(sumOfPods([...groups, ...surge]))
  const need = [...vectorOf(sumOfPods(groups)), fewestNodes(groups, rules), cores, gib]
  const columns = withoutDominated(types, rules).map((type) => {
    const all = allocatableOn(type, rules)
    return { amounts: [...usableOf(type, rules), 1, all.cores, all.gib], usd: type.perMonthUsd }
  })
  const lacks = need.some(
    (amount, index) => amount > 0 && !columns.some(({ amounts }) => amounts[index]! > 0),
  )
  return lacks ? Number.POSITIVE_INFINITY : boundOfWholeNodes(need, columns, steps)
}

/** With more nodes of the dearest type, whole nodes are no better bound than divided ones. */
const maxWhole = 20

interface Column {
  readonly amounts: readonly number[]
  readonly usd: number
}

/** Some whole nodes, and what they leave for nodes of the columns from an index on. */
interface Chosen {
  readonly usd: number
  readonly need: readonly number[]
  readonly from: number
  /** No cost below it is possible. */
  readonly boundUsd: number
  /** Undefined if the bound is not the best one. */
  readonly prices?: readonly number[]
}

/** Branch and bound: the choice with the lowest bound is continued by a node of each type. */
function boundOfWholeNodes(need: readonly number[], columns: readonly Column[], steps: number): number {
  const worth = (amounts: readonly number[], prices: readonly number[]) =>
    amounts.reduce((sum, amount, index) => sum + amount * prices[index]!, 0)
  const ofOneType = columns.map(({ amounts, usd }) => {
    const nodes = need.map((amount, index) => (amount <= tolerance ? 0 : amount / amounts[index]!))
    return usd * Math.ceil(Math.max(...nodes) - tolerance)
  })
  const mostUsd = Math.min(...ofOneType)
  const isSmall = mostUsd < maxWhole * Math.max(...columns.map(({ usd }) => usd))
  const open: Chosen[] = [{ usd: 0, need, from: 0, boundUsd: 0 }]
  for (let step = 0; ; ) {
    const lowest = open.pop()
    if (lowest === undefined) return mostUsd
    if (lowest.need.every((amount) => amount <= tolerance)) return lowest.usd
    if (lowest.prices === undefined) {
      if (step++ > (isSmall ? steps : 0)) return lowest.boundUsd
      const rows = columns.slice(lowest.from).map(({ amounts, usd }) => [...amounts, usd])
      const prices = maximise([...lowest.need], rows)
      const boundUsd = Math.max(lowest.boundUsd, lowest.usd + worth(lowest.need, prices))
      insert(open, { ...lowest, prices, boundUsd }, mostUsd)
      continue
    }
    for (let index = lowest.from; index < columns.length; index++) {
      const { amounts, usd } = columns[index]!
      const rest = lowest.need.map((amount, of) => Math.max(0, amount - amounts[of]!))
      const chosen = { usd: lowest.usd + usd, need: rest, from: index }
      const boundUsd = Math.max(lowest.boundUsd, chosen.usd + worth(rest, lowest.prices))
      insert(open, { ...chosen, boundUsd }, mostUsd)
    }
  }
}

/** Keeps the lowest bound last. */
function insert(open: Chosen[], chosen: Chosen, mostUsd: number): void {
  if (chosen.boundUsd >= mostUsd) return
  let [from, to] = [0, open.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (open[middle]!.boundUsd > chosen.boundUsd) from = middle + 1
    else to = middle
  }
  open.splice(from, 0, chosen)
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
