import type { Amount } from '../../../decisions/processes/size-process.ts'
import type { ProcessSubject } from '../../../domain/subject.ts'

export interface SizedProcess {
  readonly key: string
  readonly subject: ProcessSubject
  /** Median usage while the process ran; undefined unless it was requested. */
  readonly baseline: Amount | undefined
  /** Mean usage in the machine's latest hour; 0 if the process did not run then. */
  readonly current: Amount
  /** The recommended size; 0 once the process has ended. */
  readonly recommended: Amount
  readonly lower: Amount
  readonly upper: Amount
  /** Mean usage over all the time in which the machine was measured. */
  readonly mean: Amount
  /** Expected usage: the mean since the process was first seen; 0 once it has ended. */
  readonly expected: Amount
}

export interface SizedMachine {
  readonly vm: string
  readonly processes: readonly SizedProcess[]
  /** Hours of the window in which the machine was measured, with fractions. */
  readonly measuredHours: number
  /** In nineteen of twenty hours all processes together used at most this many cores, as a mean over the hour. */
  readonly busyCores: number
  /** When its sizes were decided, in milliseconds since 1970. */
  readonly createdAt: number
}

export const noAmount: Amount = { cores: 0, gib: 0 }

export function sumOf(processes: readonly SizedProcess[], read: (process: SizedProcess) => Amount): Amount {
  let [cores, gib] = [0, 0]
  for (const process of processes) {
    const amount = read(process)
    cores += amount.cores
    gib += amount.gib
  }
  return { cores, gib }
}
