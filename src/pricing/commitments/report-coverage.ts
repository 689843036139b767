import { hoursPerMonth, round, roundHourly, roundSum } from '../../domain/money.ts'
import { Yielder } from '../../runtime/yielder.ts'
import type { Commitment } from './commitment.ts'
import { type CoveredHour, type CoveredHourDeps, openHour, priceOf, totalOf } from './covered-hour.ts'
import { lossNotes } from './loss-notes.ts'
import type { Replace } from './replaced-kinds.ts'
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
    note: [note, ...(replace === undefined ? [] : lossNotes(hour, replace))].join(' '),
  }
}

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
