import { extname } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { entityTagOf } from '../../../domain/cursor.ts'
import { listFiles, programFile, readAnyFileSync } from '../../../runtime/program-files.ts'
import { matchesEntityTag } from '../../requests/negotiation.ts'
import type { Routes } from '../../server.ts'

const builtConsole = programFile('web/dist')

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}
const produces = Object.values(mediaTypes).map((type) => type.split(';')[0]!)

interface BuiltFile {
  readonly mediaType: string
  readonly etag: string
  /** The content by content coding; 'identity' is always present. */
  readonly bytes: Readonly<Record<string, Buffer>>
}

/**
 * The console. Its page is served at / and, for deep links, at every path under /console, so that no path of the API is
 * taken for a page. Browsers cache files permanently if their names contain a hash of the content.
 */
export function consoleRoutes(directory = builtConsole): Routes {
  let files: ReadonlyMap<string, BuiltFile> | undefined
  const built = () => {
    files ??= readBuilt(directory)
    return files
  }
  return (server) => {
    const config = { scope: 'none', produces } as const
    const page = (request: FastifyRequest, reply: FastifyReply) => {
      const index = built()?.get('index.html')
      return index === undefined ? answerNotBuilt(reply) : answerFile(index, 'no-cache', request, reply)
    }
    server.get('/', { config }, page)
    server.get('/console', { config }, page)
    server.get('/console/*', { config }, page)
    server.get('/console/assets/:name', { config }, (request, reply) => {
      const { name } = request.params as { name: string }
      const file = built()?.get(`assets/${name}`)
      if (file === undefined) return reply.callNotFound()
      return answerFile(file, 'public, max-age=31536000, immutable', request, reply)
    })
  }
}

function answerFile(
  { mediaType, etag, bytes }: BuiltFile,
  caching: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const coding = ['br', 'gzip'].find(
    (coding) => bytes[coding] !== undefined && takes(request.headers['accept-encoding'], coding),
  )
  reply
    .header('content-security-policy', pagePolicy)
    .header('cache-control', caching)
    .header('vary', 'accept-encoding')
    .header('etag', etag)
  if (matchesEntityTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (coding !== undefined) reply.header('content-encoding', coding)
  return reply.header('content-type', mediaType).send(bytes[coding ?? 'identity'])
}

function takes(header: string | undefined, coding: string): boolean {
  return (header ?? '').split(',').some((part) => {
    const [name, ...params] = part.split(';').map((piece) => piece.trim().toLowerCase())
    return name === coding && !params.some((param) => /^q=0(\.0*)?$/.test(param))
  })
}

function answerNotBuilt(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .header('content-type', mediaTypes['.html'])
    .send(
      '<!doctype html><html lang="en"><meta charset="utf-8"><title>Cheapside</title>' +
        '<h1>The console is not built</h1><p>Run <code>npm start</code> in a clone of the repository, then load ' +
        'this page again. The API works without it: <a href="/docs">its documentation</a>.</p></html>',
    )
}

/** Returns undefined if the console has not been built. */
function readBuilt(directory: string): ReadonlyMap<string, BuiltFile> | undefined {
  const names = listFiles(directory)
  if (!names.includes('index.html')) return undefined
  const plain = names.filter((name) => mediaTypes[extname(name)] !== undefined)
  return new Map(
    plain.map((name) => {
      const read = (ending: string) =>
        names.includes(name + ending) ? readAnyFileSync(`${directory}/${name}${ending}`) : undefined
      const identity = readAnyFileSync(`${directory}/${name}`)
      const coded = Object.entries({ br: read('.br'), gzip: read('.gz') }).filter(([, bytes]) => bytes)
      const bytes = { identity, ...Object.fromEntries(coded) } as Record<string, Buffer>
      const etag = entityTagOf(identity)
      return [name, { mediaType: mediaTypes[extname(name)]!, etag, bytes }]
    }),
  )
}
