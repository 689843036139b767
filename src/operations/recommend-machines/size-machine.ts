import { type Amount, noAmount, type SizeBand, type SizedMachine, type SizedProcess } from './machine.ts'
import type { MachineHours } from './machine-hours.ts'
import type { ProcessReading } from './read-process.ts'
import type { ProcessAdvisor } from './reading-deps.ts'
import { recommendedSize } from './recommended-size.ts'

/** Unseen for longer before the machine's last hour, a process has ended, and its size is not counted. */
const endedAfterHours = 24
/** Nineteen of twenty hours. */
const busyShare = 0.95

interface MachineReading {
  readonly vm: string
  readonly processes: readonly JudgedProcess[]
  readonly hours: MachineHours
}

export interface JudgedProcess extends Omit<ProcessReading, 'spans'> {
  readonly asked: SizeBand
}

/** Sizes a process immediately, so that its whole history is not held until the machine is read. */
export function judgeProcess(advise: ProcessAdvisor, reading: ProcessReading, atHour: number): JudgedProcess {
  const { spans, ...rest } = reading
  return { ...rest, asked: recommendedSize(advise, reading, atHour) }
}

/** Facts that need all processes: how long the machine was measured, and its last hour. */
export function sizeMachine({ vm, processes, hours }: MachineReading, createdAt: number): SizedMachine {
  const { watchedHours, latest } = hours
  return {
    vm,
    processes: processes.map((process) => sizeProcess(process, hours, watchedHours, latest)),
    watchedHours,
    busyCores: hours.coresAt(busyShare),
    createdAt,
  }
}

function sizeProcess(
  process: JudgedProcess,
  hours: MachineHours,
  watchedHours: number,
  latest: number,
): SizedProcess {
  const { key, subject, median, used, firstHour, lastHours, asked } = process
  const ended = lastHours.at(-1)!.hour < latest - endedAfterHours
  const now = lastHours.find(({ hour }) => hour === latest)
  const share = now === undefined ? 0 : partOf(now.seconds, hours.secondsIn(latest))
  return {
    key,
    subject,
    baseline: median,
    current: now === undefined ? noAmount : { cores: now.cores * share, gib: now.gib * share },
    recommended: ended ? noAmount : asked.target,
    lower: ended ? noAmount : asked.lower,
    upper: ended ? noAmount : asked.upper,
    mean: over(used, watchedHours) ?? median,
    expected: ended ? noAmount : (over(used, hours.watchedSince(firstHour)) ?? median),
  }
}

const over = ({ cores, gib }: Amount, hours: number): Amount | undefined =>
  hours > 0 ? { cores: cores / hours, gib: gib / hours } : undefined

/** Where one sample is all there is, no time has passed yet. */
const partOf = (seconds: number, all: number): number => (all > 0 ? Math.min(1, seconds / all) : 1)
