import { hoursPerMonth, round, roundHourly, roundSum } from '../../domain/money.ts'
import { Yielder } from '../../runtime/yielder.ts'
import { marketOf } from '../market.ts'
import type { Commitment } from './commitment.ts'
import { coverHour } from './cover-hour.ts'
import { type CoveredHour, type CoveredHourDeps, openHour, priceOf, totalOf } from './covered-hour.ts'
import { HourlyCounts } from './hourly-counts.ts'
import { countReplaced, type Replace } from './replaced-kinds.ts'
import { planRates } from './running-kinds.ts'
import type { CommitmentUseView, CoverageView, CoveredMachines } from './schema.ts'

const maxKindsListed = 200
/** For each kind that is listed, all commitments are applied to all kinds again. */
const maxAppliedToKinds = 20e6
const maxNamesListed = 10
const note =
  'Only what is connected here is counted: commitments may also cover accounts that are not, so what is stranded is at most as shown.'

/**
 * Returns what an organisation's commitments cover in this hour, and how much of them is used. With `replace`, the note says
 * which of them would be used less after that.
 */
export async function reportCoverage(
  deps: CoveredHourDeps,
  organisation: string,
  commitments: readonly Commitment[],
  signal?: AbortSignal,
  replace?: Replace,
): Promise<CoverageView> {
  const yielder = new Yielder(signal)
  const hour = await openHour(deps, organisation, commitments, yielder)
  const { machines, active, coverage } = hour
  const onDemand = totalOf(machines.map(({ kind }) => kind.quantity * priceOf(kind)))
  const licences = totalOf(machines.map(({ kind }) => kind.quantity * kind.uncoverableUsd))
  const covered = totalOf(coverage.uses.map(({ coveredUsd }) => coveredUsd))
  return {
    machines: totalOf(machines.map(({ kind }) => kind.quantity)),
    on_demand_per_hour: roundHourly(onDemand),
    covered_per_hour: roundHourly(covered),
    coverage_percent: onDemand > licences ? round((100 * covered) / (onDemand - licences), 1) : 0,
    commitments: commitments.map((commitment) => viewUse(hour, commitment, active.indexOf(commitment))),
    covered: await coveredMachines(hour, yielder),
    note: [note, ...(replace === undefined ? [] : await lossNotes(deps, organisation, hour, replace))].join(
      ' ',
    ),
  }
}

async function lossNotes(
  { pricing }: CoveredHourDeps,
  organisation: string,
  { active, machines, coverage }: CoveredHour,
  replace: Replace,
): Promise<string[]> {
  const market = await marketOf(pricing, organisation)
  const counts = new HourlyCounts(0, 1)
  const thisHour = { firstHour: 0, lastHour: 0 }
  for (const one of machines)
    for (const machine of one.machines) countReplaced(counts, pricing, market, machine, replace, thisHour)
  const [then] = counts.alike()
  const { uses } = coverHour(active, then!.kinds, planRates(market))
  const losing = active.flatMap(({ name }, at) => {
    const [now, after] = [coverage.uses[at]!.utilisation, uses[at]!.utilisation]
    return now - after < leastLoss ? [] : [`${name} ${percent(after)} instead of ${percent(now)}`]
  })
  if (losing.length === 0) return []
  const more = losing.length > maxLosing ? `, and ${losing.length - maxLosing} more` : ''
  return [
    `Warning: if the recommendations for machines and nodes are followed, less of what is committed is used: ${losing.slice(0, maxLosing).join(', ')}${more}. What to commit to after them is in GET /v1/commitment_recommendations.`,
  ]
}

/** Share of a commitment: less is no reason to warn. */
const leastLoss = 0.01
const maxLosing = 5
const percent = (share: number): string => `${round(100 * share, 1)}%`

function viewUse(hour: CoveredHour, commitment: Commitment, index: number): CommitmentUseView {
  const { name, kind, from, until, usedElsewhere } = commitment
  const use = hour.coverage.uses[index]
  const cost = use && hour.costPerHour(commitment)
  return {
    name,
    kind,
    from,
    until,
    is_active: use !== undefined,
    utilisation_percent: use === undefined ? null : round(100 * use.utilisation, 1),
    covered_per_hour: roundHourly(use?.coveredUsd ?? 0),
    unused_per_month:
      cost === undefined
        ? null
        : roundSum(hoursPerMonth * cost * (1 - usedElsewhere) * (1 - use!.utilisation)),
  }
}

async function coveredMachines(hour: CoveredHour, yielder: Yielder): Promise<CoveredMachines[]> {
  const { active, machines, coverage } = hour
  const maxListed = Math.ceil(maxAppliedToKinds / (1 + active.length * machines.length))
  const listed = machines
    .map((one, index) => ({ ...one, index, covering: coverage.kinds[index]!.coveredUsd }))
    .filter(({ covering }) => covering.size > 0)
    .sort((a, b) => b.kind.quantity * priceOf(b.kind) - a.kind.quantity * priceOf(a.kind))
    .slice(0, Math.min(maxKindsListed, maxListed))
  const views: CoveredMachines[] = []
  for (const { kind, machines: entities, index, covering } of listed) {
    if (yielder.isDue) await yielder.pause()
    views.push({
      provider: kind.provider,
      region: kind.region,
      instance_type: kind.instanceType,
      operating_system: kind.operatingSystem,
      count: entities.length,
      machines: entities
        .slice(0, maxNamesListed)
        .map(({ ref }) => (ref.cluster === '' ? ref.name : `${ref.cluster}/${ref.name}`)),
      cost_per_hour: roundHourly(priceOf(kind)),
      covered_percent: round((100 * totalOf([...covering.values()])) / (kind.quantity * priceOf(kind)), 1),
      commitments: [...covering.keys()].map((at) => active[at]!.name),
      leaving: hour.savingOfKind(index)!,
    })
  }
  return views
}
