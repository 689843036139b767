import { plural } from '../domain/text.ts'
import { timeOfHour } from '../domain/time.ts'
import { gibText, sizeText, timesText } from './adjustments/band.ts'
import type { Resource } from './input.ts'
import type { SizingEvidence } from './sizing-evidence.ts'
import type { RequestsAndLimits } from './workload.ts'

interface Finding {
  readonly code: 'crash loop' | 'leak'
  readonly figures: Readonly<Record<string, number>>
  readonly says: string
}

/** Restarts a day, without OOM kills, from which a container is said to restart again and again. */
const crashesPerDay = 3
const rememberedDays = 14

export const findingsOf = (evidence: SizingEvidence, current: RequestsAndLimits): readonly Finding[] => [
  ...crashLoop(evidence),
  ...leakToLimit(evidence, current),
]

/** What nothing is set for; Kubernetes takes a limit as the request. An init container shares the requests of its pod. */
export function missingSizes({ init, current }: SizedSubject) {
  const { cpuRequest, cpuLimit, memoryRequest, memoryLimit } = current
  const requests: Resource[] = []
  if (!init && (cpuRequest ?? cpuLimit) === undefined) requests.push('cpu')
  if (!init && (memoryRequest ?? memoryLimit) === undefined) requests.push('memory')
  return { requests, memoryLimit: !init && memoryLimit === undefined }
}

interface SizedSubject {
  readonly init: boolean
  readonly current: RequestsAndLimits
}

export function missingRequestsReason(subject: SizedSubject): string[] {
  const names = missingSizes(subject).requests.map((resource) => (resource === 'cpu' ? 'CPU' : resource))
  return names.length === 0
    ? []
    : [
        `Requests no ${names.join(' and no ')}, so nothing is reserved for it on its node: set the requests below.`,
      ]
}

export const missingLimitReason = (subject: SizedSubject): string[] =>
  missingSizes(subject).memoryLimit
    ? ['Has no memory limit: if it leaks, its node runs out of memory and evicts other pods.']
    : []

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
