import { largestFirst, type PodGroup, sumOfPods } from './pods.ts'

/** How pods are divided among nodes of their own. */
export interface PartRules {
  /** Empty if no pod is bound to a zone or spread over zones. */
  readonly zones: readonly string[]
  /** Share of the pods of each workload that tolerates spot nodes. */
  readonly spotShare: number
  /** Whether pods whose images exist for arm64 have nodes of their own, which may be of that architecture. */
  readonly splitsArm: boolean
}

/** Pods that run on nodes of their own. */
export interface PodsPart {
  /** The same for the same part of other pods. */
  readonly key: string
  /** Undefined if all zones are alike. */
  readonly zone: string | undefined
  readonly isSpot: boolean
  readonly isArm: boolean
  readonly groups: readonly PodGroup[]
}

/** Divides pods; of workloads that are bound to no zone, each zone has equally many. */
export function dividePods(groups: readonly PodGroup[], rules: PartRules): PodsPart[] {
  const parts = new Map<string, PodGroup[]>()
  const loads = new Map(rules.zones.map((zone) => [zone, 0]))
  const all = sumOfPods(groups)
  const order = largestFirst(groups, all)
  for (const group of [...order.filter(({ zone }) => zone), ...order.filter(({ zone }) => !zone)]) {
    const spot = group.toleratesSpot ? Math.floor(rules.spotShare * group.count + rounding) : 0
    const isArm = rules.splitsArm && group.hasArm64 === true
    for (const [isSpot, count] of [
      [false, group.count - spot],
      [true, spot],
    ] as const)
      for (const [zone, inZone] of countsByZone({ ...group, count }, loads, all))
        if (inZone > 0)
          parts
            .getOrInsertComputed(JSON.stringify([zone, isSpot, isArm]), () => [])
            .push({ ...group, count: inZone })
  }
  return withOneSurge(parts)
}

/** 0.7 x 10 is below 7 in floating-point numbers. */
const rounding = 1e-9

function countsByZone(
  { zone, count, cores, gib }: PodGroup,
  loads: Map<string, number>,
  all: { readonly cores: number; readonly gib: number },
): (readonly [string, number])[] {
  if (loads.size === 0) return [['', count]]
  const share = cores / (all.cores || 1) + gib / (all.gib || 1)
  const add = (name: string, pods: number) => {
    loads.set(name, (loads.get(name) ?? 0) + pods * share)
    return [name, pods] as const
  }
  if (zone !== undefined) return [add(zone, count)]
  const each = Math.floor(count / loads.size)
  const lightest = [...loads].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)).map(([name]) => name)
  return lightest.map((name, index) => add(name, each + (index < count % loads.size ? 1 : 0)))
}

/** Room for a roll-out of the largest workload is needed once, not in every part. */
function withOneSurge(parts: ReadonlyMap<string, readonly PodGroup[]>): PodsPart[] {
  const all = [...parts.values()].flat()
  const surging = largestFirst(
    all.filter(({ surges }) => surges !== false),
    sumOfPods(all),
  )[0]
  const surgingKey = [...parts].find(([, groups]) => groups.some((group) => group === surging))?.[0]
  return [...parts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, groups]) => {
      const [zone, isSpot, isArm] = JSON.parse(key) as [string, boolean, boolean]
      return {
        key,
        zone: zone || undefined,
        isSpot,
        isArm,
        groups: key === surgingKey ? groups : groups.map((group) => ({ ...group, surges: false })),
      }
    })
}
