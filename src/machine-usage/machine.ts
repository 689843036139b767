import type { ProcessSubject } from '../domain/subject.ts'

/** Cores and GiB. */
export interface Amount {
  readonly cores: number
  readonly gib: number
}

/** A size and what it is likely to lie between. */
export interface SizeBand {
  readonly target: Amount
  readonly lower: Amount
  readonly upper: Amount
}

/** The processes of one name in one cgroup of a machine, over a window. */
export interface SizedProcess {
  readonly key: string
  readonly subject: ProcessSubject
  /** The median while it ran. */
  readonly baseline: Amount
  /** The mean of the machine's latest hour; 0 where it did not run then. */
  readonly current: Amount
  /** What right-sizing asks for; 0 once it has ended. */
  readonly recommended: Amount
  readonly lower: Amount
  readonly upper: Amount
  /** Over all the time the machine was watched. */
  readonly mean: Amount
  /** What is to be expected of it: the mean over the time since it was first seen; 0 once it has ended. */
  readonly expected: Amount
}

export interface SizedMachine {
  readonly vm: string
  /** In order of group, name and cgroup. */
  readonly processes: readonly SizedProcess[]
  /** Hours of the window in which it was watched, parts as parts. */
  readonly watchedHours: number
  /** In nineteen of twenty hours all its processes together used no more cores than this, on average of the hour. */
  readonly busyCores: number
  /** Milliseconds since 1970: when this was worked out. */
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
