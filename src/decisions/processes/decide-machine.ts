import { type Clock, dayHours, hourMs } from '../../domain/time.ts'
import { advisorFor } from '../../rightsizing/advisor.ts'
import type { Yielder } from '../../runtime/yielder.ts'
import { StoreUnavailable } from '../../store/port.ts'
import type { DecisionStore } from '../../store/port-decisions.ts'
import type { UsageStore } from '../../usage/port.ts'
import { hourlyHours, PodReader } from '../../usage/reading/pod-reader.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import { lookback } from '../decide-namespace.ts'
import {
  decodeMachineDecision,
  encodeMachineDecision,
  type MachineDecision,
  wholeMachine,
} from './machine-decision.ts'
import { readHistory } from './process-history.ts'
import { type ProcessAdvisor, type SizeBand, sizeProcess } from './size-process.ts'

export interface MachineDecidingDeps {
  readonly store: {
    readonly usage: Pick<UsageStore, 'digests'>
    readonly decisions: Pick<DecisionStore, 'read' | 'write'>
  }
  readonly now: Clock
  readonly adviseProcess: ProcessAdvisor
}

/** The built-in model is used, because models of organisations are trained on containers, not on processes. */
export const newProcessAdvisor = (): ProcessAdvisor => advisorFor({}, {}).recommend

/** The last day of a window that is over, in days since 1970. The decision on it is in force at the end of the window. */
export function decisionDay(window: HourRange, nowMs: number): number {
  const currentHour = Math.floor(nowMs / hourMs)
  const day = Math.floor((Math.min(window.to, currentHour + 1) - 1) / dayHours)
  return currentHour < (day + 1) * dayHours ? day - 1 : day
}

export async function readMachineDecision(
  { store }: Pick<MachineDecidingDeps, 'store'>,
  organisation: string,
  vm: string,
  day: number,
): Promise<MachineDecision | undefined> {
  const days = { from: day, to: day + 1 }
  const [stored] = await store.decisions.read(organisation, { kind: 'process', vm }, [wholeMachine], days)
  return stored && decodeMachineDecision(stored)
}

/** Decides the sizes of all processes of a machine from the usage before the end of a day, and stores them. */
export async function decideMachine(
  { store, now, adviseProcess }: MachineDecidingDeps,
  organisation: string,
  vm: string,
  { day, late }: Pick<MachineDecision, 'day' | 'late'>,
  yielder: Yielder,
): Promise<MachineDecision> {
  const hour = (day + 1) * dayHours
  const hours = lookback(hour)
  const [reader, seen, sizes] = [new PodReader(), new Set<number>(), new Map<string, SizeBand>()]
  const query = { kind: 'process', vm, fromHour: hours.from, toHour: hour } as const
  for await (const stored of store.usage.digests(organisation, {
    ...query,
    summariesBefore: hour - hourlyHours,
  })) {
    const history = readHistory(reader, stored, hours, hour, true)
    if (history === undefined) continue
    sizes.set(stored.key, sizeProcess(adviseProcess, history, hour))
    const { use } = history.usage
    for (let index = 0; index < use.length; index++) seen.add(use.hours[index]!)
    if (yielder.isDue) await yielder.pause()
  }
  const decision = { day, late, decidedAt: now(), seenHours: seen.size, sizes }
  try {
    await store.decisions.write(organisation, { kind: 'process', vm }, [encodeMachineDecision(decision)])
  } catch (error) {
    // The database takes no writes at the moment. The sizes can still be shown.
    if (!(error instanceof StoreUnavailable)) throw error
  }
  return decision
}
