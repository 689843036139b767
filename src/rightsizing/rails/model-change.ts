import type { ReplicaEvidence, ResourceEvidence, SizingEvidence } from '../sizing-evidence.ts'

const mostPerDay = 1.2

/**
 * A newly trained model judges the same usage differently, which is no reason for a container to change at once. Its sizes
 * move by at most 20% a day from those of the decision before, apart from what usage itself changed since then.
 * `before` is the decision of an earlier day.
 */
export function limitModelChange(
  evidence: SizingEvidence,
  before: SizingEvidence | undefined,
): SizingEvidence {
  if (before === undefined) return evidence
  if (
    before.modelVersion === evidence.modelVersion &&
    before.isTrained === evidence.isTrained &&
    !before.modelMoves
  )
    return evidence
  const days = Math.max(1, Math.floor((evidence.hour - before.hour) / 24))
  const cpu = movedTowards(evidence.cpu, before.cpu, days, ({ p99 }) => p99)
  const memory = movedTowards(evidence.memory, before.memory, days, ({ peak14 }) => peak14)
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
  days: number,
  usageOf: (evidence: Evidence) => number,
): Evidence | undefined {
  if (now === undefined || before === undefined) return now
  const [usage, usageBefore] = [usageOf(now), usageOf(before)]
  const growth = usage > 0 && usageBefore > 0 ? usage / usageBefore : 1
  const together = moved(now.together, before.together, growth, days)
  const busiest = now.busiest && before.busiest && moved(now.busiest, before.busiest, growth, days)
  if (together === now.together && (busiest === undefined || busiest === now.busiest)) return now
  return { ...now, together, ...(busiest === undefined ? {} : { busiest }) }
}

function moved(now: ReplicaEvidence, before: ReplicaEvidence, growth: number, days: number): ReplicaEvidence {
  const most = mostPerDay ** days
  const levels = now.levels.map((level, index) => {
    const known = before.levels[index]! * growth
    return Math.max(known / most, Math.min(level, known * most))
  })
  return levels.every((level, index) => level === now.levels[index]) ? now : { ...now, levels }
}
