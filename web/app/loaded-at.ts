import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** A query of the current page; `dataUpdatedAt` is 0 until it has data. */
interface ShownQuery {
  readonly state: { readonly dataUpdatedAt: number }
}

/** Returns when the oldest data was loaded, in milliseconds since 1970, or undefined if there is none. */
export function oldestLoad(queries: readonly ShownQuery[]): number | undefined {
  const times = queries.map(({ state }) => state.dataUpdatedAt).filter((time) => time > 0)
  return times.length === 0 ? undefined : Math.min(...times)
}

/** Returns when the data that the current page shows was loaded. */
export function useLoadedAt(): number | undefined {
  const cache = useQueryClient().getQueryCache()
  return useSyncExternalStore(
    (follower) => cache.subscribe(follower),
    () => oldestLoad(cache.findAll({ type: 'active' })),
  )
}
