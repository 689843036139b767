/** Smaller changes are noise, and every change restarts a pod. */
const leastRaise = 0.05
/** Not below the tenth by which manifests round up, or a size that was just applied would be cut again. */
const leastCut = 0.1
const leastUsdPerDay = 0.01

interface SizeChange {
  /** Cores or GiB; undefined where nothing is asked for now. */
  readonly from: number | undefined
  readonly to: number
  /** Requests between these are kept: nearly the same risk asks for them. NaN where none is. */
  readonly keptFrom: number
  readonly keptTo: number
  /** Over all replicas. */
  readonly usdPerDay: number
  /** It was killed or held back for want of it: then no raise is too small. */
  readonly suffers: boolean
}

/** Why a change is not proposed; undefined where it is. A stricter risk never leaves less in force than a looser one. */
export function reasonNotToChange(change: SizeChange): string | undefined {
  const { from, to, keptFrom, keptTo, usdPerDay, suffers } = change
  if (from === undefined || !(from > 0)) return undefined
  if (suffers && to > from) return undefined
  if (to >= from && to < from * (1 + leastRaise) * (1 - 1e-9))
    return 'a raise of less than 5% is not proposed'
  if (to < from && to > from * (1 - leastCut) * (1 + 1e-9)) return 'a cut of less than 10% is not proposed'
  if (from >= keptFrom && from <= keptTo) return 'what is set is right at nearly the same risk'
  if (to < from && usdPerDay > -leastUsdPerDay) return 'a change worth less than a cent a day is not proposed'
  return undefined
}
