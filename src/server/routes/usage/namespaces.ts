import Type from 'typebox'
import { profiles } from '../../../recommendations/containers/parse-preference.ts'
import { parseSizesRequest } from '../../../recommendations/containers/query.ts'
import { ManifestsQuery, NamespacesQuery } from '../../../recommendations/containers/query-schema.ts'
import { NamespaceRecommendation } from '../../../recommendations/containers/schema.ts'
import type { SizesDeps } from '../../../recommendations/containers/size-namespaces.ts'
import { sizesAnswer } from '../../../recommendations/containers/sizes-answer.ts'
import {
  csvMediaType,
  fileNames,
  type ManifestFormat,
  manifestAnswer,
  manifestFormats,
  mediaTypeOf,
  yamlMediaType,
} from '../../../recommendations/manifests/manifest-answer.ts'
import { type HeavyReads, heavyReadProblems } from '../../heavy-reads.ts'
import {
  jsonMediaType,
  linkTo,
  listContentType,
  listFormat,
  ndjsonMediaType,
} from '../../requests/negotiation.ts'
import type { Routes } from '../../server.ts'

const path = '/v1/namespace_recommendations'
const order = 'Sorted by cluster and namespace, in byte order.'

export function namespaceRoutes(deps: SizesDeps, reads: HeavyReads): Routes {
  const tags = ['Gateway']
  return (server) => {
    server.get(path, {
      config: {
        scope: 'gateway:read',
        produces: [jsonMediaType, ndjsonMediaType],
        problems: heavyReadProblems,
      },
      schema: {
        tags,
        summary: 'Recommend container sizes and show the cost of namespaces',
        description: `${order} With limit or container_limit, the next page is in the Link header, rel="next". NewSpend and the savings of a namespace assume that only this namespace is resized, whichever others the response contains. Members with Monthly in their name are per month of 730 hours, the others over the window. With Accept: application/x-ndjson, one object per line.`,
        querystring: NamespacesQuery(profiles),
        response: { 200: Type.Array(NamespaceRecommendation) },
      },
      handler: async (request, reply) => {
        const query = parseSizesRequest(request.query)
        const signal = await reads.admit(request, reply)
        const format = listFormat(request.headers.accept)
        const { organisation } = request.caller
        const { pieces, next } = await sizesAnswer(deps, organisation, query, format, signal)
        if (next !== undefined) reply.header('link', linkTo(request.url, { cursor: next }))
        reply.header('content-type', listContentType[format])
        return reads.send(request, reply, pieces)
      },
    })
    server.get(`${path}/:cluster/:namespace/manifests`, {
      config: {
        scope: 'gateway:read',
        produces: [yamlMediaType, csvMediaType, 'application/json'],
        problems: heavyReadProblems,
      },
      schema: {
        tags,
        summary: 'Export the recommendations of a namespace',
        description:
          'Formats: patches for server-side apply (patch), VerticalPodAutoscalers (vpa), a ResourceQuota (quota), a Kustomize component (kustomize), or a table (csv). Names in the path are percent-encoded. If the cluster or namespace has no usage in this period, the file contains a note (a table has no rows).',
        params: Type.Object({
          cluster: Type.String({ maxLength: 1024 }),
          namespace: Type.String({ maxLength: 1024 }),
        }),
        querystring: ManifestsQuery(profiles, manifestFormats),
        response: { 200: Type.String() },
      },
      handler: async (request, reply) => {
        const { cluster, namespace } = request.params
        const format = request.query.format as ManifestFormat
        const query = { ...parseSizesRequest({ ...request.query, cluster, namespace }), cluster, namespace }
        const signal = await reads.admit(request, reply)
        const pieces = manifestAnswer(deps, request.caller.organisation, query, format, signal)
        reply
          .header('content-type', `${mediaTypeOf(format)}; charset=utf-8`)
          .header('content-disposition', `attachment; filename="${fileNames[format]}"`)
        return reads.send(request, reply, pieces)
      },
    })
  }
}
