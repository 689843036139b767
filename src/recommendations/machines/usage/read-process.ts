import type { ProcessSubject } from '../../../domain/subject.ts'
import { hourSeconds } from '../../../domain/time.ts'
import type { UsageSpan } from '../../../rightsizing/input.ts'
import { floors } from '../../../rightsizing/model/grid.ts'
import { gibBytes, microcores } from '../../../usage/digest/digest.ts'
import type { StoredSubject } from '../../../usage/port.ts'
import type { PodReader } from '../../../usage/reading/pod-reader.ts'
import type { HourRange } from '../../../usage/reading/pod-usage.ts'
import type { Amount } from './machine.ts'
import type { MachineHours } from './machine-hours.ts'

/** The usage of one subject in a window. */
export interface ProcessReading {
  readonly key: string
  readonly subject: ProcessSubject
  spans(): readonly UsageSpan[]
  readonly median: Amount
  /** Usage that was not exceeded for 99% of the time (CPU), or never (memory). */
  readonly high: Amount
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
  /** Mean usage while the process ran. */
  readonly cores: number
  readonly gib: number
}

/** Returns undefined if the process was not seen in these hours. Adds its usage to the machine's hours. */
export function readProcess(
  reader: PodReader,
  stored: StoredSubject,
  subject: ProcessSubject,
  hours: HourRange,
  latestHour: number,
  machine: MachineHours,
): ProcessReading | undefined {
  const readSpans = () => reader.readPod(noContainer, stored, hours, latestHour)
  // Most processes are too small to be sized from their spans. The spans are read at once only for those that are
  // certainly large enough.
  const withSpans = reader.leastPeakGib(stored) > minAnalysedSize.gib ? readSpans() : undefined
  const usage = withSpans ?? reader.readTotals(stored, hours)
  if (usage === undefined) return undefined
  let [coreHours, gibHours] = [0, 0]
  const lastHours: HourOfProcess[] = []
  const { use, cpu, memory } = usage
  for (let index = 0; index < use.length; index++) {
    const [hour, seconds] = [use.hours[index]!, use.seconds[index]!]
    const [cores, gib] = [use.cores[index]!, use.gib[index]!]
    coreHours += (cores * seconds) / hourSeconds
    gibHours += (gib * seconds) / hourSeconds
    machine.add(hour, seconds, cores)
    if (index >= use.length - 2) lastHours.push({ hour, seconds, cores, gib })
  }
  return {
    key: stored.key,
    subject,
    spans: () => (withSpans ?? readSpans()!).spans,
    median: amountOf(cpu.quantile(0.5), memory.quantile(0.5)),
    high: amountOf(cpu.quantile(0.99), memory.max),
    used: { cores: coreHours, gib: gibHours },
    firstHour: use.hours[0]!,
    lastHours,
  }
}

/**
 * Most processes of a machine are idle all the time. One that stays below the minimum size with a margin of a quarter
 * gets its highest usage as its size, so a longer analysis would not change the result.
 */
export const minAnalysedSize: Amount = { cores: floors.cpu / 1.25, gib: floors.memory / 1.25 }

const amountOf = (micro: number, bytes: number): Amount => ({
  cores: (micro || 0) / microcores,
  gib: (bytes || 0) / gibBytes,
})

/** The digests of a process are read like those of a container. */
const noContainer = { kind: 'container', cluster: '', namespace: '', pod: '', container: '' } as const
