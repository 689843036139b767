import { deciderOf, percentText } from './adjustments/band.ts'
import type { RecommendationContext } from './context.ts'
import { cpuDemand, spansBefore } from './cpu-demand.ts'
import { decidedBy } from './estimators/estimator.ts'
import { publicPolicyList } from './estimators/public-policies.ts'
import { PercentileHistogram } from './history/percentile-histogram.ts'
import type { Resource } from './input.ts'
import { memoryDemand } from './memory/memory-evidence.ts'
import { bases } from './model/grid.ts'
import { type RiskPosition, riskPositionOf } from './risk/decide.ts'
import { type ProfileName, profileNames, riskLevels } from './risk/levels.ts'
import { forecastResource, type ResourceForecast } from './risk/resource-forecast.ts'
import type { ResourceRecommendation, SizeRecommendation, Workload } from './workload.ts'

interface PolicyEstimate {
  /** Name of a profile, 'risk', a public policy, or an adjustment. */
  readonly by: string
  readonly value: number | null
  /** Steps of the computation, outermost first, each with its result. */
  readonly steps: readonly { readonly says: string; readonly value: number | null }[]
  /** Whether this policy or adjustment decided the recommended value. */
  readonly decided: boolean
}

export interface Explanation {
  readonly days: number
  /** Percentiles of the whole history that was evaluated. */
  readonly percentiles: Readonly<Record<'p50' | 'p90' | 'p95' | 'p99' | 'peak', number>>
  /** The profiles first, then the public policies, then the adjustments. */
  readonly estimates: readonly PolicyEstimate[]
  /** Days of the organisation's own series that the model was trained on; 0 if only the built-in model is used. */
  readonly trainedOnDays: number
}

/** The result of every policy for one resource of a workload, and which one decided; null without data. */
export function explain(
  workload: Workload,
  resource: Resource,
  context: RecommendationContext,
  recommendation: SizeRecommendation,
): Explanation | null {
  const part = recommendation[resource]
  if (part === null) return null
  const known = spansBefore(workload, context.atHour)
  const demand = resource === 'cpu' ? cpuDemand(workload, known) : memoryDemand(known, workload.memoryFacts)
  const sizing = forecastResource(demand.spans, resource, context)
  if (sizing === null) return null
  const decider = deciderOf(context.preference ?? {})
  const decided = decidingStep(part)
  const policies = [
    ...profileEstimates(sizing, resource, context),
    ...publicPolicyEstimates(sizing, resource),
  ].map((estimate) => ({
    ...estimate,
    decided: decided === decider && estimate.by === decider,
  }))
  const adjustments = part.steps
    .filter(({ by, value }) => by !== decider && value !== null)
    .map(({ by, says, value }) => ({ by, value, steps: [{ says, value }], decided: by === decided }))
  return {
    days: sizing.knowledge.age,
    percentiles: percentilesOf(sizing),
    estimates: [...policies, ...adjustments],
    trainedOnDays: context.model[resource === 'cpu' ? 'p99' : 'peak']?.rows ?? 0,
  }
}

function decidingStep({ steps }: ResourceRecommendation): string | undefined {
  let [by, value]: [string | undefined, number | null] = [undefined, null]
  for (const step of steps) if (step.value !== value) [by, value] = [step.by, step.value]
  return by
}

type NamedEstimate = Omit<PolicyEstimate, 'decided'>

function profileEstimates(
  sizing: ResourceForecast,
  resource: Resource,
  { model, preference = {} }: RecommendationContext,
): NamedEstimate[] {
  const at = (by: ProfileName | 'risk', position: RiskPosition): NamedEstimate => {
    const level = Math.min(Math.ceil(position.depth ?? position.time), riskLevels[resource].length - 1)
    const { base } = riskLevels[resource][level]!
    const above = resource === 'cpu' ? 'of the time' : 'of days'
    const says = `the lowest total cost of the request and of usage above it, ${percentText(sizing.answers[level]!.share)} ${above}`
    return {
      by,
      value: sizing.at(position),
      steps: [
        { says, value: sizing.at(position) },
        { says: bases[base].says, value: sizing.outlooks.get(base)!.base },
      ],
    }
  }
  const risk =
    deciderOf(preference) === 'risk' ? [at('risk', riskPositionOf(resource, preference, model))] : []
  return [...profileNames.map((profile) => at(profile, riskPositionOf(resource, { profile }))), ...risk]
}

const publicPolicyEstimates = (sizing: ResourceForecast, resource: Resource): NamedEstimate[] =>
  publicPolicyList.map((policy) => {
    const estimate = policy[resource](sizing.view)
    const steps = decidedBy(estimate).map(({ says, value }) => ({ says, value }))
    return { by: policy.name, value: estimate.value, steps }
  })

function percentilesOf({ view, knowledge }: ResourceForecast): Explanation['percentiles'] {
  const spans = Array.from({ length: view.spans }, (_, span) => span)
  const weighting = { shares: [0.5, 0.9, 0.95, 0.99], weightOf: undefined }
  const [p50 = 0, p90 = 0, p95 = 0, p99 = 0] = new PercentileHistogram().percentilesOf(
    view.history,
    spans,
    0,
    spans.length,
    [weighting],
  )[0]!
  return { p50, p90, p95, p99, peak: knowledge.sizes.peakEver! }
}
