import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { answer, service } from '../api/client.ts'
import { type Answer, candidatesOf } from './candidates.ts'
import {
  type Comparison,
  type InstanceType,
  largerBy,
  largerRequest,
  type RecommendationBody,
} from './comparison.ts'

const longWhileMs = 300_000

export function useProviders() {
  return useQuery({
    queryKey: ['providers'],
    queryFn: ({ signal }) => answer(service.GET('/providers', { signal })),
    staleTime: longWhileMs,
  })
}

export function useOwnProviders() {
  return useQuery({
    queryKey: ['marketplace'],
    queryFn: ({ signal }) => answer(service.GET('/marketplace/providers', { signal })),
  })
}

/** Types while one types. */
export function useTypes(text: string, enabled: boolean) {
  return useQuery({
    queryKey: ['types', text],
    queryFn: ({ signal }) =>
      answer(service.GET('/catalogue/types', { params: { query: { q: text, limit: 30 } }, signal })),
    enabled,
    placeholderData: keepPreviousData,
    staleTime: longWhileMs,
  })
}

/** The type that the address names; null where there is none. */
export function useNamedType({ kind, provider, type }: Comparison) {
  return useQuery({
    queryKey: ['type', provider, type],
    queryFn: async ({ signal }): Promise<InstanceType | null> => {
      const query = { q: type, provider, limit: 100 }
      const found = await answer(service.GET('/catalogue/types', { params: { query }, signal }))
      return found.find((each) => each.instance_type.toLowerCase() === type.toLowerCase()) ?? null
    },
    enabled: kind === 'type' && type !== '' && provider !== '',
    staleTime: longWhileMs,
  })
}

/** One type of a usual size from each provider, to begin with. */
export function useExamples(enabled: boolean) {
  return useQuery({
    queryKey: ['examples'],
    queryFn: async ({ signal }) => {
      const query = { cpu_cores: 4, ram_gb: 16, limit: 100 }
      const found = await answer(service.GET('/catalogue/types', { params: { query }, signal }))
      const usual = found.filter((each) => each.usage_types.includes('ONDEMAND') && each.gpu === null)
      const widest = usual.sort((a, b) => b.regions.length - a.regions.length)
      return [...Map.groupBy(widest, ({ provider_key }) => provider_key).values()].map(([first]) => first!)
    },
    enabled,
    staleTime: longWhileMs,
  })
}

export function useRecommendations(body: RecommendationBody | undefined) {
  return useQuery({
    queryKey: ['recommendations', body],
    queryFn: async ({ signal }) =>
      candidatesOf(await answer(service.POST('/recommendations', { body: body!, signal }))),
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
  })
}

/** The answer with larger machines that still cost less than today's, for a picture of the market; it fills by and by. */
export function useMarket(found: Answer, body: RecommendationBody, what: 'cores' | 'memory'): Answer {
  const larger = useQueries({
    queries: largerBy.map((factor) => {
      const asked = largerRequest(body, factor, what)
      return {
        queryKey: ['recommendations', asked],
        queryFn: async ({ signal }: { signal: AbortSignal }) =>
          candidatesOf(await answer(service.POST('/recommendations', { body: asked, signal }))),
      }
    }),
    combine: (asked) => asked.flatMap(({ data }) => data?.candidates ?? []),
  })
  return useMemo(() => {
    const all = new Map([...found.candidates, ...larger].map((each) => [each.id, each]))
    return { ...found, candidates: [...all.values()] }
  }, [found, larger])
}
