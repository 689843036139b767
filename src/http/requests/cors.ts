import type { FastifyReply, FastifyRequest } from 'fastify'

const exposed = 'link, etag, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-request-id'

/** Lets the named origins in; true where the request was a preflight and is answered. */
export function answerCors(
  origins: ReadonlySet<string>,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const { origin } = request.headers
  if (origins.size === 0 || origin === undefined) return false
  reply.header('vary', 'origin')
  if (!origins.has(origin)) return false
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', exposed)
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
    return false
  reply
    .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
    .header(
      'access-control-allow-headers',
      'x-api-key, authorization, content-type, x-request-id, if-none-match',
    )
    .header('access-control-max-age', '600')
    .code(204)
    .send()
  return true
}
