import type { Digest } from './digest.ts'
import type { SubjectUsage } from './subject-usage.ts'

/** An amount of CPU in microseconds, and the time in which it was used. */
export interface UsedSince {
  readonly fromMs: number
  readonly toMs: number
  readonly amount: number
}

/** Takes the first sample of a counter. Returns the use since the start if that is known. */
export function takeFirst(
  usage: SubjectUsage,
  firstMs: number,
  amount: number,
  beforeMs: number,
): UsedSince | undefined {
  const startMs = usage.start?.startMs ?? 0
  usage.start = { startMs: 0, firstMs, amount, beforeMs }
  return startMs === 0 ? undefined : usedSince(usage, startMs)
}

/** Takes the start of a container, which is reported again with every scrape. */
export function takeStart(usage: SubjectUsage, startMs: number, atMs: number): UsedSince | undefined {
  if (startMs > atMs) return undefined
  if (usage.start !== undefined && usage.start.firstMs > 0) return usedSince(usage, startMs)
  const lastMs = usage.channels.get('cpu')?.lastMs ?? 0
  if (startMs > lastMs) usage.start = { startMs, firstMs: 0, amount: 0, beforeMs: 0 }
  return undefined
}

function usedSince(usage: SubjectUsage, startMs: number): UsedSince | undefined {
  const { firstMs, amount, beforeMs } = usage.start!
  // Starts are whole seconds. An older one is of the container before this one.
  if (startMs > firstMs || startMs + 1000 <= beforeMs || firstMs - startMs > maxUnseenMs) return undefined
  usage.start = undefined
  return { fromMs: Math.max(startMs, beforeMs), toMs: firstMs, amount }
}

/** Called with later samples: whichever of both is missing is not reported at all. */
export function forgetPendingStart(usage: SubjectUsage, atMs: number): void {
  if (usage.start !== undefined && atMs - Math.max(usage.start.firstMs, usage.start.startMs) > maxUnseenMs)
    usage.start = undefined
}

/**
 * What a container used between its last sample and the end of its pod, as in the rest of the hour; undefined if the end
 * is too far away to be that of this container.
 */
export function usedUntil(usage: SubjectUsage, endMs: number, digest: Digest): UsedSince | undefined {
  const fromMs = usage.channels.get('cpu')!.lastMs
  const { sum, count } = digest.cpu
  if (endMs <= fromMs || endMs - fromMs > maxUnseenMs || count === 0) return undefined
  return { fromMs, toMs: endMs, amount: Math.round((sum / count) * ((endMs - fromMs) / 1000)) }
}

/** A container is scraped at least this often, so it ran unseen no longer than this. */
const maxUnseenMs = 5 * 60_000
