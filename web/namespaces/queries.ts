import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useAllPages } from '../api/all-pages.ts'
import { answer, answerWithResponse, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import type { SizingPreference } from './sizing-preference.ts'

export type Namespace =
  paths['/v1/namespace_recommendations']['get']['responses'][200]['content']['application/json'][number]
export type Container = Namespace['ContainerRecommendations'][string]
export type ManifestFormat = NonNullable<
  paths['/v1/namespace_recommendations/{cluster}/{namespace}/manifests']['get']['parameters']['query']
>['format']

/** As many as the service lists at once, so that several sequential pages are rare. */
const pageNamespaces = 1000

const asked = ({ period: { start_date, end_date }, profile, risk }: SizingPreference) => ({
  start_date,
  end_date,
  ...(profile === undefined ? {} : { profile }),
  ...(risk === undefined ? {} : { risk }),
})

export function useNamespaces(preference: SizingPreference) {
  return useAllPages(['namespaces', preference], (cursor, signal) => {
    const of = preference.cluster === undefined ? {} : { cluster: preference.cluster }
    const query = { ...asked(preference), ...of, limit: pageNamespaces, ...cursor }
    return answerWithResponse(service.GET('/v1/namespace_recommendations', { params: { query }, signal }))
  })
}

/** Loads one namespace with the distribution of its usage. The result is null if nothing ran in it. */
export function useNamespace(cluster: string, namespace: string, preference: SizingPreference) {
  return useQuery({
    queryKey: ['namespace', cluster, namespace, preference],
    queryFn: async ({ signal }) => {
      const query = { ...asked(preference), cluster, namespace, explain: true }
      const found = await answer(service.GET('/v1/namespace_recommendations', { params: { query }, signal }))
      return found.find((each) => each.Cluster === cluster && each.Namespace === namespace) ?? null
    },
    placeholderData: keepPreviousData,
  })
}

export function useManifest(
  cluster: string,
  namespace: string,
  preference: SizingPreference,
  format: string,
) {
  return useQuery({
    queryKey: ['manifest', cluster, namespace, preference, format],
    queryFn: async ({ signal }) =>
      (await answer(
        service.GET('/v1/namespace_recommendations/{cluster}/{namespace}/manifests', {
          params: {
            path: { cluster, namespace },
            query: { ...asked(preference), format: format as NonNullable<ManifestFormat> },
          },
          headers: { accept: '*/*' },
          parseAs: 'text',
          signal,
        }),
      )) as unknown as string,
  })
}
