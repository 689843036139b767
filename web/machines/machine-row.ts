import type { Option } from '../compare/candidates.ts'
import type { Metadata, Summary } from './questions.ts'

/** A machine as people know it: what it is, what it has, needs and costs, and the best that costs less. */
export interface MachineRow {
  readonly vm: string
  readonly summary: Summary
  /** Undefined for one that is known by its processes alone. */
  readonly metadata: Metadata | undefined
  readonly costPerMonth: number | null
  readonly best: BestOption | undefined
}

export interface BestOption {
  readonly effort: Option['effort']
  readonly offer: Option['offers'][number]
}

const hoursPerMonth = 730

export function machineRows(summaries: readonly Summary[], metadata: readonly Metadata[]): MachineRow[] {
  const byName = new Map(metadata.map((each) => [each.name, each]))
  return summaries.map((summary) => machineRow(summary, byName.get(summary.vm)))
}

export function machineRow(summary: Summary, metadata: Metadata | undefined): MachineRow {
  const perHour = summary.rehost?.currentCostPerHour ?? null
  return {
    vm: summary.vm,
    summary,
    metadata,
    costPerMonth: perHour === null ? null : perHour * hoursPerMonth,
    best: bestOption(summary.rehost?.options ?? []),
  }
}

/** The cheapest that needs no commitment and is not taken back: the one figure that list and page call savings. */
export function bestOption(options: readonly Option[]): BestOption | undefined {
  const all = options
    .filter(({ effort }) => effort !== 'commit' && effort !== 'spot')
    .flatMap(({ effort, offers }) => offers.map((offer) => ({ effort, offer })))
  return all.reduce<BestOption | undefined>(
    (a, b) => (a === undefined || b.offer.cost_per_month < a.offer.cost_per_month ? b : a),
    undefined,
  )
}

/** AWS m5.2xlarge, us-east-1 */
export function machineSaid(metadata: Metadata | undefined): string {
  if (metadata === undefined) return 'provider and type not reported'
  const { provider, instanceType, region, availabilityZone } = metadata
  const what = [provider, instanceType].filter((name) => name !== '').join(' ')
  return (
    [what, availabilityZone || region].filter((name) => name !== '').join(', ') ||
    'provider and type not reported'
  )
}
