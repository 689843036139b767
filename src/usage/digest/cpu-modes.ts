import type { Channel, SubjectUsage } from './subject-usage.ts'

/**
 * Process exporters report user and system time as two series, of which the samples of one scrape are added up. A sender
 * that catches up may send one series ahead of the other, so samples of the one that is ahead wait for the other: the last
 * one in its channel, earlier ones in `usage.waiting`.
 *
 * Called before the sample at `atMs` is recorded in its channel. Returns the value of the other mode at that time;
 * undefined if it is not known or not yet known.
 */
export function otherModeAt(
  usage: SubjectUsage,
  channel: Channel,
  other: Channel | undefined,
  atMs: number,
): number | undefined {
  const otherMs = other?.lastMs ?? 0
  if (atMs <= otherMs) {
    const waiting = takeWaiting(usage, atMs)
    return atMs === otherMs ? other!.lastValue : waiting
  }
  if (channel.lastMs > otherMs) addWaiting(usage, channel.lastMs, channel.lastValue)
  // The other mode has been overtaken, so the times at which its samples wait have passed.
  else usage.waiting = undefined
  return undefined
}

function takeWaiting(usage: SubjectUsage, atMs: number): number | undefined {
  const { waiting } = usage
  if (waiting === undefined) return undefined
  let passed = 0
  while (passed < waiting.length && waiting[passed]! <= atMs) passed += 2
  const found = waiting[passed - 2] === atMs ? waiting[passed - 1] : undefined
  if (passed === waiting.length) usage.waiting = undefined
  else waiting.splice(0, passed)
  return found
}

function addWaiting(usage: SubjectUsage, atMs: number, value: number): void {
  usage.waiting ??= []
  const { waiting } = usage
  waiting.push(atMs, value)
  if (waiting.length <= 2 * maxWaitingSamples) return
  // Without the sample whose neighbours are closest, a rate is less detailed there, but no CPU time is lost.
  const span = (index: number) => waiting[index + 2]! - waiting[index - 2]!
  let closest = 2
  for (let index = 4; index < 2 * maxWaitingSamples; index += 2)
    if (span(index) < span(closest)) closest = index
  waiting.splice(closest, 2)
}

/** Half an hour of samples every 30 seconds, and 1 KiB of memory. */
export const maxWaitingSamples = 64
