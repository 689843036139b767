import { hourMs } from '../../domain/time.ts'
import type { Yielder } from '../../runtime/yielder.ts'
import { readEntities } from '../../usage/digest/entities.ts'
import { marketOf } from '../market.ts'
import { bestAmount } from './best-amount.ts'
import {
  type CombinedAmounts,
  combineAmounts,
  hoursOfUse,
  type ScopedAmount,
  type SteadyHours,
} from './combine-amounts.ts'
import { type Commitment, isActiveOn, type PlanRate, type RunningKind } from './commitment.ts'
import { type CommitmentScope, scopesOf } from './commitment-scopes.ts'
import { coverHour } from './cover-hour.ts'
import type { CoveredHourDeps } from './covered-hour.ts'
import { HourlyCounts } from './hourly-counts.ts'
import { countReplaced, type Replace } from './replaced-kinds.ts'
import { planRates } from './running-kinds.ts'

export interface RecommendedCommitments {
  readonly fromHour: number
  readonly untilHour: number
  /** Averages of an hour, in US dollars. */
  readonly coveredUsd: number
  readonly kinds: readonly RunningKind[]
  /** By kind: what nothing covers yet in an average hour. */
  readonly leftUsd: readonly number[]
  readonly amounts: readonly ScopedAmount[]
  /** Those that cost less together than any of them alone. */
  readonly combinations: readonly CombinedAmounts[]
}

/** Finds how much to commit, from the machines that ran in each hour; what is committed already is applied first. */
export async function adviseCommitments(
  deps: CoveredHourDeps,
  organisation: string,
  { days, replace }: { readonly days: number; readonly replace: Replace },
  yielder: Yielder,
): Promise<RecommendedCommitments> {
  const market = await marketOf(deps.pricing, organisation)
  const nowMs = deps.now()
  const entities = await readEntities(deps.store.usage, organisation, { kinds: ['node', 'machine'] })
  const untilHour = Math.floor(nowMs / hourMs)
  const first = [...entities.values()].reduce((least, { firstHour }) => Math.min(least, firstHour), untilHour)
  const fromHour = Math.max(first, untilHour - 24 * days)
  const counts = new HourlyCounts(fromHour, untilHour)
  for (const entity of entities.values()) {
    if (yielder.isDue) await yielder.pause()
    countReplaced(counts, deps.pricing, market, entity, replace)
  }
  const today = new Date(nowMs).toISOString().slice(0, 10)
  const all = (await deps.pricing.commitments?.(organisation)) ?? []
  const active = all.filter((commitment) => isActiveOn(commitment, today))
  const rates = planRates(market)
  const steady: SteadyHours[] = []
  let coveredUsd = 0
  const leftUsd = counts.kinds.map(() => 0)
  for (const { hours, kinds } of counts.alike()) {
    if (yielder.isDue) await yielder.pause()
    const { left, covered } = leftOver(active, kinds, rates)
    steady.push({ hours, leftUsd: left })
    const weight = hours / (untilHour - fromHour)
    for (const [index, usd] of left.entries()) leftUsd[index]! += weight * usd
    coveredUsd += weight * covered
  }
  const { kinds } = counts
  const amounts: ScopedAmount[] = []
  for (const scope of scopesOf(deps.pricing, kinds))
    for (const term of ['1y', '3y'] as const) {
      if (yielder.isDue) await yielder.pause()
      const found = bestOf(scope, term, steady, ratiosOf(scope, term, kinds, rates))
      if (found.bestUsd > 0) amounts.push(found)
    }
  const alike = Map.groupBy(amounts, ({ scope, term }) => `${scope.provider} ${term}`)
  const combinations: CombinedAmounts[] = []
  for (const some of alike.values()) {
    if (yielder.isDue) await yielder.pause()
    const combined = combineAmounts(some, steady)
    if (combined !== undefined) combinations.push(combined)
  }
  return { fromHour, untilHour, coveredUsd, kinds, leftUsd, amounts, combinations }
}

function ratiosOf(scope: CommitmentScope, term: '1y' | '3y', kinds: readonly RunningKind[], rates: PlanRate) {
  const plan = { term, family: scope.family, percentOff: undefined } as Commitment
  return kinds.map((kind) => {
    const onDemandUsd = kind.coresUsd + kind.memoryUsd
    const rate = scope.covers(kind) && onDemandUsd > 0 ? rates(plan, kind) : undefined
    return rate && Math.min(1, rate / onDemandUsd)
  })
}

function bestOf(
  scope: CommitmentScope,
  term: '1y' | '3y',
  steady: readonly SteadyHours[],
  ratios: readonly (number | undefined)[],
): ScopedAmount {
  const all = hoursOfUse(steady, ratios)
  return { scope, term, hours: all, bestUsd: bestAmount(all), ratios }
}

function leftOver(active: readonly Commitment[], kinds: readonly RunningKind[], rates: PlanRate) {
  if (active.length === 0)
    return {
      left: kinds.map(({ quantity, coresUsd, memoryUsd }) => quantity * (coresUsd + memoryUsd)),
      covered: 0,
    }
  const hour = coverHour(active, kinds, rates)
  const left = kinds.map((kind, index) =>
    Math.max(0, hour.kinds[index]!.onDemandUsd - kind.quantity * kind.uncoverableUsd),
  )
  return { left, covered: hour.uses.reduce((sum, { coveredUsd }) => sum + coveredUsd, 0) }
}
