import type { ProcessSubject } from '../domain/subject.ts'
import type { UsageSpan } from '../rightsizing/input.ts'
import { floors } from '../rightsizing/model/grid.ts'
import { gibBytes, hourSeconds, microcores } from '../usage/digest/digest.ts'
import type { StoredSubject } from '../usage/port.ts'
import type { PodReader } from '../usage/reading/pod-reader.ts'
import type { HourRange } from '../usage/reading/pod-usage.ts'
import type { Amount } from './machine.ts'
import type { MachineHours } from './machine-hours.ts'

/** What one subject did in a window. */
export interface ProcessReading {
  readonly key: string
  readonly subject: ProcessSubject
  spans(): readonly UsageSpan[]
  readonly median: Amount
  /** What it stayed at or below for 99% of the time (CPU), and always (memory). */
  readonly high: Amount
  /** Core-hours and GiB-hours. */
  readonly used: Amount
  readonly firstHour: number
  /** The last hours it was seen in, oldest first; two at most. */
  readonly lastHours: readonly HourOfProcess[]
}

interface HourOfProcess {
  /** Hours since 1970. */
  readonly hour: number
  readonly seconds: number
  /** Means while it ran. */
  readonly cores: number
  readonly gib: number
}

/** Undefined if it was not seen in these hours. Adds what was seen to the machine's hours. */
export function readProcess(
  reader: PodReader,
  stored: StoredSubject,
  subject: ProcessSubject,
  hours: HourRange,
  latestHour: number,
  machine: MachineHours,
): ProcessReading | undefined {
  const readSpans = () => reader.readPod(noContainer, stored, hours, latestHour)
  // Most are too small to be judged by their spans; of those that surely are not, the spans are read at once.
  const judged = reader.leastPeakGib(stored) > minJudgedSize.gib ? readSpans() : undefined
  const usage = judged ?? reader.readTotals(stored, hours)
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
    spans: () => (judged ?? readSpans()!).spans,
    median: amountOf(cpu.quantile(0.5), memory.quantile(0.5)),
    high: amountOf(cpu.quantile(0.99), memory.max),
    used: { cores: coreHours, gib: gibHours },
    firstHour: use.hours[0]!,
    lastHours,
  }
}

/**
 * Most processes of a machine wait for years. What stays below the least size with a quarter on top would be given what it
 * used at most, however long it were judged.
 */
export const minJudgedSize: Amount = { cores: floors.cpu / 1.25, gib: floors.memory / 1.25 }

const amountOf = (micro: number, bytes: number): Amount => ({
  cores: (micro || 0) / microcores,
  gib: (bytes || 0) / gibBytes,
})

/** A process's digests are read as a container's are. */
const noContainer = { kind: 'container', cluster: '', namespace: '', pod: '', container: '' } as const
