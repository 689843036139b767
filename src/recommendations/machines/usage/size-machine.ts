import { publicPolicyNamed } from '../../../rightsizing/estimators/public-policies.ts'
import { resourceHistory, viewAt } from '../../../rightsizing/history/history.ts'
import type { Resource, UsageSpan } from '../../../rightsizing/input.ts'
import { floors } from '../../../rightsizing/model/grid.ts'
import type { Band } from '../../../rightsizing/workload.ts'
import { type Amount, noAmount, type SizeBand, type SizedMachine, type SizedProcess } from './machine.ts'
import type { MachineHours } from './machine-hours.ts'
import { minAnalysedSize, type ProcessReading } from './read-process.ts'
import type { ProcessAdvisor } from './reading-deps.ts'

/**
 * A process that was not seen for longer than this before the machine's last hour has ended, and its size is not
 * counted.
 */
const endedAfterHours = 24
/** Nineteen of twenty hours. */
const busyShare = 0.95

interface MachineReading {
  readonly vm: string
  readonly processes: readonly ProcessDraft[]
  readonly hours: MachineHours
}

export interface ProcessDraft extends Omit<ProcessReading, 'spans'> {
  readonly size: SizeBand
}

/** Sizes a process immediately, so that its whole history need not be held until the machine is read. */
export function draftProcess(advise: ProcessAdvisor, reading: ProcessReading, atHour: number): ProcessDraft {
  const { spans, ...rest } = reading
  return { ...rest, size: recommendedSize(advise, reading, atHour) }
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
  const ended = lastHours.at(-1)!.hour < latest - endedAfterHours
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
    mean: over(used, measuredHours) ?? median,
    expected: ended ? noAmount : (over(used, hours.measuredSince(firstHour)) ?? median),
  }
}

const over = ({ cores, gib }: Amount, hours: number): Amount | undefined =>
  hours > 0 ? { cores: cores / hours, gib: gib / hours } : undefined

/** A single sample covers no time, so its value counts fully. */
const partOf = (seconds: number, all: number): number => (all > 0 ? Math.min(1, seconds / all) : 1)

/** The input of right-sizing for a process. */
interface ProcessHistory {
  spans(): readonly UsageSpan[]
  /** Usage that was not exceeded for 99% of the time (CPU), or never (memory). */
  readonly high: Amount
}

/** Returns the size that a process needs, even if little is known about it. */
export function recommendedSize(advise: ProcessAdvisor, history: ProcessHistory, atHour: number): SizeBand {
  const { high } = history
  if (high.cores < minAnalysedSize.cores && high.gib < minAnalysedSize.gib)
    return { target: high, lower: high, upper: high }
  const spans = history.spans()
  const advice = advise({ spans }, { atHour, prices: free })
  const sized = (resource: Resource, target: number | undefined, highest: number): number => {
    const size = target ?? fromLittle(resource, spans, atHour)
    // The minimum size is meant for containers. A machine may have hundreds of idle processes, so these get no more
    // than they used.
    return size <= minSize(resource) ? Math.min(size, highest) : size
  }
  const at = (place: keyof Band): Amount => ({
    cores: sized('cpu', advice.cpu?.[place], high.cores),
    gib: sized('memory', advice.memory?.[place], high.gib),
  })
  return { target: at('target'), lower: at('lower'), upper: at('upper') }
}

/**
 * A few minutes of data are too little for a container, which would be restarted for the change. Sizing a process
 * changes nothing, so a simple policy is used; it leaves a fifth free.
 */
function fromLittle(resource: Resource, spans: readonly UsageSpan[], atHour: number): number {
  return simple[resource](viewAt(resourceHistory(spans, resource), atHour)).value ?? 0
}

const simple = publicPolicyNamed('azure-advisor')!

/** Sizes are rounded up to millicores and MiB. */
const minSize = (resource: Resource): number => floors[resource] + (resource === 'cpu' ? 0.001 : 1 / 1024)

/** Prices are 0 because no request is set, so that no change is too small to be worthwhile. */
const free = { corePerHourUsd: 0, gibPerHourUsd: 0 }
