import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { nextCursor } from './next-cursor.ts'

/** Loads all rows of a list. Pages are loaded one after the other, and the rows loaded so far are shown meanwhile. */
export function useAllPages<Row>(
  queryKey: readonly unknown[],
  ask: (cursor: { cursor?: string }, signal: AbortSignal) => Promise<{ data: Row[]; response: Response }>,
  enabled = true,
) {
  const asked = useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const { data, response } = await ask(pageParam === undefined ? {} : { cursor: pageParam }, signal)
      return { data, next: nextCursor(response.headers.get('link')) }
    },
    getNextPageParam: ({ next }) => next,
    enabled,
  })
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = asked
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  const rows = useMemo(() => asked.data?.pages.flatMap(({ data }) => data), [asked.data])
  return { rows, error: asked.error, refetch: asked.refetch, hasNextPage }
}
