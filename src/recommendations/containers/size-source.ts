import type { NamespaceUsage } from '../../costs/clusters/namespace-usage.ts'
import type { SizeDecision } from '../../decisions/decision.ts'
import type { DecisionFinder } from '../../decisions/find-decisions.ts'
import type { LookbackUsage } from '../../decisions/lookback-usage.ts'
import { roundUpSize, type SizeAdvisor } from '../../rightsizing/advisor.ts'
import { sizeFromEvidence } from '../../rightsizing/size-from-evidence.ts'
import type { SizingPreference, Workload } from '../../rightsizing/workload.ts'
import type { Container } from '../../usage/reading/containers.ts'

export interface SizeSource {
  /** Returns the advisor of each of the containers, which are some of a namespace. */
  advisorsOf(
    reading: NamespaceUsage,
    containers: readonly Container[],
  ): Promise<(container: Container) => SizeAdvisor>
}

export const windowSizes = (advisor: SizeAdvisor): SizeSource => ({
  advisorsOf: async () => () => advisor,
})

/**
 * Reads stored decisions. With `lookback` they are explained from the usage that they were made from. The advisor of the window
 * sizes what ran only long before the end of the window.
 */
export const decidedSizes = (
  finder: DecisionFinder,
  preference: SizingPreference,
  ofWindow: SizeAdvisor,
  lookback: LookbackUsage | undefined,
): SizeSource => ({
  advisorsOf: async (reading, containers) => {
    const decisions = await finder.find(reading, containers)
    const advisors = new Map<string, SizeAdvisor>()
    for (const { key } of containers) {
      const decision = decisions.get(key)
      if (decision === undefined) continue
      const usage = await lookback?.of(reading, key, decision)
      advisors.set(key, decidedAdvisor(decision, preference, ofWindow, usage ?? {}))
    }
    return ({ key }) => advisors.get(key) ?? ofWindow
  },
})

const decidedAdvisor = (
  { evidence, replicas }: SizeDecision,
  preference: SizingPreference,
  { explain }: SizeAdvisor,
  usage: Partial<Workload>,
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
  explain: (workload, moment, recommendation) =>
    explain({ ...workload, ...usage }, { ...moment, atHour: evidence.hour }, recommendation),
})
