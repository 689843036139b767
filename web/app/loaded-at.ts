import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Away } from '../api/problem.ts'

/** A query of the current page; `dataUpdatedAt` is 0 until it has data. */
interface ShownQuery {
  readonly state: {
    readonly dataUpdatedAt: number
    readonly error: Error | null
    readonly fetchMeta: { readonly fetchMore?: unknown } | null
  }
}

/**
 * Whether the service did not renew data. If it was away, the data is loaded again when it is back. Pages report
 * themselves if more rows could not be loaded.
 */
export const isNotRenewed = ({ state: { dataUpdatedAt, error, fetchMeta } }: ShownQuery): boolean =>
  dataUpdatedAt > 0 && error !== null && !(error instanceof Away) && fetchMeta?.fetchMore == null

/** Returns when the oldest data was loaded, in milliseconds since 1970, or undefined if there is none. */
export function oldestLoad(queries: readonly ShownQuery[]): number | undefined {
  const times = queries.map(({ state }) => state.dataUpdatedAt).filter((time) => time > 0)
  return times.length === 0 ? undefined : Math.min(...times)
}

/** Returns when the data that the current page shows was loaded, or the part of it to which a condition applies. */
export function useLoadedAt(predicate: (query: ShownQuery) => boolean = () => true): number | undefined {
  const cache = useQueryClient().getQueryCache()
  return useSyncExternalStore(
    (follower) => cache.subscribe(follower),
    () => oldestLoad(cache.findAll({ type: 'active', predicate })),
  )
}
