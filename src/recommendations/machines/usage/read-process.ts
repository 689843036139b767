import type { Amount } from '../../../decisions/processes/size-process.ts'
import { hourSeconds } from '../../../domain/time.ts'
import type { HourlyUse } from '../../../usage/reading/hourly-use.ts'
import type { MachineHours } from './machine-hours.ts'

export interface ProcessReading {
  /** Core-hours and GiB-hours. */
  readonly used: Amount
  readonly firstHour: number
  /** The last hours in which the process was seen, oldest first; at most two. */
  readonly lastHours: readonly HourOfProcess[]
}

interface HourOfProcess {
  /** Hours since 1970. */
  readonly hour: number
  readonly seconds: number
  readonly cores: number
  readonly gib: number
}

export function readProcess(use: HourlyUse, machine: MachineHours): ProcessReading {
  const { length, hours, seconds, cores, gib } = use
  let [coreSeconds, gibSeconds] = [0, 0]
  for (let at = 0; at < length; at++) {
    coreSeconds += cores[at]! * seconds[at]!
    gibSeconds += gib[at]! * seconds[at]!
  }
  machine.add(use)
  const hourAt = (at: number) => ({
    hour: hours[at]!,
    seconds: seconds[at]!,
    cores: cores[at]!,
    gib: gib[at]!,
  })
  return {
    used: { cores: coreSeconds / hourSeconds, gib: gibSeconds / hourSeconds },
    firstHour: hours[0]!,
    lastHours: [...(length > 1 ? [hourAt(length - 2)] : []), hourAt(length - 1)],
  }
}
