import { type ProcessGroup, processGroupOf } from '../../domain/process-group.ts'
import type { Process } from '../proc/process-table.ts'

/** All processes of one name in one cgroup, including those that have ended. */
export interface Group {
  readonly process: string
  readonly cgroup: string
  readonly group: ProcessGroup
  /** CPU time since the group was first seen. It never decreases, even if processes end. */
  cpuSeconds: number
  /** The value of `cpuSeconds` at the previous measurement. */
  lastCpuSeconds: number
  /** undefined if the group has no live process. */
  memoryBytes: number | undefined
  processes: number
  /** The last two measurements in which the group had a process or was credited CPU time. */
  lastMeasurement: number
  previousMeasurement: number
}

/** Names of groups that are not a process name. The brackets resemble those of ps for processes without a command line. */
export const unseenName = '(unseen)'
export const interruptsName = '(interrupts)'
const otherName = '(other)'

export interface GroupLimits {
  readonly maxGroups: number
  /** A group without activity for this many measurements is removed. */
  readonly maxIdleMeasurements: number
}

/** Finds or creates groups. When there are too many, all new ones are counted as one group. */
export class ProcessGroupTable {
  readonly #limits: GroupLimits
  readonly #groups = new Map<string, Group>()
  readonly #ofProcess = new WeakMap<Process, { name: string; cgroup: string; group: Group }>()
  #measurement = 0

  constructor(limits: GroupLimits) {
    this.#limits = limits
  }

  startMeasurement(): void {
    this.#measurement++
    for (const [key, group] of this.#groups)
      if (this.#measurement - group.lastMeasurement > this.#limits.maxIdleMeasurements)
        this.#groups.delete(key)
  }

  ofProcess(process: Process): Group {
    const { name, cgroupPaths } = process
    const known = this.#ofProcess.get(process)
    if (
      known !== undefined &&
      known.name === name &&
      known.cgroup === cgroupPaths.shown &&
      this.#holds(known.group)
    )
      return this.#seen(known.group)
    const group = this.named(name, cgroupPaths.shown, process.kernelThread ? 'system' : undefined)
    this.#ofProcess.set(process, { name, cgroup: cgroupPaths.shown, group })
    return group
  }

  named(process: string, cgroup: string, as?: ProcessGroup): Group {
    const key = keyOf(process, cgroup, as ?? '')
    const known = this.#groups.get(key)
    if (known !== undefined) return this.#seen(known)
    if (this.#groups.size >= this.#limits.maxGroups && process !== otherName)
      return this.named(otherName, '/')
    const group: Group = {
      process,
      cgroup,
      group: as ?? processGroupOf(cgroup),
      cpuSeconds: 0,
      lastCpuSeconds: 0,
      memoryBytes: undefined,
      processes: 0,
      lastMeasurement: 0,
      previousMeasurement: 0,
    }
    this.#groups.set(key, group)
    return this.#seen(group)
  }

  /** Groups that had a process or were credited CPU time in this measurement. */
  current(): Group[] {
    return [...this.#groups.values()].filter((group) => group.lastMeasurement === this.#measurement)
  }

  #seen(group: Group): Group {
    if (group.lastMeasurement !== this.#measurement) {
      group.previousMeasurement = group.lastMeasurement
      group.lastMeasurement = this.#measurement
      group.lastCpuSeconds = group.cpuSeconds
      group.memoryBytes = undefined
      group.processes = 0
    }
    return group
  }

  #holds(group: Group): boolean {
    return this.#measurement - group.lastMeasurement <= this.#limits.maxIdleMeasurements
  }
}

const keyOf = (process: string, cgroup: string, as: string): string => `${as}\0${process}\0${cgroup}`
