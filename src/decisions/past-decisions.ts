import type { RequestsAndLimits, Workload } from '../rightsizing/workload.ts'
import type { DecisionPlace, DecisionStore } from '../store/port-decisions.ts'
import type { SizeDecision } from './decision.ts'
import { decodeDecision } from './decision-codec.ts'

/** Kills and throttling are remembered for so many days. */
const pastDays = 14
/** Days in which earlier sizes in force count. */
const recentDays = 7

/** Reads the decisions of the two weeks before a day, by container, oldest first. */
export async function readPastDecisions(
  store: DecisionStore,
  organisation: string,
  place: DecisionPlace,
  names: readonly string[],
  day: number,
): Promise<ReadonlyMap<string, readonly SizeDecision[]>> {
  const past = new Map<string, SizeDecision[]>()
  for (const stored of await store.read(organisation, place, names, { from: day - pastDays, to: day })) {
    const decision = decodeDecision(stored)
    if (decision !== undefined) past.getOrInsertComputed(stored.name, () => []).push(decision)
  }
  return past
}

type Settings = Pick<Workload, 'largest' | 'replaced' | 'limitsSince'>

/**
 * What earlier decisions say about the requests and limits of a container: the largest of the last seven days, those before the
 * current ones, and the hour since which no smaller one was in force. All are absent if no earlier decision says more than the
 * current settings do.
 */
export function settingsSince(
  past: readonly SizeDecision[],
  current: RequestsAndLimits,
  { day, hour }: { readonly day: number; readonly hour: number },
): Settings {
  const recent = past.filter((decision) => decision.day >= day - recentDays)
  const settings = recent.map((one) => one.current)
  const replaced = replacedBy(current, settings)
  return {
    ...(recent.length === 0 ? {} : { largest: largestOf([...settings, current]) }),
    ...(replaced === undefined ? {} : { replaced }),
    limitsSince: {
      cpuHour: sinceHour(past, current, hour, ({ cpuLimit, cpuRequest }) => cpuLimit ?? cpuRequest),
      memoryHour: sinceHour(
        past,
        current,
        hour,
        ({ memoryLimit, memoryRequest }) => memoryLimit ?? memoryRequest,
      ),
    },
  }
}

const sizeNames = ['cpuRequest', 'cpuLimit', 'memoryRequest', 'memoryLimit'] as const

function largestOf(all: readonly RequestsAndLimits[]): RequestsAndLimits {
  const members = sizeNames.flatMap((name) => {
    const sizes = all.flatMap((one) => one[name] ?? [])
    return sizes.length === 0 ? [] : [[name, Math.max(...sizes)]]
  })
  return Object.fromEntries(members)
}

/** Returns the last size that was another than now, for each name. */
export function replacedBy(
  current: RequestsAndLimits,
  earlier: readonly RequestsAndLimits[],
): RequestsAndLimits | undefined {
  const members = sizeNames.flatMap((name) => {
    const size = earlier.findLast((one) => one[name] !== undefined && one[name] !== current[name])?.[name]
    return size === undefined || current[name] === undefined ? [] : [[name, size]]
  })
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

/** A changed size is decided about within an hour, so that the first decision with the current size says since when it is in force. */
function sinceHour(
  past: readonly SizeDecision[],
  current: RequestsAndLimits,
  hour: number,
  sizeOf: (settings: RequestsAndLimits) => number | undefined,
): number | undefined {
  const size = sizeOf(current)
  if (size === undefined) return undefined
  const smaller = past.findLastIndex((decision) => (sizeOf(decision.current) ?? size) < size * (1 - 1e-9))
  return smaller < 0 ? undefined : (past[smaller + 1]?.evidence.hour ?? hour)
}
