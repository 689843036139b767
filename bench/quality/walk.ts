import { replacedBy } from '../../src/decisions/past-decisions.ts'
import { roundUpSize } from '../../src/rightsizing/advisor.ts'
import { gatherEvidence } from '../../src/rightsizing/evidence.ts'
import type { UsageSpan } from '../../src/rightsizing/input.ts'
import type { BuiltInModel } from '../../src/rightsizing/model/built-in-model.ts'
import { RecommendationWorkspace } from '../../src/rightsizing/risk/resource-forecast.ts'
import { sizeFromEvidence } from '../../src/rightsizing/size-from-evidence.ts'
import type { SizingEvidence } from '../../src/rightsizing/sizing-evidence.ts'
import { applied } from '../../src/rightsizing/usage.case.ts'
import type { MemoryFacts, RequestsAndLimits, SizingPreference } from '../../src/rightsizing/workload.ts'
import { prices } from './score.ts'

const sizeNames = ['cpuRequest', 'cpuLimit', 'memoryRequest', 'memoryLimit'] as const

/** A day on which a recommendation was made and applied. */
export interface WalkedDay {
  readonly day: number
  readonly evidence: SizingEvidence
  readonly before: RequestsAndLimits
  readonly after: RequestsAndLimits
}

export interface Walk {
  readonly first: RequestsAndLimits
  readonly preference: SizingPreference
  readonly builtIn: BuiltInModel
  readonly fromDay: number
  readonly toDay: number
  readonly memoryFacts?: MemoryFacts
  readonly workspace?: RecommendationWorkspace
}

/** Applies the recommendation of every day. `spansBefore` returns the hours before a day, which may depend on what is in force. */
export function* walk(
  spansBefore: (day: number, current: RequestsAndLimits) => readonly UsageSpan[],
  {
    first,
    preference,
    builtIn,
    fromDay,
    toDay,
    memoryFacts,
    workspace = new RecommendationWorkspace(),
  }: Walk,
): Generator<WalkedDay> {
  const inForce: RequestsAndLimits[] = []
  let current = first
  for (let day = fromDay; day < toDay; day++) {
    inForce.push(current)
    const replaced = replacedBy(current, inForce.slice(-7))
    const workload = {
      spans: spansBefore(day, current),
      current,
      largest: largestOf(inForce.slice(-7)),
      ...(replaced === undefined ? {} : { replaced }),
      ...(memoryFacts === undefined ? {} : { memoryFacts }),
    }
    const evidence = gatherEvidence(workload, { atHour: day * 24, model: {}, builtIn }, workspace)
    const after = sizesAfter(evidence, current, preference)
    yield { day, evidence, before: current, after }
    current = after
  }
}

/** What is in force once the recommendation was applied. */
export function sizesAfter(
  evidence: SizingEvidence,
  current: RequestsAndLimits,
  preference: SizingPreference,
): RequestsAndLimits {
  return applied(sizeFromEvidence(evidence, current, { prices, preference, round: roundUpSize }), current)
}

function largestOf(all: readonly RequestsAndLimits[]): RequestsAndLimits {
  return Object.fromEntries(
    sizeNames.flatMap((name) => {
      const sizes = all.flatMap((one) => one[name] ?? [])
      return sizes.length === 0 ? [] : [[name, Math.max(...sizes)]]
    }),
  )
}
