import { docsStyle, renderDocs } from '../docs-page.ts'
import type { OpenApiDocument } from '../openapi.ts'
import type { Routes } from '../server.ts'

const pagePolicy =
  "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** The API document for programs and for people. It is known only when every route is registered. */
export function docsRoutes(document: () => OpenApiDocument): Routes {
  let page: string | undefined
  return (server) => {
    server.get('/openapi.json', { config: { scope: 'none' } }, (_, reply) => reply.send(document()))
    server.get('/docs', { config: { scope: 'none', produces: ['text/html'] } }, (_, reply) => {
      page ??= renderDocs(document())
      return reply.header('content-security-policy', pagePolicy).type('text/html; charset=utf-8').send(page)
    })
    server.get('/docs.css', { config: { scope: 'none', produces: ['text/css'] } }, (_, reply) =>
      reply.type('text/css; charset=utf-8').send(docsStyle),
    )
  }
}
