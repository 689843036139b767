import { hoursPerMonth, round, roundHourly, roundSum } from '../../domain/money.ts'
import { type Clock, dayOf } from '../../domain/time.ts'
import { Yielder } from '../../runtime/yielder.ts'
import { isSilentSince, readEntities } from '../../usage/digest/entities.ts'
import { type Market, marketOf, type PricingDeps } from '../market.ts'
import type { NodePriceDeps } from '../price-node.ts'
import { type Commitment, isActiveOn, type RunningKind } from './commitment.ts'
import { coverSteps, type HourCoverage } from './cover-hour.ts'
import { costPerHour, planRates, type RunningMachines, runningKinds } from './running-kinds.ts'
import type { CommitmentUseView, CoverageView, CoveredMachines } from './schema.ts'

export interface CoverageDeps extends PricingDeps {
  readonly store: { readonly usage: NodePriceDeps['usage'] }
  readonly now: Clock
}

const maxKindsListed = 200
/** For each kind that is listed, all commitments are applied to all kinds again. */
const maxAppliedToKinds = 20e6
const maxNamesListed = 10
const note =
  'Only what is connected here is counted: commitments may also cover accounts that are not, so what is stranded is at most as shown.'

/** Returns what an organisation's commitments cover in this hour, and how much of them is used. */
export async function reportCoverage(
  deps: CoverageDeps,
  organisation: string,
  commitments: readonly Commitment[],
  signal?: AbortSignal,
): Promise<CoverageView> {
  const market = await marketOf(deps, organisation)
  const [nowMs, entities] = [
    deps.now(),
    await readEntities(deps.store.usage, organisation, { kinds: ['node', 'machine'] }),
  ]
  const current = [...entities.values()].filter(({ lastHour }) => !isSilentSince(lastHour, nowMs))
  const machines = runningKinds(deps, market, current)
  const day = dayOf(nowMs)
  const active = commitments.filter((commitment) => isActiveOn(commitment, day))
  const rates = planRates(market)
  const yielder = new Yielder(signal)
  const cover: Cover = async (kinds) => {
    const steps = coverSteps(active, kinds, rates)
    for (let next = steps.next(); ; next = steps.next()) {
      if (next.done) return next.value
      if (yielder.isDue) await yielder.pause()
    }
  }
  const hour = await cover(kindsOf(machines))
  const onDemand = sum(machines, ({ kind }) => kind.quantity * priceOf(kind))
  const coverable = onDemand - sum(machines, ({ kind }) => kind.quantity * kind.uncoverableUsd)
  const covered = sum(hour.uses, ({ coveredUsd }) => coveredUsd)
  return {
    machines: sum(machines, ({ kind }) => kind.quantity),
    on_demand_per_hour: roundHourly(onDemand),
    covered_per_hour: roundHourly(covered),
    coverage_percent: coverable > 0 ? round((100 * covered) / coverable, 1) : 0,
    commitments: commitments.map((commitment) =>
      viewUse(market, commitment, hour, active.indexOf(commitment)),
    ),
    covered: await coveredMachines(market, active, machines, hour, cover),
    note,
  }
}

type Cover = (kinds: readonly RunningKind[]) => Promise<HourCoverage>

function viewUse(
  market: Market,
  commitment: Commitment,
  { uses }: HourCoverage,
  index: number,
): CommitmentUseView {
  const { name, kind, from, until, usedElsewhere } = commitment
  const use = uses[index]
  const cost = use && costPerHour(market, commitment)
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

async function coveredMachines(
  market: Market,
  active: readonly Commitment[],
  machines: readonly RunningMachines[],
  hour: HourCoverage,
  cover: Cover,
): Promise<CoveredMachines[]> {
  const maxListed = Math.ceil(maxAppliedToKinds / (1 + active.length * machines.length))
  const listed = machines
    .map((one, index) => ({ ...one, index, covering: [...hour.kinds[index]!.coveredUsd.keys()] }))
    .filter(({ covering }) => covering.length > 0)
    .sort((a, b) => b.kind.quantity * priceOf(b.kind) - a.kind.quantity * priceOf(a.kind))
    .slice(0, Math.min(maxKindsListed, maxListed))
  const views: CoveredMachines[] = []
  for (const { kind, machines: entities, index, covering } of listed) {
    const coveredUsd = sum([...hour.kinds[index]!.coveredUsd.values()], (usd) => usd)
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
      covered_percent: round((100 * coveredUsd) / (kind.quantity * priceOf(kind)), 1),
      commitments: covering.map((at) => active[at]!.name),
      leaving: await leavingOne(market, active, kindsOf(machines), index, hour, cover),
    })
  }
  return views
}

/** Covers the hour again with one machine less: what the commitments then cover elsewhere is saved at once. */
async function leavingOne(
  market: Market,
  active: readonly Commitment[],
  kinds: readonly RunningKind[],
  index: number,
  hour: HourCoverage,
  cover: Cover,
): Promise<CoveredMachines['leaving']> {
  const kind = kinds[index]!
  const without = await cover(kinds.with(index, { ...kind, quantity: kind.quantity - 1 }))
  const paid = ({ kinds: all }: HourCoverage) => sum(all, ({ onDemandUsd }) => onDemandUsd)
  const covering = [...hour.kinds[index]!.coveredUsd.keys()].map((at) => active[at]!)
  const stranded = active.map((commitment, at) => {
    const share = hour.uses[at]!.utilisation - without.uses[at]!.utilisation
    if (share < 1e-9) return 0
    return share * (1 - commitment.usedElsewhere) * (costPerHour(market, commitment) ?? Number.NaN)
  })
  const strandedUsd = hoursPerMonth * sum(stranded, (usd) => usd)
  return {
    saves_per_month: roundSum(hoursPerMonth * Math.max(0, paid(hour) - paid(without))),
    until: covering.reduce((latest, { until }) => (until > latest ? until : latest), ''),
    saves_per_month_after: roundSum(hoursPerMonth * priceOf(kind)),
    stranded_per_month: Number.isNaN(strandedUsd) ? null : roundSum(strandedUsd),
  }
}

const kindsOf = (machines: readonly RunningMachines[]): RunningKind[] => machines.map(({ kind }) => kind)

const priceOf = ({ coresUsd, memoryUsd, uncoverableUsd }: RunningKind): number =>
  coresUsd + memoryUsd + uncoverableUsd

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0)
