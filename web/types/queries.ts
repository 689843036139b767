import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { answerWithResponse, service } from '../api/client.ts'
import { nextCursor } from '../api/next-cursor.ts'
import type { paths } from '../api/schema.ts'

type TypesCall = paths['/v1/instance_types']['get']
export type InstanceTypeRow = TypesCall['responses'][200]['content']['application/json'][number]
type Query = NonNullable<TypesCall['parameters']['query']>

const pageTypes = 50
const texts = ['q', 'provider', 'region', 'architecture', 'gpu_model', 'generation', 'kind', 'sort'] as const
const numbers = ['min_cores', 'min_memory_gb', 'min_speed', 'min_local_disk_gb', 'max_cost_per_hour'] as const
export type TypeFilter = (typeof texts)[number] | (typeof numbers)[number]
export const typeFilters: readonly TypeFilter[] = [...texts, ...numbers]

/** Returns the query in the address. Invalid numbers are left out. */
export function typesQuery(params: URLSearchParams): Query {
  const query: Record<string, string | number> = {}
  for (const name of texts) if (params.get(name)) query[name] = params.get(name)!
  for (const name of numbers) {
    const value = Number.parseFloat(params.get(name) ?? '')
    if (Number.isFinite(value) && value > 0) query[name] = value
  }
  return query as Query
}

async function pageOf(query: Query, signal?: AbortSignal) {
  const { data, response } = await answerWithResponse(
    service.GET('/v1/instance_types', { params: { query }, ...(signal && { signal }) }),
  )
  const total = Number(response.headers.get('cheapside-total') ?? data.length)
  return { data, total, next: nextCursor(response.headers.get('link')) }
}

export async function allInstanceTypes(query: Query): Promise<InstanceTypeRow[]> {
  const rows: InstanceTypeRow[] = []
  let cursor: string | undefined
  do {
    const { data, next } = await pageOf({ ...query, limit: 500, ...(cursor !== undefined && { cursor }) })
    rows.push(...data)
    cursor = next
  } while (cursor !== undefined)
  return rows
}

export function useInstanceTypes(query: Query) {
  const asked = useInfiniteQuery({
    queryKey: ['instance-types', query],
    initialPageParam: {} as Pick<Query, 'cursor'>,
    queryFn: ({ pageParam, signal }) => pageOf({ limit: pageTypes, ...query, ...pageParam }, signal),
    getNextPageParam: ({ next: cursor }) => (cursor === undefined ? undefined : { cursor }),
    placeholderData: keepPreviousData,
    staleTime: 300_000,
  })
  const rows = useMemo(() => asked.data?.pages.flatMap(({ data }) => data), [asked.data])
  return { ...asked, rows, total: asked.data?.pages[0]?.total ?? 0 }
}
