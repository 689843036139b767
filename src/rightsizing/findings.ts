import { plural } from '../domain/text.ts'
import { timeOfHour } from '../domain/time.ts'
import { gibText, sizeText, timesText } from './adjustments/band.ts'
import type { SizingEvidence } from './sizing-evidence.ts'
import type { RequestsAndLimits } from './workload.ts'

/** What was seen and matters more than a size. */
interface Finding {
  readonly code: 'crash loop' | 'leak'
  readonly figures: Readonly<Record<string, number>>
  readonly says: string
}

/** Restarts a day, without OOM kills, from which a container is said to restart again and again. */
const crashesPerDay = 3
const rememberedDays = 14

/** Lists what should be looked at before the sizes, the most urgent first. */
export const findingsOf = (evidence: SizingEvidence, current: RequestsAndLimits): readonly Finding[] => [
  ...crashLoop(evidence),
  ...leakToLimit(evidence, current),
]

function crashLoop({ restarts = 0, daysSinceFirst }: SizingEvidence): Finding[] {
  const days = Math.min(rememberedDays, daysSinceFirst)
  if (restarts < crashesPerDay * days) return []
  const says = `Restarted ${timesText(restarts)} in ${plural(days, 'day')} without an OOM kill: find out why it ends before changing its size.`
  return [{ code: 'crash loop', figures: { restarts, days }, says }]
}

/** A leak reaches the limit on a day that can be foreseen. */
function leakToLimit({ hour, memory }: SizingEvidence, { memoryLimit }: RequestsAndLimits): Finding[] {
  if (memory?.leak === undefined || memoryLimit === undefined) return []
  const { gibPerDay } = memory.leak
  const left = memoryLimit - memory.peakSeen
  const days = left / gibPerDay
  if (!(days >= 0 && days < 365)) return []
  const date = timeOfHour(Math.floor(hour + days * 24)).slice(0, 10)
  const says = `Memory grows by ${gibText(gibPerDay)} a day and reaches its limit of ${sizeText('memory', memoryLimit)} about ${date}.`
  return [{ code: 'leak', figures: { gibPerDay, days, memoryLimit }, says }]
}
