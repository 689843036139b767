import { type Period, useCluster, usePeriod } from '../app/period.ts'
import { usePlace } from '../app/router.ts'

/** What sizes are asked for: of which period and cluster, and at which risk. */
export interface SizingPreference {
  readonly period: Period
  /** Undefined: all. */
  readonly cluster: string | undefined
  /** Undefined: as the organisation usually does. */
  readonly profile: string | undefined
  /** A share that stands for the profile; undefined: the profile's own. Not a number where the address has nonsense. */
  readonly risk: number | undefined
}

/** As the address says. */
export function useSizingPreference(): SizingPreference {
  const { params } = usePlace()
  return {
    period: usePeriod(),
    cluster: useCluster(),
    profile: params.get('profile') ?? undefined,
    risk: params.get('risk') ? Number(params.get('risk')) : undefined,
  }
}
