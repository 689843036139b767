import type { NamespaceUsage } from '../../costs/clusters/namespace-usage.ts'
import type { SizeDecision } from '../../decisions/decision.ts'
import type { DecisionFinder } from '../../decisions/find-decisions.ts'
import { roundUpSize, type SizeAdvisor } from '../../rightsizing/advisor.ts'
import { sizeFromEvidence } from '../../rightsizing/size-from-evidence.ts'
import type { SizingPreference } from '../../rightsizing/workload.ts'
import type { Container } from '../../usage/reading/containers.ts'

/** Where the sizes of containers come from. */
export interface SizeSource {
  /** Returns the advisor of each of the containers, which are some of a namespace. */
  advisorsOf(
    reading: NamespaceUsage,
    containers: readonly Container[],
  ): Promise<(container: Container) => SizeAdvisor>
}

/** Decides from the window alone. */
export const windowSizes = (advisor: SizeAdvisor): SizeSource => ({
  advisorsOf: async () => () => advisor,
})

/** Reads stored decisions. The advisor of the window explains them, and sizes what ran only long before the end of the window. */
export const decidedSizes = (
  finder: DecisionFinder,
  preference: SizingPreference,
  ofWindow: SizeAdvisor,
): SizeSource => ({
  advisorsOf: async (reading, containers) => {
    const decisions = await finder.find(reading, containers)
    return ({ key }) => {
      const decision = decisions.get(key)
      return decision === undefined ? ofWindow : decidedAdvisor(decision, preference, ofWindow)
    }
  },
})

const decidedAdvisor = (
  { evidence, replicas }: SizeDecision,
  preference: SizingPreference,
  { explain }: SizeAdvisor,
): SizeAdvisor => ({
  recommend: ({ current = {}, autoscaler }, { prices, constraints }) =>
    sizeFromEvidence(evidence, current, {
      prices,
      preference,
      replicas,
      round: roundUpSize,
      ...(constraints === undefined ? {} : { constraints }),
      ...(autoscaler === undefined ? {} : { autoscaler }),
    }),
  explain,
})
