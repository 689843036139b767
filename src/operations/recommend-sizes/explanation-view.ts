import { round } from '../../domain/money.ts'
import type { Explanation } from '../../rightsizing/explain.ts'
import type { Distribution } from '../../usage/distribution/distribution.ts'
import { distributionBars } from './distribution-view.ts'

/** The distribution of usage, the result of each estimator, and which one decided. */
export function viewExplanation(of: Explanation | null, usage: Distribution, unit: number) {
  return {
    Days: of?.days ?? 0,
    LearntFromDays: of?.learntFromDays ?? 0,
    Distribution: distributionBars(usage, unit),
    Estimates: (of?.sayings ?? []).map(({ by, value, steps, decided }) => ({
      By: by,
      Value: amount(value),
      Decided: decided,
      Steps: steps.map((step) => ({ Says: step.says, Value: amount(step.value) })),
    })),
  }
}

const amount = (value: number | null): number | null => (value === null ? null : round(value, 6))
