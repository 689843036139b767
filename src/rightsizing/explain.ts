import { withThrottledDemand } from './demand.ts'
import { decidedBy } from './estimators/estimator.ts'
import type { Resource } from './input.ts'
import { ladder, type ProfileName, profileNames, profileRung } from './ladder.ts'
import { ranking } from './ranking.ts'
import { publicRecipes } from './recipes.ts'
import type { Context } from './recommend.ts'
import { type Sizing, sizingOf } from './sizing.ts'
import type { Workload } from './workload.ts'

export interface Saying {
  readonly policy: string
  readonly value: number | null
  /** Outermost first, each with what it came to. */
  readonly steps: readonly { readonly says: string; readonly value: number | null }[]
}

export interface Explanation {
  readonly days: number
  /** Of the whole history, by samples. */
  readonly percentiles: Readonly<Record<'p50' | 'p90' | 'p95' | 'p99' | 'peak', number>>
  /** Our policy by profile: what it starts from, what it asks, and the share above that it expects. */
  readonly ours: readonly {
    readonly profile: ProfileName
    readonly from: string
    readonly base: number
    readonly request: number
    readonly expectedShareAbove: number
  }[]
  readonly sayings: readonly Saying[]
  /** Days of the organisation's own series that were learnt from; 0: experience from elsewhere. */
  readonly learntFromDays: number
}

/** What every policy says of one resource of a workload; null where nothing is known. */
export function explain(workload: Workload, resource: Resource, context: Context): Explanation | null {
  const spans = resource === 'cpu' ? withThrottledDemand(workload.spans).spans : workload.spans
  const sizing = sizingOf(spans, resource, context.atHour, context.model)
  if (sizing === null) return null
  return {
    days: sizing.knowledge.age,
    percentiles: percentilesOf(sizing),
    ours: profileNames.map((profile) => {
      const place = profileRung[profile]
      const { base } = ladder[resource][place]!
      return {
        profile,
        from: base,
        base: sizing.outlooks.get(base)!.base,
        request: sizing.at(place),
        expectedShareAbove: sizing.answers[place]!.share,
      }
    }),
    sayings: publicRecipes.map((recipe) => {
      const estimate = recipe[resource](sizing.view)
      const steps = decidedBy(estimate).map(({ says, value }) => ({ says, value }))
      return { policy: recipe.name, value: estimate.value, steps }
    }),
    learntFromDays: context.model[resource === 'cpu' ? 'p99' : 'peak']?.forest.rows ?? 0,
  }
}

function percentilesOf({ view, knowledge }: Sizing): Explanation['percentiles'] {
  const { values, weights, total } = ranking(view, Number.POSITIVE_INFINITY, () => 1)
  const at = (share: number): number => {
    let sum = 0
    for (let i = 0; i < values.length; i++) {
      sum += weights[i]!
      if (sum >= share * total * (1 - 1e-12)) return values[i]!
    }
    return values.at(-1) ?? 0
  }
  return { p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), peak: knowledge.sizes.peakEver! }
}
