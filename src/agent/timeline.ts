import type { Clock } from '../domain/time.ts'
import type { HostReading } from './sampler.ts'

export interface SampleTime {
  readonly timeMs: number
  /** Time of the last measurement, on the current clock; undefined at the first. */
  readonly lastMs: number | undefined
  /** By how much the clock was set since the last measurement; 0 if it was not, negative if it was set back. */
  readonly jumpMs: number
}

/** The system clock may be set, or stand still in sleep: time between measurements is taken from the monotonic clock. */
export class Timeline {
  readonly #wall: Clock
  readonly #monotonic: Clock
  #last: { wallMs: number; monotonicMs: number } | undefined

  constructor(wall: Clock, monotonic: Clock) {
    this.#wall = wall
    this.#monotonic = monotonic
  }

  next(): SampleTime {
    const last = this.#last
    const wallMs = Math.round(this.#wall())
    const monotonicMs = this.#monotonic()
    this.#last = { wallMs, monotonicMs }
    if (last === undefined) return { timeMs: wallMs, lastMs: undefined, jumpMs: 0 }
    const elapsedMs = Math.round(monotonicMs - last.monotonicMs)
    const jumpMs = wallMs - last.wallMs - elapsedMs
    return Math.abs(jumpMs) < notableMs
      ? { timeMs: wallMs, lastMs: last.wallMs, jumpMs: 0 }
      : { timeMs: wallMs, lastMs: wallMs - elapsedMs, jumpMs }
  }
}

/** Time servers slew a clock by less than a second between two measurements. */
const notableMs = 2000

export function measurementGaps(reading: HostReading): string[] {
  const { hidepid, hiddenProcesses, scaledProcesses, processes, hasCgroupCounters } = reading
  const gaps: string[] = []
  if (hidepid !== 'off')
    gaps.push(
      `/proc is mounted with hidepid (${hidepid}): processes of other users may be missing; their CPU time is counted as "(unseen)", their memory is not`,
    )
  if (hiddenProcesses > 0) gaps.push(`${hiddenProcesses} processes cannot be read by this user`)
  if (scaledProcesses > 0)
    gaps.push(
      `the memory of ${scaledProcesses} of ${processes} processes is estimated from their resident set size: their proportional set size cannot be read, because they have just ended or because this user lacks CAP_SYS_PTRACE`,
    )
  if (!hasCgroupCounters)
    gaps.push(
      'cgroup counters cannot be read: CPU time of short-lived processes is counted for the machine, not for their cgroups',
    )
  return gaps
}
