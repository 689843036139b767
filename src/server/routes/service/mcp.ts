import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Problem } from '../../../domain/problem.ts'
import type { HeavyReads } from '../../heavy-reads.ts'
import type { McpHandler } from '../../mcp/mcp-server.ts'
import type { Routes } from '../../server.ts'

/** The largest message is a Terraform plan of a thousand resources. */
const maxBytes = 2 * 2 ** 20

export function mcpRoutes(answer: McpHandler, reads: HeavyReads): Routes {
  return (server) => {
    server.post('/mcp', {
      config: { scope: 'pricing:read', produces: ['application/json', 'text/event-stream'] },
      bodyLimit: maxBytes,
      // Without tags the route is not in the API document. The protocol describes its tools itself and reports errors as
      // JSON-RPC.
      schema: { body: Type.Unknown() },
      // A Terraform plan may contain texts that other requests may not, such as line breaks.
      validatorCompiler: () => (value: unknown) => ({ value }),
      handler: async (request, reply) => {
        const { body } = request
        // A batch would count as one request for the rate limit. The protocol has no batches since its version 2025-06-18.
        if (typeof body !== 'object' || body === null || Array.isArray(body))
          throw new Problem('invalid', 'The body must be one JSON-RPC message.')
        // A subscription would keep a connection open for events that are never sent.
        if ((body as { method?: unknown }).method === 'subscriptions/listen')
          throw new Problem('invalid', 'Subscriptions are not supported: there is nothing to subscribe to.')
        const signal = await reads.admit(request, reply)
        const { organisation, scopes } = request.caller
        const response = await answer(messageOf(request, signal), { organisation, scopes, signal }, body)
        reply.code(response.status)
        for (const [name, value] of response.headers) reply.header(name, value)
        return reply.send((response.body ?? '') as never)
      },
    })
  }
}

/** The body is a placeholder, because the parsed body is passed separately. */
function messageOf({ headers }: FastifyRequest, signal: AbortSignal): Request {
  const known = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && (name === 'accept' || name.startsWith('mcp-')) ? [[name, value]] : [],
  )
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: [...known, ['content-type', 'application/json']],
    body: '{}',
    signal,
  })
}
