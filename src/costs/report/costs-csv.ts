import { csvCell } from '../../domain/text.ts'
import type { CostGrouping } from '../allocation/grouping.ts'
import { roundToTotal } from '../allocation/round-to-total.ts'
import { costRowMembers } from '../allocation/view-cost-row.ts'
import type { CostRowView } from './schema.ts'

/**
 * Writes CSV of RFC 4180, with amounts in whole cents that add up to the total. The head is written even if no row follows.
 * Rows are read twice.
 */
export function* costsCsv(rows: Iterable<CostRowView>, grouping: CostGrouping): Generator<string> {
  yield `${costRowMembers(grouping).join(',')}\r\n`
  const [exactCosts, exactEstimates]: [number[], number[]] = [[], []]
  for (const { cost_usd, estimated_cost_usd } of rows) {
    exactCosts.push(cost_usd)
    exactEstimates.push(estimated_cost_usd)
  }
  const [costs, estimates] = [roundToTotal(exactCosts), roundToTotal(exactEstimates)]
  let index = 0
  for (const row of rows) {
    const inCents = { ...row, ...partsOf(row, costs[index]!), estimated_cost_usd: estimates[index]! }
    index++
    yield `${Object.entries(inCents).map(cell).join(',')}\r\n`
  }
}

/** The parts add up to the cost of the row. Idle cost has no parts. */
function partsOf(row: CostRowView, cost_usd: number) {
  const { cost_type, cpu_cost_usd, memory_cost_usd, gpu_cost_usd, other_cost_usd, shared_cost_usd } = row
  if (cost_type === 'idle') return { cost_usd }
  const exact = [cpu_cost_usd, memory_cost_usd, gpu_cost_usd, other_cost_usd, shared_cost_usd ?? 0]
  const [cpu, memory, gpu, other, shared] = roundToTotal(exact, cost_usd)
  return {
    ...{ cost_usd, cpu_cost_usd: cpu!, memory_cost_usd: memory!, gpu_cost_usd: gpu!, other_cost_usd: other! },
    ...(shared_cost_usd === undefined ? {} : { shared_cost_usd: shared! }),
  }
}

const cell = ([name, value]: [string, string | number | null | undefined]): string =>
  typeof value === 'number' && name.endsWith('_usd') ? value.toFixed(2) : csvCell(value)
