import type { ContainerSubject } from '../../domain/subject.ts'
import { hourMs } from '../../domain/time.ts'
import type { Lifetime } from '../day/day-facts.ts'
import { type Digest, isEmptyDigest, mergeDigest } from '../digest/digest.ts'
import type { MemoryMarks } from '../digest/memory-marks.ts'
import type { Distribution } from '../distribution/distribution.ts'
import type { HourlyUse } from './hourly-use.ts'

/** What one container of one pod did in a window. */
export interface PodUsage {
  readonly subject: ContainerSubject
  /** Kind/name of what the pod belongs to; of a pod of its own, Pod/name. */
  readonly workload: string
  readonly init: boolean
  /** Oldest first; those of several pods begin at the same hours. */
  readonly spans: readonly PodSpan[]
  /** Totals over all spans. */
  readonly cpu: Distribution
  readonly memory: Distribution
  readonly use: HourlyUse
  /** Seconds since 1970: stretches in which it was seen without a long silence. */
  readonly lives: readonly Lifetime[]
  /** As they were last seen; undefined where never. */
  readonly last: ContainerSizes
  /** The kernel's own high-water mark, page cache included; 0 where not known. */
  readonly memoryPeakBytes: number
  /** Undefined where nothing is known of what its memory consists of. */
  readonly marks: MemoryMarks | undefined
}

/** A class, as ReadSpan in span-builder.ts is and for the same reason. */
export class StoredPodUsage implements PodUsage {
  readonly subject: ContainerSubject
  readonly workload: string
  readonly spans: PodUsage['spans']
  readonly cpu: Distribution
  readonly memory: Distribution
  readonly use: HourlyUse
  readonly lives: PodUsage['lives']
  last: ContainerSizes = noSizes
  init = false
  memoryPeakBytes = 0
  marks: MemoryMarks | undefined

  constructor(
    subject: ContainerSubject,
    workload: string,
    { spans, cpu, memory }: Pick<PodUsage, 'spans' | 'cpu' | 'memory'>,
    { use, lives }: Pick<PodUsage, 'use' | 'lives'>,
  ) {
    this.subject = subject
    this.workload = workload
    this.spans = spans
    this.cpu = cpu
    this.memory = memory
    this.use = use
    this.lives = lives
  }
}

export interface PodSpan {
  /** Hours since 1970. */
  readonly startHour: number
  readonly hours: number
  /** Microcores by seconds. */
  readonly cpu: Distribution
  /** Without the hours in which it began; undefined where it did not begin in this span. */
  readonly calmCpu: Distribution | undefined
  /** Bytes by samples. */
  readonly memory: Distribution
  readonly oomKills: number
  readonly restarts: number
  readonly periods: number
  readonly throttledPeriods: number
  readonly throttledMs: number
  /** Share of the periods that were throttled. */
  readonly throttledShare: number
}

/** Cores and GiB. */
export interface ContainerSizes {
  readonly cpuRequest: number | undefined
  readonly cpuLimit: number | undefined
  readonly memoryRequest: number | undefined
  readonly memoryLimit: number | undefined
}

/** Hours since 1970, the second not included. */
export interface HourRange {
  readonly from: number
  readonly to: number
}

const noSizes: ContainerSizes = {
  cpuRequest: undefined,
  cpuLimit: undefined,
  memoryRequest: undefined,
  memoryLimit: undefined,
}

/** Where a pod's container ran, and what for. */
export type PlacedUse = Pick<PodUsage, 'use'> & { readonly subject: Pick<PodUsage['subject'], 'cluster'> }

/** The hour is the least that is known: it belongs to the window in which it begins, so that adjoining windows add up. */
export function hoursOfWindow(startMs: number, endMs: number): { from: number; to: number } {
  return { from: Math.ceil(startMs / hourMs), to: Math.ceil(endMs / hourMs) }
}

/** A digest from one source of samples. */
interface SourcedDigest {
  readonly source: string
  readonly digest: Digest
}

/**
 * One digest an hour. Parts from one source are merged; where several sources cover the same hour (samples that
 * were pushed, and pulled as well) the one with most samples is believed, since both saw the same usage.
 */
export function combineHours(rows: Iterable<SourcedDigest>): Digest[] {
  const hours = new Map<number, Map<string, Digest>>()
  for (const { source, digest } of rows) {
    const sources = hours.get(digest.hour) ?? new Map<string, Digest>()
    hours.set(digest.hour, sources)
    const known = sources.get(source)
    if (known === undefined) sources.set(source, digest)
    else mergeDigest(known, digest)
  }
  return [...hours.values()]
    .map(fullest)
    .filter((digest) => !isEmptyDigest(digest))
    .sort((a, b) => a.hour - b.hour)
}

function fullest(sources: ReadonlyMap<string, Digest>): Digest {
  let best: [string, Digest] | undefined
  for (const entry of sources) {
    const [name, digest] = entry
    if (
      best === undefined ||
      digest.samples > best[1].samples ||
      (digest.samples === best[1].samples && name < best[0])
    )
      best = entry
  }
  return best![1]
}
