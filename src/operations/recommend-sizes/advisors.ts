import { publicPolicyNamed } from '../../rightsizing/estimators/public-policies.ts'
import { explain } from '../../rightsizing/explain.ts'
import type { SizingModel } from '../../rightsizing/model/model.ts'
import { recommend } from '../../rightsizing/recommend.ts'
import { type ProfileName, profileNames } from '../../rightsizing/risk/ladder.ts'
import type { SizingPreference } from '../../rightsizing/workload.ts'
import { RecommendationWorkspace } from '../../rightsizing/workspace.ts'
import type { SizeAdvisor } from './advice.ts'
import { publicPolicyNames } from './public-policy-names.ts'
import { roundUpSize } from './round-up.ts'

const usual: ProfileName = 'balanced'

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
