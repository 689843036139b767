import { dollars, hoursPerMonth, round, roundHourly, roundSum } from '../../domain/money.ts'
import { dayMs, dayOf, timeOfHour } from '../../domain/time.ts'
import type { RecommendedCommitments } from './advise-commitments.ts'
import { type AmountAssessment, assessAmount, largestAmount } from './best-amount.ts'
import type { CombinedAmounts, ScopedAmount } from './combine-amounts.ts'
import type { CommitmentPointView, CommitmentRecommendations } from './recommendations-schema.ts'
import type { CommitmentInput } from './schema.ts'

const curveSteps = 20
const termDays = { '1y': 365, '3y': 3 * 365 } as const
const notes = [
  'Nodes and machines that are connected here, on demand, from when each was first and last seen; what you have committed already is applied first.',
  'A commitment for everything and those for families are about the same usage: choose either, or a combination below.',
  'Rates are those of the price list: of plans, or else of standard reservations for one family and convertible ones for everything, which are an estimate.',
]

/** `nowMs` is the day before the first on which the commitments would apply. */
export function viewCommitmentRecommendations(
  recommendation: RecommendedCommitments,
  nowMs: number,
): CommitmentRecommendations {
  const { fromHour, untilHour, coveredUsd, leftUsd } = recommendation
  const days = (untilHour - fromHour) / 24
  const views = recommendation.amounts.map((amount) => viewAmount(recommendation, amount, nowMs))
  return {
    start_date: timeOfHour(fromHour),
    end_date: timeOfHour(untilHour),
    measured_hours: untilHour - fromHour,
    covered_per_hour: roundHourly(coveredUsd),
    on_demand_per_hour: roundHourly(leftUsd.reduce((sum, usd) => sum + usd, 0)),
    recommendations: views.sort((a, b) => b.saves_per_month - a.saves_per_month),
    combinations: recommendation.combinations.map(({ provider, term, savedUsd, parts }) => ({
      provider,
      term,
      saves_per_month: roundSum(hoursPerMonth * savedUsd),
      parts: parts.map(({ amount, usd }) => ({
        region: amount.scope.region ?? null,
        family: amount.scope.family ?? null,
        amount_per_hour: roundHourly(usd),
        commitment: commitmentOf(recommendation, { ...amount, bestUsd: usd }, nowMs),
      })),
    })),
    notes: [
      ...notes,
      ...recommendation.combinations.map(combinationText),
      ...(days < enoughDays
        ? [`There are only ${Math.floor(days)} days of history: wait for ${enoughDays} before you commit.`]
        : []),
    ],
  }
}

const enoughDays = 14

function combinationText({ provider, term, parts, savedUsd }: CombinedAmounts): string {
  const texts = parts.map(({ amount: { scope }, usd }) => {
    const what = scope.family === undefined ? 'everything else' : `${scope.family} in ${scope.region}`
    return `$${roundHourly(usd)} per hour for ${what}`
  })
  return `Together, at ${provider} for ${term}: ${texts.join(', ')} save ${dollars(hoursPerMonth * savedUsd)} a month.`
}

function viewAmount(recommendation: RecommendedCommitments, amount: ScopedAmount, nowMs: number) {
  const { scope, term, hours, bestUsd } = amount
  const none = assessAmount(hours, 0)
  const best = assessAmount(hours, bestUsd)
  // Beyond what any hour uses the curve only rises, which shows what too much would cost.
  const most = 1.25 * largestAmount(hours)
  const ratio = bestUsd / (bestUsd + none.costUsd - best.costUsd)
  const curve = Array.from({ length: curveSteps + 1 }, (_, step) =>
    viewPoint(assessAmount(hours, (step / curveSteps) * most)),
  )
  return {
    provider: scope.provider,
    region: scope.region ?? null,
    family: scope.family ?? null,
    term,
    ...viewPoint(best),
    on_demand_per_hour: roundHourly(none.costUsd),
    saves_per_month: roundSum(hoursPerMonth * (none.costUsd - best.costUsd)),
    saves_percent: round((100 * (none.costUsd - best.costUsd)) / none.costUsd, 1),
    break_even_percent: round(100 * ratio * best.used, 1),
    break_even_months: round((ratio * termDays[term]) / (365 / 12), 1),
    commitment: commitmentOf(recommendation, amount, nowMs),
    curve,
  }
}

const viewPoint = ({ amountUsd, costUsd, used, underUsedHours }: AmountAssessment): CommitmentPointView => ({
  amount_per_hour: roundHourly(amountUsd),
  cost_per_hour: roundHourly(costUsd),
  used_percent: round(100 * used, 1),
  under_used_hours_percent: round(100 * underUsedHours, 1),
})

/** The same amount as it is bought: dollars, instances of the type that runs most, or cores and GiB as they run. */
function commitmentOf(
  { kinds, leftUsd }: RecommendedCommitments,
  { scope, term, bestUsd, ratios }: ScopedAmount,
  nowMs: number,
): CommitmentInput {
  const { provider, kind, region, family } = scope
  const from = dayOf(nowMs + dayMs)
  const until = dayOf(nowMs + termDays[term] * dayMs)
  const name = [family ?? 'all', region, term].filter((text) => text !== undefined).join(' ')
  const head = { name, provider, kind, ...(region !== undefined && { region }), from, until }
  if (kind === 'savings_plan')
    return { ...head, ...(family !== undefined && { family }), usd_per_hour: roundHourly(bestUsd) }
  const machines = kinds.map(({ coresUsd, memoryUsd }, at) =>
    ratios[at] === undefined ? 0 : leftUsd[at]! / (coresUsd + memoryUsd),
  )
  const committedUsd = leftUsd.reduce((sum, usd, at) => sum + usd * (ratios[at] ?? 0), 0)
  const share = bestUsd / committedUsd
  if (kind === 'committed_use') {
    const sum = (of: (at: number) => number) =>
      Math.round(share * machines.reduce((total, count, at) => total + count * of(at), 0))
    const amounts = { vcpus: sum((at) => kinds[at]!.vcpus), memory_gib: sum((at) => kinds[at]!.ramGib) }
    return {
      ...head,
      ...(family !== undefined && { family }),
      ...amounts,
      cost_per_hour_usd: roundHourly(bestUsd),
    }
  }
  const at = machines.indexOf(Math.max(...machines))
  const { instanceType, coresUsd, memoryUsd, operatingSystem } = kinds[at]!
  const rate = ratios[at]! * (coresUsd + memoryUsd)
  return {
    ...head,
    instance_type: instanceType,
    operating_system: operatingSystem,
    instances: Math.round(bestUsd / rate),
    cost_per_hour_usd: roundHourly(bestUsd),
  }
}
