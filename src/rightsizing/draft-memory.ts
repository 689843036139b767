import { DraftBand, draftBand, gibText, keepUtilisation, sizeText, timesText } from './adjustments/band.ts'
import { type RequestAndLimit, requestAndLimitOf } from './adjustments/request-and-limit.ts'
import type { SizingOptions } from './context.ts'
import { replicasOf } from './draft-cpu.ts'
import {
  areKillsAnswered,
  heapReach,
  kernelPeakOf,
  oomFloor,
  residentGib,
  sizeByEvidence,
  widenForRestarts,
} from './memory/memory-evidence.ts'
import { applyRequestRails } from './rails/apply-rails.ts'
import { coveringSize, peakHeadroom, type RailFacts } from './rails/rail.ts'
import { type ResourceDraft, resourceDraft } from './resource-draft.ts'
import { SizeReading } from './risk/size-reading.ts'
import type { MemoryEvidence, OomKills, SizingEvidence } from './sizing-evidence.ts'
import type { RequestsAndLimits } from './workload.ts'

export function draftMemory(
  evidence: SizingEvidence,
  sizes: RequestsAndLimits,
  options: SizingOptions,
): ResourceDraft | null {
  const { memory } = evidence
  if (memory === undefined) return null
  const draft = new DraftBand()
  const { together, leak, kills } = memory
  draftBand(draft, 'memory', memory, new SizeReading('memory', evidence, options.preference ?? {}))
  const { memoryRequest, memoryLimit } = sizes
  if (leak !== undefined) {
    draft.lowerTo(Math.max(memoryRequest ?? 0, together.peakEver))
    draft.addStep(
      'leak',
      `Memory has grown for ${leak.days} days by about ${gibText(leak.gibPerDay)} a day, which looks like a leak. The request is not raised for further growth${memoryLimit === undefined ? '' : ', and not reduced, because the container is killed at its limit'}.`,
      { days: leak.days, gibPerDay: leak.gibPerDay },
    )
    if (memoryLimit !== undefined) draft.raise(memoryRequest ?? memoryLimit)
  }
  sizeByEvidence(draft, memory, sizes)
  const current = requestAndLimitOf('memory', { current: sizes })
  widenForRestarts(draft, evidence.restarts ?? 0)
  keepUtilisation(draft, 'memory', memory.scaled, options.autoscaler?.memoryTarget, memoryRequest)
  const isKilled = kills !== undefined && !areKillsAnswered(kills, memoryLimit)
  if (kills !== undefined) addKills(draft, kills, current, isKilled)
  const facts = railFacts(evidence, memory, sizes, options, isKilled)
  applyRequestRails(draft, facts, options.rails)
  const finishing = { peak: coveringSize(facts) / peakHeadroom, isStarved: isKilled, facts }
  return resourceDraft('memory', draft, finishing, { current: sizes, ...replicasOf(options) }, options)
}

function addKills(draft: DraftBand, kills: OomKills, { limit, request }: RequestAndLimit, isKilled: boolean) {
  const text = `Memory: OOM-killed ${timesText(kills.count)} in the last 14 days, `
  if (isKilled) {
    const floor = oomFloor(kills, limit)
    draft.raise(floor)
    draft.addStep(
      'kills',
      `${text}${limit === undefined ? '' : `with a limit of ${sizeText('memory', limit)}, `}so at least ${sizeText('memory', floor)}.`,
      { count: kills.count, floor },
    )
  } else {
    draft.raise(Math.min(oomFloor(kills), request ?? limit!))
    draft.addStep('kills', `${text}before the limit became what it is now, which is kept.`, {
      count: kills.count,
    })
  }
}

function railFacts(
  evidence: SizingEvidence,
  memory: MemoryEvidence,
  sizes: RequestsAndLimits,
  { preference = {}, constraints }: SizingOptions,
  isKilled: boolean,
): RailFacts {
  const { facts = {}, kills, peakSeen, growth } = memory
  const current = requestAndLimitOf('memory', { current: sizes })
  const { limit = Number.POSITIVE_INFINITY } = current
  const reach = heapReach(memory, sizes)
  const kernelPeak = facts.cacheGib === undefined ? 0 : (kernelPeakOf(facts, sizes) ?? 0)
  const resident = facts.rssGib === undefined ? 0 : residentGib(memory)
  const isNear = Math.max(resident, reach) * peakHeadroom >= limit
  return {
    resource: 'memory',
    current,
    largest: requestAndLimitOf('memory', { current: evidence.largest ?? sizes }),
    replaced: requestAndLimitOf('memory', { current: evidence.replaced ?? {} }),
    repeats: memory.repeats ?? false,
    preference,
    peak: Math.max(peakSeen, kernelPeak),
    reach,
    keepsLimit: kills !== undefined && !isKilled,
    reachHours: memory.reachHours,
    separatesLimit: constraints?.qos === 'burstable',
    cause: isKilled ? 'kills' : growth !== undefined ? 'trend' : isNear ? 'use near the limit' : undefined,
  }
}
