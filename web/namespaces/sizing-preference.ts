import { usePlace } from '../state/router.ts'
import { type Period, useCluster, usePeriod } from '../usage/period.ts'

/** Which sizes are requested: for which period and cluster, and with which risk. */
export interface SizingPreference {
  readonly period: Period
  /** Undefined for all clusters. */
  readonly cluster: string | undefined
  /** Undefined for the organisation's default. */
  readonly profile: string | undefined
  /** A share that replaces the profile; undefined if the profile decides. NaN if the address has an invalid value. */
  readonly risk: number | undefined
}

/** Reads the preference from the address. */
export function useSizingPreference(): SizingPreference {
  const { params } = usePlace()
  return {
    period: usePeriod(),
    cluster: useCluster(),
    profile: params.get('profile') ?? undefined,
    risk: params.get('risk') ? Number(params.get('risk')) : undefined,
  }
}
