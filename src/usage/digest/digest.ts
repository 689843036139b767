import { Distribution } from '../distribution/distribution.ts'
import { type MemoryMarks, markNames, mergedMark, noMarks } from './memory-marks.ts'

/** CPU is counted in millionths of a core, memory in bytes. */
export const microcores = 1e6
export const gibBytes = 2 ** 30

/**
 * Usage of one subject in one hour, as one writer saw it. Merging several digests of the same hour gives what all of them
 * saw, with the same result in any order and grouping. Times are seconds since 1970.
 */
export interface Digest extends Counters, NumberRegisters, TextRegisters, MemoryMarks {
  /** Hours since 1970. */
  readonly hour: number
  /** Microcores, weighted by the seconds they lasted; the sum is the CPU time in microseconds, exactly. */
  readonly cpu: Distribution
  /** Bytes of the working set (for a process: of the proportional set), one observation per sample. */
  readonly memory: Distribution
  samples: number
  /** Time of the first and the last of those samples; 0 without samples. */
  firstAt: number
  lastAt: number
  /** The latest start seen; 0 if not known. */
  startedAt: number
  /** The kernel's own high-water mark; 0 if not known. */
  memoryPeakBytes: number
  /** An init container: it runs before the pod's others and its request does not add to theirs. */
  init: boolean
}

export const counterNames = ['oomEvents', 'restarts', 'throttledMs', 'periods', 'throttledPeriods'] as const
/** Counters are merged by adding. Periods are those of the CPU quota. */
export type Counters = Record<(typeof counterNames)[number], number>

/** In the order of their bits. GPUs are counted as the cluster counts them: shares of one if it divides them. */
export const numberNames = [
  'cpuRequestMicrocores',
  'cpuLimitMicrocores',
  'memoryRequestBytes',
  'memoryLimitBytes',
  'gpuRequest',
] as const
/** The last value and the greatest one; undefined if never seen. */
export type NumberRegisters = Record<(typeof numberNames)[number], NumberRegister | undefined>
export interface NumberRegister {
  readonly at: number
  readonly last: number
  readonly max: number
}

/** In the order of their bits. The phase of a pod is no longer written, but older rows have it. */
export const textNames = ['node', 'workload', 'phase', 'terminatedReason', 'image'] as const
/** The last value. A workload is written Kind/name. */
export type TextRegisters = Record<(typeof textNames)[number], TextRegister | undefined>
export interface TextRegister {
  readonly at: number
  readonly text: string
}

export function emptyDigest(hour: number): Digest {
  return {
    hour,
    cpu: new Distribution(),
    memory: new Distribution(),
    samples: 0,
    firstAt: 0,
    lastAt: 0,
    startedAt: 0,
    memoryPeakBytes: 0,
    init: false,
    ...noMarks,
    oomEvents: 0,
    restarts: 0,
    throttledMs: 0,
    periods: 0,
    throttledPeriods: 0,
    cpuRequestMicrocores: undefined,
    cpuLimitMicrocores: undefined,
    memoryRequestBytes: undefined,
    memoryLimitBytes: undefined,
    gpuRequest: undefined,
    node: undefined,
    workload: undefined,
    phase: undefined,
    terminatedReason: undefined,
    image: undefined,
  }
}

/** Merges another writer's digest of the same subject and hour into the first. */
export function mergeDigest(into: Digest, from: Digest): Digest {
  if (into.hour !== from.hour) throw new RangeError(`hours ${into.hour} and ${from.hour}`)
  into.cpu.merge(from.cpu)
  into.memory.merge(from.memory)
  if (from.samples > 0) {
    into.firstAt = into.samples === 0 ? from.firstAt : Math.min(into.firstAt, from.firstAt)
    into.lastAt = Math.max(into.lastAt, from.lastAt)
    into.samples += from.samples
  }
  into.startedAt = Math.max(into.startedAt, from.startedAt)
  into.memoryPeakBytes = Math.max(into.memoryPeakBytes, from.memoryPeakBytes)
  into.init ||= from.init
  for (const name of markNames) into[name] = mergedMark(name, into[name], from[name])
  for (const name of counterNames) into[name] += from[name]
  for (const name of numberNames) into[name] = laterNumber(into[name], from[name])
  for (const name of textNames) into[name] = laterText(into[name], from[name])
  return into
}

export function setNumber(digest: Digest, name: keyof NumberRegisters, value: number, at: number): void {
  digest[name] = laterNumber(digest[name], { at, last: value, max: value })
}

export function setText(digest: Digest, name: keyof TextRegisters, text: string, at: number): void {
  digest[name] = laterText(digest[name], { at, text })
}

/** A digest without usage and events is not stored once its hour is over. */
export function isEmptyDigest(digest: Digest): boolean {
  return (
    digest.cpu.count === 0 && digest.memory.count === 0 && counterNames.every((name) => digest[name] === 0)
  )
}

/** OOM events of the kernel or, if the last termination reason is OOMKilled, restarts, whichever is greater. */
export function oomKills(digest: Digest): number {
  return Math.max(digest.oomEvents, digest.terminatedReason?.text === 'OOMKilled' ? digest.restarts : 0)
}

function laterNumber(a: NumberRegister | undefined, b: NumberRegister | undefined) {
  if (a === undefined || b === undefined) return a ?? b
  const later = b.at > a.at || (b.at === a.at && b.last > a.last) ? b : a
  return { at: later.at, last: later.last, max: Math.max(a.max, b.max) }
}

/** If two texts have the same time, the owner at the higher level wins (a Deployment before its ReplicaSet), then the greater text. */
function laterText(a: TextRegister | undefined, b: TextRegister | undefined): TextRegister | undefined {
  if (a === undefined || b === undefined) return a ?? b
  if (a.at !== b.at) return a.at > b.at ? a : b
  const aUpper = !intermediate.test(a.text)
  const bUpper = !intermediate.test(b.text)
  if (aUpper !== bUpper) return aUpper ? a : b
  return a.text >= b.text ? a : b
}

/** Owners of pods that belong to another workload. */
export const intermediate = /^(ReplicaSet|Job)\//
