import type { SizeConstraints } from '../../rightsizing/constraints/sizing-rules.ts'
import { publicPolicyList, publicPolicyNamed } from '../../rightsizing/estimators/public-policies.ts'
import { type Explanation, explain } from '../../rightsizing/explain.ts'
import type { SizingModel } from '../../rightsizing/model/model.ts'
import { recommend } from '../../rightsizing/recommend.ts'
import { type ProfileName, profileNames } from '../../rightsizing/risk/ladder.ts'
import { RecommendationWorkspace } from '../../rightsizing/risk/resource-forecast.ts'
import type {
  Recommendation,
  ResourcePrices,
  SizingPreference,
  Workload,
} from '../../rightsizing/workload.ts'

const usual: ProfileName = 'balanced'

/** Names of the public policies that a caller may compare with. */
export const publicPolicyNames: readonly string[] = publicPolicyList.map(({ name }) => name)

/** Names that a caller may give as profile, the default first; the public policies are for comparison. */
export const profiles: readonly string[] = [
  usual,
  ...profileNames.filter((name) => name !== usual),
  ...publicPolicyNames,
]

/** A profile of our own, or a public policy by name, in any case; undefined where there is none. */
export function preferenceNamed(name: string): SizingPreference | undefined {
  const own = profileNames.find((profile) => profile === name.toLowerCase())
  if (own !== undefined) return { profile: own }
  const recipe = publicPolicyNamed(name)
  return recipe && { policy: recipe.name }
}

/** Sizes as people write them. */
export function advisorFor(preference: SizingPreference, model: SizingModel): SizeAdvisor {
  const context = { preference, model, round: roundUpSize }
  const workspace = new RecommendationWorkspace()
  return {
    recommend: (workload, moment) => recommend(workload, { ...context, ...moment }, workspace),
    explain: (workload, moment, made) => ({
      cpu: explain(workload, 'cpu', { ...context, ...moment }, made),
      memory: explain(workload, 'memory', { ...context, ...moment }, made),
    }),
  }
}

/** When and at which prices a workload is judged. */
export interface AdviceContext {
  /** Hours since 1970; usage ends before it. */
  readonly atHour: number
  readonly prices: ResourcePrices
  readonly constraints?: SizeConstraints
}

/** How big a container should be, and why. */
export interface SizeAdvisor {
  recommend(workload: Workload, moment: AdviceContext): Recommendation
  explain(workload: Workload, moment: AdviceContext, made: Recommendation): Explanations
}

export interface Explanations {
  readonly cpu: Explanation | null
  readonly memory: Explanation | null
}

/** Rounds up to the next whole millicore and MiB: finer sizes are not used, and costs are calculated from the rounded values. */
export const roundUpSize = (resource: 'cpu' | 'memory', value: number): number => {
  const steps = resource === 'cpu' ? 1000 : 1024
  const scaled = value * steps
  // What lies this close to a whole number is one, but for rounding; writing digits down takes long.
  const isWhole = Math.abs(scaled - Math.round(scaled)) <= scaled * 1e-11
  return Math.ceil(isWhole ? Number(scaled.toPrecision(12)) : scaled) / steps
}
