/** Smaller changes are noise, and every change restarts a pod. */
const leastChange = 0.1
const leastUsdPerDay = 0.01

interface SizeChange {
  /** Cores or GiB; undefined where nothing is asked for now. */
  readonly from: number | undefined
  readonly to: number
  /** Over all replicas. */
  readonly usdPerDay: number
  /** It was killed or held back for want of it: then no raise is too small. */
  readonly suffers: boolean
}

/** Why a change is not proposed; undefined where it is. */
export function reasonNotToChange({ from, to, usdPerDay, suffers }: SizeChange): string | undefined {
  if (from === undefined || !(from > 0)) return undefined
  if (suffers && to > from) return undefined
  if (Math.abs(to - from) < leastChange * from * (1 - 1e-9))
    return 'a change of less than 10% is not proposed'
  if (Math.abs(usdPerDay) < leastUsdPerDay) return 'a change worth less than a cent a day is not proposed'
  return undefined
}
