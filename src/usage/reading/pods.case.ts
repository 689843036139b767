import type { ContainerSubject } from '../../domain/subject.ts'
import { hourSeconds } from '../../domain/time.ts'
import { encodeDigests } from '../digest/codec.ts'
import { emptyDigest, setNumber, setText } from '../digest/digest.ts'
import type { MemoryMarks } from '../digest/memory-marks.ts'
import { PodReader } from './pod-reader.ts'
import type { HourRange, PodUsage } from './pod-usage.ts'

/** A synthetic container of a pod that does the same every hour, except for members that are functions of the hour. */
export interface SyntheticPod {
  readonly cluster?: string
  readonly namespace?: string
  readonly pod?: string
  readonly container?: string
  readonly workload?: string | null
  readonly image?: string
  readonly node?: string | null
  readonly from?: number
  readonly hours?: number
  /** Cores and GiB. */
  readonly cores?: number | ((hour: number) => number)
  readonly gib?: number | ((hour: number) => number)
  readonly cpuRequest?: number | undefined
  readonly cpuLimit?: number | undefined
  readonly memoryRequest?: number | undefined
  readonly memoryLimit?: number | undefined
  readonly gpus?: number
  /** Seconds of each hour that it runs. */
  readonly seconds?: number
  readonly init?: boolean
  readonly oomEvents?: number | ((hour: number) => number)
  readonly periods?: number
  readonly throttledPeriods?: number
  readonly throttledMs?: number
  readonly restarts?: number | ((hour: number) => number)
  /** GiB of each sample of an hour, instead of gib. */
  readonly gibSamples?: (hour: number) => readonly number[]
  readonly marks?: Partial<MemoryMarks>
  readonly memoryPeakGib?: number
  /** Second of each hour at which it was last seen; without it, a minute before `seconds`. */
  readonly lastSecond?: number
  /** Hours in which the container restarted. */
  readonly startsAt?: (hour: number) => boolean
  /** Hours in which it ran at all; only for tests that use the store. */
  readonly runsAt?: (hour: number) => boolean
}

/** An hour of November 2026, at the start of a day. */
export const firstHour = 498_600 - (498_600 % 24)

export const subjectOf = (pod: SyntheticPod): ContainerSubject => ({
  kind: 'container',
  cluster: pod.cluster ?? 'c',
  namespace: pod.namespace ?? 'shop',
  pod: pod.pod ?? 'web-1',
  container: pod.container ?? 'app',
})

export function digestBytes(pod: SyntheticPod): Uint8Array {
  const { from = firstHour, hours = 24, seconds = hourSeconds } = pod
  const at = (what: number | ((hour: number) => number) | undefined, hour: number) =>
    typeof what === 'function' ? what(hour) : (what ?? 0)
  return encodeDigests(
    Array.from({ length: hours }, (_, index) => {
      const hour = from + index
      const start = hour * hourSeconds
      const digest = emptyDigest(hour)
      digest.cpu.add(Math.round(at(pod.cores ?? 0.1, hour) * 1e6), seconds)
      const gib = at(pod.gib ?? 0.1, hour)
      for (const sample of pod.gibSamples?.(hour) ?? [gib, gib, gib, gib])
        digest.memory.add(Math.round(sample * 2 ** 30))
      digest.samples = 8
      digest.firstAt = start
      digest.lastAt = start + (pod.lastSecond ?? Math.max(0, seconds - 60))
      digest.init = pod.init ?? false
      digest.oomEvents = at(pod.oomEvents, hour)
      digest.periods = pod.periods ?? 0
      digest.throttledPeriods = pod.throttledPeriods ?? 0
      digest.throttledMs = pod.throttledMs ?? 0
      digest.restarts = at(pod.restarts, hour)
      digest.memoryPeakBytes = Math.round((pod.memoryPeakGib ?? 0) * 2 ** 30)
      Object.assign(digest, pod.marks)
      digest.startedAt = pod.startsAt?.(hour) ? start + 900 : 0
      const sizes = [
        ['cpuRequestMicrocores', pod.cpuRequest, 1e6],
        ['cpuLimitMicrocores', pod.cpuLimit, 1e6],
        ['memoryRequestBytes', pod.memoryRequest, 2 ** 30],
        ['memoryLimitBytes', pod.memoryLimit, 2 ** 30],
        ['gpuRequest', pod.gpus, 1],
      ] as const
      for (const [name, value, unit] of sizes)
        if (value !== undefined) setNumber(digest, name, Math.round(value * unit), start)
      if (pod.image !== undefined) setText(digest, 'image', pod.image, start)
      if (pod.node !== null) setText(digest, 'node', pod.node ?? 'n1', start)
      if (pod.workload !== null) setText(digest, 'workload', pod.workload ?? 'Deployment/web', start)
      return digest
    }),
  )
}

export function podOf(pod: SyntheticPod, within?: HourRange, latestHour?: number): PodUsage {
  const { from = firstHour, hours = 24 } = pod
  const window = within ?? { from, to: from + hours }
  const rows = [{ source: 'push', bytes: digestBytes(pod) }]
  const days = new Uint8Array()
  return new PodReader().readPod(subjectOf(pod), { rows, days }, window, latestHour)!
}
