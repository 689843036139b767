import type { FastifyReply, FastifyRequest } from 'fastify'
import { entityTagOf } from '../../../domain/entity-tag.ts'
import { docsStyle, renderDocs } from '../../docs-page.ts'
import type { OpenApiDocument } from '../../openapi.ts'
import { jsonContentType, matchesEntityTag } from '../../requests/negotiation.ts'
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
      answerFile(json(), request, reply),
    )
    server.get('/docs', { config: { scope: 'none', produces: ['text/html'] } }, (request, reply) =>
      answerFile(page(), request, reply.header('content-security-policy', pagePolicy)),
    )
    server.get('/docs.css', { config: { scope: 'none', produces: ['text/css'] } }, (request, reply) =>
      answerFile(style(), request, reply),
    )
  }
}

/** A file that is rendered once and sent to every caller from the same buffer. */
interface WrittenFile {
  readonly bytes: Buffer
  readonly contentType: string
  readonly etag: string
}

function fileOf(text: string, contentType: string): WrittenFile {
  return { bytes: Buffer.from(text), contentType, etag: entityTagOf(text) }
}

function answerFile(
  { bytes, contentType, etag }: WrittenFile,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.header('cache-control', 'no-cache').header('etag', etag)
  if (matchesEntityTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.header('content-type', contentType).send(bytes)
}

function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined
  return () => {
    value ??= make()
    return value
  }
}
