import { subjectKey } from '../../src/domain/subject.ts'
import { hourSeconds } from '../../src/domain/time.ts'
import { summariseDay } from '../../src/usage/day/summarise-day.ts'
import { encodeDigests } from '../../src/usage/digest/codec.ts'
import { emptyDigest } from '../../src/usage/digest/digest.ts'
import type { CompactDay } from '../../src/usage/port.ts'
import { samplesPerDay, type Trace } from './traces.ts'

/** The last 30 complete days. */
export const days = 30
export const startHour = (Math.floor(Date.now() / 86_400_000) - days) * 24
export const startMs = startHour * 3_600_000

/** The usage of a container, one sample every `step` minutes. */
export interface Month {
  readonly cores: Float64Array
  readonly bytes: Float64Array
}

/** Returns five-minute samples. For shorter steps they are repeated with a little noise. */
export function monthOf(trace: Trace, series: number, step: number): Month {
  const count = (days * 1440) / step
  const cores = new Float64Array(count)
  const bytes = new Float64Array(count)
  const base = series * trace.days * samplesPerDay
  for (let sample = 0; sample < count; sample++) {
    const at = base + Math.floor((sample * step) / 5)
    const noise =
      step >= 5 ? 1 : 0.9 + ((Math.imul(series * 7919 + sample, 2246822519) >>> 8) / 2 ** 24) * 0.2
    cores[sample] = Math.round((trace.cpuCores[at]! || 0) * noise * 1e6) / 1e6
    bytes[sample] = Math.round(((trace.memoryGib?.[at] ?? 0) || 0) * noise * 2 ** 18) * 4096
  }
  return { cores, bytes }
}

export type DayPack = Pick<CompactDay, 'bytes' | 'summary'>

/** Returns one row and one summary per day, as they are stored. */
export function packsOf({ cores, bytes }: Month, step: number): DayPack[] {
  return Array.from({ length: days }, (_, day) => {
    const digests = Array.from({ length: 24 }, (_, hour) => {
      const digest = emptyDigest(startHour + day * 24 + hour)
      for (let sample = 0; sample < 60 / step; sample++) {
        const at = ((day * 24 + hour) * 60) / step + sample
        const microcores = Math.round(cores[at]! * 1e6)
        digest.cpu.add(microcores, 60 * step, microcores * 60 * step)
        digest.memory.add(bytes[at]!)
      }
      digest.samples = 120 / step
      digest.firstAt = digest.hour * hourSeconds
      digest.lastAt = digest.hour * hourSeconds + 3600 - 60 * step
      digest.node = { at: digest.lastAt, text: 'ip-10-20-30-40.eu-west-1.compute.internal' }
      digest.workload = { at: digest.lastAt, text: 'Deployment/checkout-service' }
      return digest
    })
    return { bytes: encodeDigests(digests), summary: summariseDay(digests) }
  })
}

/** Keys sort by the number of the container. */
export const keyOf = (container: number): string =>
  subjectKey({
    kind: 'container',
    cluster: 'production',
    namespace: 'team',
    pod: `${String(container).padStart(6, '0')}-checkout-service-7d9f8b6c5-x2k9p`,
    container: 'app',
  })
