import { hourMs, hourSeconds } from '../../domain/time.ts'
import type { Measure, SeriesMeaning } from '../../domain/usage-series.ts'
import { maxValue } from '../distribution/buckets.ts'
import { otherModeAt } from './cpu-modes.ts'
import type { Digest } from './digest.ts'
import {
  type Channel,
  claim,
  hourOf,
  newChannel,
  recordSample,
  type SampleOutcome,
  type SubjectUsage,
} from './subject-usage.ts'

type MeasureMeaning = SeriesMeaning & { fact: 'measure' }

/** The digests that samples are added to, and counts of irregularities. */
interface Hours {
  digestAt(usage: SubjectUsage, hour: number): Digest
  resets: number
  gaps: number
}

/** Decides whether its series may write, whether the sample is new, and what it adds to which hours. */
export function recordMeasure(
  into: Hours,
  usage: SubjectUsage,
  meaning: MeasureMeaning,
  atMs: number,
  value: number,
): SampleOutcome {
  const { measure } = meaning
  const unit = unitOf[measure]
  if (value * unit > maxValue) return 'absurd'
  const channel = usage.channels.get(measure) ?? newChannel(meaning)
  if (channel.lastMs === 0) usage.channels.set(measure, channel)
  const claimed = claim(channel, meaning, atMs)
  if (claimed !== 'accepted') return claimed
  if (atMs <= channel.lastMs) return atMs === channel.lastMs ? 'duplicate' : 'out_of_order'
  let reference = value
  if (measure === 'memory') takeMemory(into, usage, atMs, Math.round(value))
  else if (measure === 'cpuUser' || measure === 'cpuSystem') {
    const other = usage.channels.get(measure === 'cpuUser' ? 'cpuSystem' : 'cpuUser')
    const rest = otherModeAt(usage, channel, other, atMs)
    if (rest !== undefined)
      recordMeasure(into, usage, { ...meaning, measure: 'cpu', instance: 0 }, atMs, value + rest)
  } else {
    // The higher value stays, so that a counter that rises again adds nothing twice.
    if (channel.based && isDip(channel.lastValue, value)) reference = channel.lastValue
    if (!takeCounter(into, usage, measure, channel, atMs, reference * unit)) return 'too_close'
  }
  channel.lastMs = atMs
  channel.lastValue = reference
  channel.based = true
  usage.version++
  return 'accepted'
}

function takeMemory(into: Hours, usage: SubjectUsage, atMs: number, bytes: number): void {
  const digest = into.digestAt(usage, hourOf(atMs))
  digest.memory.add(bytes)
  recordSample(usage, digest, atMs)
}

/** False if it is too close to the last sample to derive a rate; that one stays the reference for the next. */
function takeCounter(
  into: Hours,
  usage: SubjectUsage,
  measure: Measure,
  channel: Channel,
  atMs: number,
  now: number,
): boolean {
  const spread = spreads[measure]
  const known = channel.based || (spread === undefined && channel.lastMs > 0)
  const before = Math.round(channel.lastValue * unitOf[measure])
  const amount = increase(before, Math.round(now))
  const fromMs = channel.lastMs
  if (known && spread !== undefined && Math.floor(fromMs / 1000) === Math.floor(atMs / 1000)) return false
  if (known && Math.round(now) < before) into.resets++
  if (spread === undefined) {
    const digest = into.digestAt(usage, hourOf(atMs))
    if (known) digest[measure === 'oom' ? 'oomEvents' : 'restarts'] += amount
    usage.newestMs = Math.max(usage.newestMs, atMs)
    return true
  }
  if (measure === 'cpu') {
    recordSample(usage, into.digestAt(usage, hourOf(atMs)), atMs)
    if (known) forgetPendingStart(usage, atMs)
    else if (usage.subject.kind === 'container')
      addUnseen(into, usage, takeFirst(usage, atMs, Math.round(now), fromMs))
  }
  if (known && atMs - fromMs > maxGapMs) into.gaps++
  else if (known)
    shareByHour(fromMs, atMs, amount, (hour, part, seconds) =>
      spread(into.digestAt(usage, hour), part, seconds, amount, atMs - fromMs),
    )
  return true
}

/** Records the start of a container: its first interval counts from there. */
export function recordStart(into: Hours, usage: SubjectUsage, startMs: number, atMs: number): void {
  addUnseen(into, usage, takeStart(usage, startMs, atMs))
}

/** Records the end of a container's pod: its last interval counts until there. */
export function recordEnd(into: Hours, usage: SubjectUsage, endMs: number): void {
  const channel = usage.channels.get('cpu')
  if (channel === undefined) return
  // A sample at the full hour ends the hour before.
  const lastHour = hourOf(channel.lastMs - 1)
  if (!usage.open.some(({ digest }) => digest.hour === lastHour)) return
  const used = usedUntil(usage, endMs, into.digestAt(usage, lastHour))
  if (used === undefined) return
  addUnseen(into, usage, used)
  recordSample(usage, into.digestAt(usage, hourOf(endMs)), endMs)
  channel.lastMs = endMs
}

/** Adds CPU of a time that began or ended without a sample. */
function addUnseen(into: Hours, usage: SubjectUsage, used: UsedSince | undefined): void {
  if (used === undefined) return
  const { fromMs, toMs, amount } = used
  recordSample(usage, into.digestAt(usage, hourOf(fromMs)), fromMs)
  shareByHour(fromMs, toMs, amount, (hour, part, seconds) =>
    spreads.cpu!(into.digestAt(usage, hour), part, seconds, amount, toMs - fromMs),
  )
  usage.version++
}

/** After a longer gap, a counter shows how much was used but not when. */
const maxGapMs = hourMs

/** Whole units in which counters are differenced, so that differences add up: microseconds of CPU, milliseconds of throttling. */
const unitOf: Record<Measure, number> = {
  cpu: 1e6,
  cpuUser: 1e6,
  cpuSystem: 1e6,
  memory: 1,
  throttled: 1000,
  periods: 1,
  throttledPeriods: 1,
  oom: 1,
  restarts: 1,
}

/** Divided by time among the hours of an interval. Other counters count events, in the hour in which they are seen. */
const spreads: Partial<
  Record<Measure, (digest: Digest, part: number, seconds: number, amount: number, intervalMs: number) => void>
> = {
  cpu: (digest, part, seconds, amount, intervalMs) =>
    digest.cpu.add(Math.min(maxValue, Math.round((amount * 1000) / intervalMs)), seconds, part),
  throttled: (digest, part) => {
    digest.throttledMs += part
  },
  periods: (digest, part) => {
    digest.periods += part
  },
  throttledPeriods: (digest, part) => {
    digest.throttledPeriods += part
  },
}

/** Kernel counters sometimes fall a little (node_exporter, issue 1686). An eighth, as in VictoriaMetrics (issue 2787). */
const isDip = (before: number, now: number): boolean => now < before && (before - now) * 8 < before

/** The increase of a counter between two samples; a lower value means that it restarted at 0. */
const increase = (before: number, now: number): number => (now >= before ? now - before : now)

/**
 * Divides a whole amount among the hours of an interval in proportion to their whole seconds. Amounts and seconds add up
 * exactly, here and over adjoining intervals; a part without seconds gets nothing.
 */
function shareByHour(
  fromMs: number,
  toMs: number,
  amount: number,
  give: (hour: number, part: number, seconds: number) => void,
): void {
  const end = Math.floor(toMs / 1000)
  const all = end - Math.floor(fromMs / 1000)
  let left = all
  let given = 0
  for (let from = end - all; from < end; ) {
    const hour = Math.floor(from / hourSeconds)
    const to = Math.min(end, (hour + 1) * hourSeconds)
    left -= to - from
    const upTo = left === 0 ? amount : Math.floor(amount * ((all - left) / all))
    give(hour, upTo - given, to - from)
    given = upTo
    from = to
  }
}

interface UsedSince {
  readonly fromMs: number
  readonly toMs: number
  readonly amount: number
}

/** Takes the first sample of a counter. Returns the use since the start if that is known. */
function takeFirst(usage: SubjectUsage, firstMs: number, amount: number, beforeMs: number) {
  const startMs = usage.start?.startMs ?? 0
  usage.start = { startMs: 0, firstMs, amount, beforeMs }
  return startMs === 0 ? undefined : usedSince(usage, startMs)
}

/** Takes the start of a container, which is reported again with every scrape. */
function takeStart(usage: SubjectUsage, startMs: number, atMs: number): UsedSince | undefined {
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
function forgetPendingStart(usage: SubjectUsage, atMs: number): void {
  if (usage.start !== undefined && atMs - Math.max(usage.start.firstMs, usage.start.startMs) > maxUnseenMs)
    usage.start = undefined
}

/** As in the rest of the hour; undefined if the end is too far away to be that of this container. */
function usedUntil(usage: SubjectUsage, endMs: number, digest: Digest): UsedSince | undefined {
  const fromMs = usage.channels.get('cpu')!.lastMs
  const { sum, count } = digest.cpu
  if (endMs <= fromMs || endMs - fromMs > maxUnseenMs || count === 0) return undefined
  return { fromMs, toMs: endMs, amount: Math.round((sum / count) * ((endMs - fromMs) / 1000)) }
}

/** A container is scraped at least this often, so it ran unseen no longer than this. */
const maxUnseenMs = 5 * 60_000
