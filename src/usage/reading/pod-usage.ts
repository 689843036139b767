import type { ContainerSubject } from '../../domain/subject.ts'
import { hourMs } from '../../domain/time.ts'
import type { Lifetime } from '../day/day-facts.ts'
import { type Digest, isEmptyDigest, mergeDigest } from '../digest/digest.ts'
import type { MemoryMarks } from '../digest/memory-marks.ts'
import type { Distribution } from '../distribution/distribution.ts'
import type { HourEvents } from './distribution-sink.ts'
import type { HourlyUse } from './hourly-use.ts'

export interface PodUsage {
  readonly subject: ContainerSubject
  /** Kind/name of the workload that the pod belongs to; Pod/name if there is none. */
  readonly workload: string
  readonly init: boolean
  /** Without tag and digest; '' if not known. */
  readonly image: string
  /** Oldest first. The spans of several pods begin at the same hours. */
  readonly spans: readonly PodSpan[]
  readonly cpu: Distribution
  readonly memory: Distribution
  readonly use: HourlyUse
  /** Periods in which it was seen without a long silence, in seconds since 1970. */
  readonly lives: readonly Lifetime[]
  /** Requests and limits as they were last seen; undefined if never. */
  readonly current: ContainerSizes
  /** The kernel's own high-water mark, page cache included; 0 if not known. */
  readonly memoryPeakBytes: number
  /** Undefined if it is not known what its memory consists of. */
  readonly marks: MemoryMarks | undefined
}

/** A class for the same reason as ReadSpan in span-builder.ts. */
export class StoredPodUsage implements PodUsage {
  readonly subject: ContainerSubject
  readonly workload: string
  readonly spans: PodUsage['spans']
  readonly cpu: Distribution
  readonly memory: Distribution
  readonly use: HourlyUse
  readonly lives: PodUsage['lives']
  current: ContainerSizes = noSizes
  init = false
  image = ''
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

export interface PodSpan extends HourEvents {
  /** Hours since 1970. */
  readonly startHour: number
  readonly hours: number
  /** Microcores, weighted by seconds. */
  readonly cpu: Distribution
  /** CPU without the hours in which the container started; undefined if it did not start in this span. */
  readonly cpuWithoutStarts: Distribution | undefined
  /** Bytes, weighted by samples. */
  readonly memory: Distribution
  readonly throttledShare: number
}

/** Cores and GiB. */
export interface ContainerSizes {
  readonly cpuRequest: number | undefined
  readonly cpuLimit: number | undefined
  readonly memoryRequest: number | undefined
  readonly memoryLimit: number | undefined
}

/** Hours since 1970; `to` is not included. */
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

/** The use of a pod's container, and the cluster in which it ran. */
export type ContainerUse = Pick<PodUsage, 'use'> & { readonly subject: Pick<PodUsage['subject'], 'cluster'> }

/** Nothing shorter than an hour is known. An hour belongs to the window in which it begins. */
export function hoursOfWindow(startMs: number, endMs: number): { from: number; to: number } {
  return { from: Math.ceil(startMs / hourMs), to: Math.ceil(endMs / hourMs) }
}

interface SourcedDigest {
  readonly source: string
  readonly digest: Digest
}

/**
 * Returns one digest per hour. Parts from one source are merged. If several sources cover the same hour (samples that were
 * both pushed and queried), the one with most samples counts, because both saw the same usage.
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
