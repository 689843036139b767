import { useQuery } from '@tanstack/react-query'
import { useAllPages } from '../api/all-pages.ts'
import { answer, answerWithResponse, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import { windowOf } from '../parts/window-choice.tsx'

export type Namespace =
  paths['/v1/namespace_recommendations']['get']['responses'][200]['content']['application/json'][number]
export type Container = Namespace['ContainerRecommendations'][string]
export type ManifestFormat = NonNullable<
  paths['/v1/namespace_recommendations/{cluster}/{namespace}/manifests']['get']['parameters']['query']
>['format']

const pageNamespaces = 100

export function useNamespaces(days: number) {
  return useAllPages(['namespaces', days], (cursor, signal) => {
    const query = { ...windowOf(days, Date.now()), limit: pageNamespaces, ...cursor }
    return answerWithResponse(service.GET('/v1/namespace_recommendations', { params: { query }, signal }))
  })
}

/** One namespace with how its usage was spread; null where nothing ran in it. */
export function useNamespace(cluster: string, namespace: string, days: number) {
  return useQuery({
    queryKey: ['namespace', cluster, namespace, days],
    queryFn: async ({ signal }) => {
      const query = { ...windowOf(days, Date.now()), cluster, namespace, explain: true }
      const found = await answer(service.GET('/v1/namespace_recommendations', { params: { query }, signal }))
      return found.find((each) => each.Cluster === cluster && each.Namespace === namespace) ?? null
    },
  })
}

export function useManifest(cluster: string, namespace: string, days: number, format: string) {
  return useQuery({
    queryKey: ['manifest', cluster, namespace, days, format],
    queryFn: async ({ signal }) =>
      (await answer(
        service.GET('/v1/namespace_recommendations/{cluster}/{namespace}/manifests', {
          params: {
            path: { cluster, namespace },
            query: { ...windowOf(days, Date.now()), format: format as NonNullable<ManifestFormat> },
          },
          headers: { accept: '*/*' },
          parseAs: 'text',
          signal,
        }),
      )) as unknown as string,
  })
}
