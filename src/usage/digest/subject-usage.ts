import type { Subject } from '../../domain/subject.ts'
import { hourMs, hourSeconds } from '../../domain/time.ts'
import type { Measure } from '../../domain/usage-series.ts'
import { type Digest, emptyDigest } from './digest.ts'

/** A digest that still grows. Its part is a row of its own, which is replaced as it grows and merged when read. */
interface OpenDigest {
  readonly part: number
  readonly digest: Digest
  /** The version of the subject at the last change of this digest. */
  version: number
}

/**
 * The first CPU sample of a container and its start, until both are known. A counter shows what was used since the start,
 * but one sample alone does not show since when.
 */
interface PendingStart {
  /** The start, if it was received before the first sample; else 0. */
  readonly startMs: number
  /** The first sample, if it was received before the start: time, or 0, and the counter in microseconds. */
  readonly firstMs: number
  readonly amount: number
  /** The last sample of the container before this start; 0 if there is none. */
  readonly beforeMs: number
}

export interface SubjectUsage {
  readonly key: string
  readonly subject: Subject
  readonly channels: Map<Measure, Channel>
  readonly open: OpenDigest[]
  /**
   * Samples of user or system time for which the other is not known yet, without the last one: time in ms, value, time,
   * value, ... Undefined if there are none; see cpu-modes.ts.
   */
  waiting: number[] | undefined
  /** Undefined if nothing is pending; see measure.ts. */
  start: PendingStart | undefined
  /** The pod whose facts are added to the digests; a process has none. */
  readonly podKey: string
  /** Time of the newest measure; 0 while there is none. */
  newestMs: number
  touchedMs: number
  /** Released by the accumulator; restored with the next sample unless the subject was started again. */
  evicted: boolean
  /** Counts changes, so that changes during a commit are recognised afterwards. */
  version: number
  committedVersion: number
}

export function newSubjectUsage(key: string, subject: Subject): SubjectUsage {
  return {
    key,
    subject,
    channels: new Map(),
    open: [],
    waiting: undefined,
    start: undefined,
    podKey: subject.kind === 'container' ? podKey(subject.cluster, subject.namespace, subject.pod) : '',
    newestMs: 0,
    touchedMs: 0,
    evicted: false,
    version: 0,
    committedVersion: 0,
  }
}

export const podKey = (cluster: string, namespace: string, pod: string): string =>
  `${cluster}\0${namespace}\0${pod}`

/** Returns the digest of the hour, which the caller is about to change. */
export function digestAt(usage: SubjectUsage, hour: number, nextPart: () => number): Digest {
  let open = usage.open.find(({ digest }) => digest.hour === hour)
  if (open === undefined) {
    open = { part: nextPart(), digest: emptyDigest(hour), version: 0 }
    usage.open.push(open)
  }
  open.version = usage.version + 1
  return open.digest
}

/** Counts a sample and updates the times of the first and the last one. */
export function recordSample(usage: SubjectUsage, digest: Digest, atMs: number): void {
  const at = Math.floor(atMs / 1000)
  digest.firstAt = digest.samples === 0 ? at : Math.min(digest.firstAt, at)
  digest.lastAt = Math.max(digest.lastAt, at)
  digest.samples++
  usage.newestMs = Math.max(usage.newestMs, atMs)
}

/** A container that ended is reported as long as its pod exists; that is not evidence of usage. */
export const hasEnded = (usage: SubjectUsage, atMs: number): boolean =>
  usage.newestMs > 0 && atMs - usage.newestMs > 2 * hourMs

/** Finished hours of this subject, and all hours of a subject that ended, are released once they are stored. */
export function closeHours(usage: SubjectUsage, newestMs: number): void {
  if (usage.open.length === 0) return
  const ended = newestMs - usage.newestMs > 2 * hourMs
  const openFrom = Math.floor((usage.newestMs - graceMs) / hourMs)
  const still = usage.open.filter(
    ({ digest, version }) => version > usage.committedVersion || !(ended || digest.hour < openFrom),
  )
  if (still.length < usage.open.length) usage.open.splice(0, usage.open.length, ...still)
}

export const secondOf = (ms: number): number => Math.floor(ms / 1000)
export const hourOf = (ms: number): number => Math.floor(secondOf(ms) / hourSeconds)

/** Measures of one subject may lag behind one another this long without opening a new part. */
const graceMs = 15 * 60_000

/** Why a sample was accepted or rejected; each outcome is counted. */
export const sampleOutcomes = [
  'accepted',
  'duplicate',
  'out_of_order',
  'too_old',
  'in_the_future',
  'not_finite',
  'negative',
  'absurd',
  'stale_marker',
  'other_source',
  'superseded',
  'too_close',
] as const
export type SampleOutcome = (typeof sampleOutcomes)[number]

/**
 * One measure of one subject. One series at a time writes it. The time of its last accepted sample is the watermark:
 * nothing at or before it is accepted again, so that a batch sent twice counts once.
 */
export interface Channel {
  /** Instance and source of the series that writes the channel; see SeriesMeaning. */
  instance: number
  source: number
  rank: number
  /** Time of the last accepted sample; 0 if there is none yet. */
  lastMs: number
  lastValue: number
  /** False until the first sample of the current series gave a counter something to subtract from. */
  based: boolean
  /** Instances of this source that newer ones replaced, latest last. */
  retired: number[]
}

interface Claimant {
  readonly subject: Subject
  readonly instance: number
  readonly source: number
  readonly rank: number
}

export function newChannel(by: Claimant): Channel {
  const { instance, source, rank } = by
  return { instance, source, rank, lastMs: 0, lastValue: 0, based: false, retired: [] }
}

/** Another series may take over if the current one has been silent for longer. */
const takeoverAfterMs = 5 * 60_000

/**
 * Decides whether the claimant's sample is accepted. Within one source, the newest instance writes the channel, because a
 * restarted container has new labels while the old series may linger. Of several sources, the one with the highest rank
 * writes it, or else the first.
 */
export function claim(
  channel: Channel,
  by: Claimant,
  atMs: number,
): 'accepted' | 'other_source' | 'superseded' {
  if (channel.instance === by.instance && channel.source === by.source) return 'accepted'
  const silent = atMs - channel.lastMs > takeoverAfterMs
  const sameSource = channel.source === by.source
  if (!silent) {
    if (sameSource && channel.retired.includes(by.instance)) return 'superseded'
    if (!sameSource && by.rank <= channel.rank) return 'other_source'
    if (atMs <= channel.lastMs) return sameSource ? 'superseded' : 'other_source'
  }
  // The counters of a container come from its cgroup, whoever scrapes them. Those of a process start with its exporter.
  const isSameCounter = channel.instance === by.instance && by.subject.kind === 'container'
  channel.retired = sameSource ? [...channel.retired, channel.instance].slice(-retiredKept) : []
  channel.instance = by.instance
  channel.source = by.source
  channel.rank = by.rank
  channel.based &&= isSameCounter
  return 'accepted'
}

const retiredKept = 4
