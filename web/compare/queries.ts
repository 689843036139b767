import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import type { Comparison, ComparisonBody } from './comparison.ts'

const longWhileMs = 300_000

export function useProviders(enabled = true) {
  return useQuery({
    queryKey: ['providers'],
    queryFn: ({ signal }) => answer(service.GET('/providers', { signal })),
    enabled,
    staleTime: longWhileMs,
  })
}

export function useOwnProviders() {
  return useQuery({
    queryKey: ['marketplace'],
    queryFn: ({ signal }) => answer(service.GET('/marketplace/providers', { signal })),
  })
}

/** Loads types that match the text while the user types. */
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

/** Loads all that is known about one type. */
export const useTypeDetails = (provider: string, type: string, region?: string) =>
  useQuery(typeDetails(provider, type, region))

export const typeDetails = (provider: string, type: string, region?: string) =>
  queryOptions({
    queryKey: ['type', provider, type, region],
    queryFn: ({ signal }) =>
      answer(
        service.GET('/v1/instance_types/{provider}/{type}', {
          params: { path: { provider, type }, query: region === undefined ? {} : { region } },
          signal,
        }),
      ),
    enabled: type !== '' && provider !== '',
    staleTime: longWhileMs,
  })

/** Loads one type of a common size from each provider, as examples. */
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

export const namedType = ({ kind, provider, type }: Comparison): [provider: string, type: string] =>
  kind === 'type' ? [provider, type] : ['', '']

export function useComparison(body: ComparisonBody | undefined) {
  return useQuery({
    queryKey: ['comparison', body],
    queryFn: ({ signal }) => answer(service.POST('/v1/comparisons', { body: body!, signal })),
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
  })
}
