import { entityTagOf } from '../../../domain/cursor.ts'
import { docsStyle, renderDocs } from '../../docs-page.ts'
import type { OpenApiDocument } from '../../openapi.ts'
import { jsonContentType, sendUnlessKnown } from '../../requests/negotiation.ts'
import type { Routes } from '../../server.ts'

const pagePolicy =
  "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** The API document as JSON and as a page. It is complete only after every route is registered. */
export function docsRoutes(document: () => OpenApiDocument): Routes {
  const json = once(() => fileOf(JSON.stringify(document()), jsonContentType))
  const page = once(() => fileOf(renderDocs(document()), 'text/html; charset=utf-8'))
  const style = once(() => fileOf(docsStyle, 'text/css; charset=utf-8'))
  return (server) => {
    server.get('/openapi.json', { config: { scope: 'none' } }, (request, reply) =>
      sendUnlessKnown(request, reply, json()),
    )
    server.get('/docs', { config: { scope: 'none', produces: ['text/html'] } }, (request, reply) =>
      sendUnlessKnown(request, reply.header('content-security-policy', pagePolicy), page()),
    )
    server.get('/docs.css', { config: { scope: 'none', produces: ['text/css'] } }, (request, reply) =>
      sendUnlessKnown(request, reply, style()),
    )
  }
}

/** A file that is rendered once and sent to every caller from the same buffer. */
const fileOf = (text: string, contentType: string) => ({
  body: Buffer.from(text),
  contentType,
  etag: entityTagOf(text),
  caching: 'no-cache',
})

function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined
  return () => {
    value ??= make()
    return value
  }
}
