import type { Amount, SizeBand } from '../../../decisions/processes/size-process.ts'
import type { ProcessSubject } from '../../../domain/subject.ts'
import { noAmount, type SizedMachine, type SizedProcess } from './machine.ts'
import type { MachineHours } from './machine-hours.ts'
import type { ProcessReading } from './read-process.ts'

/**
 * A process that was not seen for longer than this before the machine's last hour has ended, and its size is not
 * counted.
 */
const endedAfterHours = 24
const busyShare = 0.95

interface MachineReading {
  readonly vm: string
  readonly processes: readonly ProcessDraft[]
  readonly hours: MachineHours
}

export interface ProcessDraft extends ProcessReading {
  readonly key: string
  readonly subject: ProcessSubject
  readonly size: SizeBand
  readonly median: Amount | undefined
}

/** Adds what depends on all processes: how long the machine was measured, and its last hour. */
export function sizeMachine({ vm, processes, hours }: MachineReading, createdAt: number): SizedMachine {
  const { measuredHours, latest } = hours
  return {
    vm,
    processes: processes.map((process) => sizeProcess(process, hours, measuredHours, latest)),
    measuredHours,
    busyCores: hours.coresAt(busyShare),
    createdAt,
  }
}

function sizeProcess(
  process: ProcessDraft,
  hours: MachineHours,
  measuredHours: number,
  latest: number,
): SizedProcess {
  const { key, subject, median, used, firstHour, lastHours, size } = process
  const last = lastHours.at(-1)!
  const ended = last.hour < latest - endedAfterHours
  const now = lastHours.find(({ hour }) => hour === latest)
  const share = now === undefined ? 0 : partOf(now.seconds, hours.secondsIn(latest))
  return {
    key,
    subject,
    baseline: median,
    current: now === undefined ? noAmount : { cores: now.cores * share, gib: now.gib * share },
    recommended: ended ? noAmount : size.target,
    lower: ended ? noAmount : size.lower,
    upper: ended ? noAmount : size.upper,
    mean: over(used, measuredHours) ?? last,
    expected: ended ? noAmount : (over(used, hours.measuredSince(firstHour)) ?? last),
  }
}

const over = ({ cores, gib }: Amount, hours: number): Amount | undefined =>
  hours > 0 ? { cores: cores / hours, gib: gib / hours } : undefined

/** A single sample covers no time, so its value counts fully. */
const partOf = (seconds: number, all: number): number => (all > 0 ? Math.min(1, seconds / all) : 1)
