import { publicPolicyNamed } from '../rightsizing/estimators/public-policies.ts'
import { resourceHistory, viewAt } from '../rightsizing/history/history.ts'
import type { Resource, UsageSpan } from '../rightsizing/input.ts'
import { floors } from '../rightsizing/model/grid.ts'
import type { Band } from '../rightsizing/workload.ts'
import { type Amount, noAmount, type SizeBand, type SizedMachine, type SizedProcess } from './machine.ts'
import type { MachineHours } from './machine-hours.ts'
import { minJudgedSize, type ProcessReading } from './read-process.ts'
import type { ProcessAdvisor } from './reading-deps.ts'

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

/** The input of right-sizing for a process. */
interface ProcessHistory {
  spans(): readonly UsageSpan[]
  /** What it stayed at or below for 99% of the time (CPU), and always (memory). */
  readonly high: Amount
}

/** What a process needs, from however little is known of it. */
export function recommendedSize(advise: ProcessAdvisor, history: ProcessHistory, atHour: number): SizeBand {
  const { high } = history
  if (high.cores < minJudgedSize.cores && high.gib < minJudgedSize.gib)
    return { target: high, lower: high, upper: high }
  const spans = history.spans()
  const advice = advise({ spans }, { atHour, prices: free })
  const sized = (resource: Resource, target: number | undefined, highest: number): number => {
    const size = target ?? fromLittle(resource, spans, atHour)
    // The least size is a container's, which asks for it alone. Of processes there are hundreds on a machine that idles.
    return size <= leastSize(resource) ? Math.min(size, highest) : size
  }
  const at = (place: keyof Band): Amount => ({
    cores: sized('cpu', advice.cpu?.[place], high.cores),
    gib: sized('memory', advice.memory?.[place], high.gib),
  })
  return { target: at('target'), lower: at('lower'), upper: at('upper') }
}

/**
 * Minutes are too few to judge a container by, which would be restarted for it; here nothing happens but a look.
 * A fifth stays free.
 */
function fromLittle(resource: Resource, spans: readonly UsageSpan[], atHour: number): number {
  return simple[resource](viewAt(resourceHistory(spans, resource), atHour)).value ?? 0
}

const simple = publicPolicyNamed('azure-advisor')!

/** Sizes are rounded up to millicores and MiB. */
const leastSize = (resource: Resource): number => floors[resource] + (resource === 'cpu' ? 0.001 : 1 / 1024)

/** Nothing is set, so that no change is too small to be worth it. */
const free = { corePerHourUsd: 0, gibPerHourUsd: 0 }
