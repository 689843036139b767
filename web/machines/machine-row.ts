import type { Option } from '../compare/candidates.ts'
import type { Metadata, Summary } from './queries.ts'

/** A machine with what it is, has, needs and costs, and the best cheaper option. */
export interface MachineRow {
  readonly vm: string
  readonly summary: Summary
  /** Undefined if only the processes of the machine are known. */
  readonly metadata: Metadata | undefined
  /** The hour of the last usage if the agent no longer sends any. */
  readonly silentSince: string | undefined
  /** The size for which other machines are compared: that of its processes, with memory for the operating system. */
  readonly needed: { readonly cores: number; readonly gib: number }
  readonly costPerMonth: number | null
  /** Idle for a week or more, which is the default of recommendations. */
  readonly isRemovable: boolean
  /** The whole cost if the machine can be removed. */
  readonly savedPerMonth: number | undefined
  readonly best: BestOption | undefined
  /** Whether there was enough evidence to compare it with other machines. */
  readonly isCompared: boolean
}

export interface BestOption {
  readonly effort: Option['effort']
  readonly offer: Option['offers'][number]
}

const minIdleDays = 7

export function machineRows(
  summaries: readonly Summary[],
  metadata: readonly Metadata[],
  silentSince: ReadonlyMap<string, string>,
): MachineRow[] {
  const byName = new Map(metadata.map((each) => [each.name, each]))
  return summaries.map((summary) => machineRow(summary, byName.get(summary.vm), silentSince.get(summary.vm)))
}

export function machineRow(
  summary: Summary,
  metadata: Metadata | undefined,
  silentSince: string | undefined,
): MachineRow {
  const costPerMonth = summary.rehost?.currentCostPerMonth ?? null
  const best = bestOption(summary.rehost?.options ?? [])
  const isRemovable =
    summary.idle === true &&
    Math.floor((summary.measuredHours ?? 0) / 24) >= minIdleDays &&
    costPerMonth !== null &&
    costPerMonth > 0
  return {
    vm: summary.vm,
    summary,
    metadata,
    silentSince,
    needed: {
      cores: summary.rehost?.needed.cpuCores.recommended ?? summary.totalRecommendedCPU,
      gib: summary.rehost?.needed.ramGb.recommended ?? summary.totalRecommendedRAM,
    },
    costPerMonth,
    isRemovable,
    savedPerMonth: isRemovable ? costPerMonth : best && savedBy(best.offer),
    best,
    isCompared: summary.rehost?.reasons.length === 0,
  }
}

/** Adds up savings. The sum is undefined if no machine could save anything because none was compared. */
export function possibleSavings(rows: readonly MachineRow[]): {
  readonly perMonth: number | undefined
  readonly notCompared: number
} {
  const notCompared = rows.filter(
    ({ isCompared, savedPerMonth }) => !isCompared && savedPerMonth === undefined,
  ).length
  const perMonth = rows.reduce((sum, { savedPerMonth = 0 }) => sum + savedPerMonth, 0)
  return { perMonth: notCompared === rows.length ? undefined : perMonth, notCompared }
}

/**
 * Returns what recommendations propose: what saves most in the same place, otherwise nearby; never a commitment or spot. Where
 * commitments cover the machine, that is what it saves while they last. The list, the page and the recommendations all call this
 * figure savings.
 */
export function bestOption(options: readonly Option[]): BestOption | undefined {
  const best = (counts: (effort: Option['effort']) => boolean) =>
    options
      .filter(({ effort }) => counts(effort))
      .flatMap(({ effort, offers }) => offers.map((offer) => ({ effort, offer })))
      .filter(({ offer }) => savedBy(offer) > 0)
      .reduce<BestOption | undefined>(
        (a, b) => (a === undefined || savedBy(b.offer) > savedBy(a.offer) ? b : a),
        undefined,
      )
  return best((effort) => effort === 'resize') ?? best((effort) => effort !== 'commit' && effort !== 'spot')
}

const savedBy = ({ commitments, savings }: BestOption['offer']): number =>
  commitments?.saves_per_month ?? savings.amount_per_month

/** Returns text such as "AWS m5.2xlarge, us-east-1". */
export function machineText(metadata: Metadata | undefined, providerName: (key: string) => string): string {
  if (metadata === undefined) return 'provider and type not reported'
  const { provider, instanceType, region, availabilityZone } = metadata
  const what = [providerName(provider), instanceType].filter((name) => name !== '').join(' ')
  return (
    [what, availabilityZone || region].filter((name) => name !== '').join(', ') ||
    'provider and type not reported'
  )
}
