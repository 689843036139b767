import type { Resource } from '../input.ts'
import type { ReplicaEvidence, ResourceEvidence, SizingEvidence } from '../sizing-evidence.ts'

const mostPerDay = 1.2

/** What a model asks for: the request at each risk level. */
export interface ModelLevels {
  readonly together: readonly number[]
  readonly busiest?: readonly number[]
}

/**
 * A newly trained model judges the same usage differently, which is no reason for a container to change at once. It moves sizes
 * by at most 20% a day from those of the decision before, and what usage changed since then comes on top, at once.
 * `before` is the decision of an earlier day, and `levelsThen` returns what the new model makes of the usage up to then.
 */
export function limitModelChange(
  evidence: SizingEvidence,
  before: SizingEvidence | undefined,
  levelsThen: (resource: Resource) => ModelLevels | undefined,
): SizingEvidence {
  if (before === undefined) return evidence
  const isSameModel = before.modelVersion === evidence.modelVersion && before.isTrained === evidence.isTrained
  if (isSameModel && !before.modelMoves) return evidence
  const most = mostPerDay ** Math.max(1, Math.floor((evidence.hour - before.hour) / 24))
  const cpu = movedTowards(evidence.cpu, before.cpu, most, () => levelsThen('cpu'))
  const memory = movedTowards(evidence.memory, before.memory, most, () => levelsThen('memory'))
  if (cpu === evidence.cpu && memory === evidence.memory) return evidence
  return {
    ...evidence,
    modelMoves: true,
    ...(cpu === undefined ? {} : { cpu }),
    ...(memory === undefined ? {} : { memory }),
  }
}

function movedTowards<Evidence extends ResourceEvidence>(
  now: Evidence | undefined,
  before: Evidence | undefined,
  most: number,
  levelsThen: () => ModelLevels | undefined,
): Evidence | undefined {
  if (now === undefined || before === undefined) return now
  const busiestBefore = now.busiest && before.busiest
  // Most models change little, and then nothing needs to be computed again.
  if (
    isNear(now.together, before.together, most) &&
    (busiestBefore === undefined || isNear(now.busiest!, busiestBefore, most))
  )
    return now
  const then = levelsThen()
  const together = moved(now.together, before.together, then?.together, most)
  const busiest = busiestBefore && moved(now.busiest!, busiestBefore, then?.busiest, most)
  if (together === now.together && (busiest === undefined || busiest === now.busiest)) return now
  return { ...now, together, ...(busiest === undefined ? {} : { busiest }) }
}

const isNear = (now: ReplicaEvidence, before: ReplicaEvidence, most: number): boolean =>
  now.levels.every((level, index) => {
    const known = before.levels[index]!
    return level <= known * most && level >= known / most
  })

function moved(
  now: ReplicaEvidence,
  before: ReplicaEvidence,
  then: readonly number[] | undefined,
  most: number,
): ReplicaEvidence {
  const levels = now.levels.map((level, index) => {
    const known = before.levels[index]!
    const ofUsage = level / (then?.[index] ?? level)
    return Math.max(
      (known * Math.min(1, ofUsage)) / most,
      Math.min(level, known * Math.max(1, ofUsage) * most),
    )
  })
  return levels.every((level, index) => level === now.levels[index]) ? now : { ...now, levels }
}
