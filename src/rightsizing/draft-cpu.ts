import {
  coresText,
  DraftBand,
  draftBand,
  keepUtilisation,
  percentText,
  sizeText,
} from './adjustments/band.ts'
import { proportionOf, requestAndLimitOf } from './adjustments/request-and-limit.ts'
import type { SizingOptions } from './context.ts'
import { applyRequestRails } from './rails/apply-rails.ts'
import type { RailFacts } from './rails/rail.ts'
import { type ResourceDraft, resourceDraft } from './resource-draft.ts'
import { SizeReading } from './risk/size-reading.ts'
import type { SizingEvidence } from './sizing-evidence.ts'
import type { RequestsAndLimits } from './workload.ts'

/** A container that is throttled in a larger share of periods lacks CPU. */
const maxThrottledShare = 0.05

export function draftCpu(
  evidence: SizingEvidence,
  sizes: RequestsAndLimits,
  options: SizingOptions,
): ResourceDraft | null {
  const { cpu } = evidence
  if (cpu === undefined) return null
  const draft = new DraftBand()
  const { constraints, autoscaler, preference = {} } = options
  explainUsage(draft, cpu)
  draftBand(draft, 'cpu', cpu, new SizeReading('cpu', evidence, preference))
  const throttledNow = cpu.throttledSinceRaise ?? cpu.throttledShare ?? 0
  const isStarved = throttledNow > maxThrottledShare
  const current = requestAndLimitOf('cpu', { current: sizes })
  if (
    isStarved &&
    current.limit !== undefined &&
    proportionOf(current) <= 1 &&
    draft.target < current.limit * (1 + throttledNow)
  ) {
    draft.raise(current.limit * (1 + throttledNow))
    draft.addStep(
      'throttling',
      `CPU: throttled by its limit, which equals its request, so both are raised to ${sizeText('cpu', draft.target)}.`,
    )
  }
  keepUtilisation(draft, 'cpu', cpu.scaled, autoscaler?.cpuTarget, sizes.cpuRequest)
  const facts: RailFacts = {
    resource: 'cpu',
    current,
    largest: requestAndLimitOf('cpu', { current: evidence.largest ?? sizes }),
    replaced: requestAndLimitOf('cpu', { current: evidence.replaced ?? {} }),
    repeats: cpu.repeats ?? false,
    preference,
    peak: cpu.peakSeen,
    reach: 0,
    keepsLimit: false,
    reachHours: cpu.reachHours,
    separatesLimit: constraints?.qos === 'burstable',
    cause: isStarved ? 'throttling' : cpu.growth === undefined ? undefined : 'trend',
  }
  applyRequestRails(draft, facts, options.rails)
  const finishing = {
    peak: Math.max(cpu.together.peakEver, cpu.peakSeen),
    isStarved,
    throttledShare: throttledNow,
    high: constraints?.limits === 'quantile' ? (cpu.limitQuantile ?? null) : null,
    facts,
  }
  return resourceDraft('cpu', draft, finishing, { current: sizes, ...replicasOf(options) }, options)
}

function explainUsage(draft: DraftBand, cpu: NonNullable<SizingEvidence['cpu']>): void {
  const { startPeak, throttledShare = 0, throttledMinutes = 0 } = cpu
  if (startPeak !== undefined)
    draft.addStep(
      'starts',
      `CPU: peaks of ${coresText(startPeak)} occur only at startup, so they count for the limit and not for the request.`,
      { peak: startPeak },
    )
  if (throttledShare > 0.01) {
    const minutes = throttledMinutes >= 1 ? `, ${Math.round(throttledMinutes)} minutes a day in total` : ''
    draft.addStep(
      'throttling',
      `CPU: throttled in ${percentText(throttledShare)} of periods${minutes}, so demand is estimated to be higher than usage.`,
      { share: throttledShare, minutesPerDay: throttledMinutes },
    )
  }
}

export const replicasOf = ({ replicas }: SizingOptions) => (replicas === undefined ? {} : { replicas })
