import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { KeyRecord } from '../../../domain/key.ts'
import { Problem } from '../../../domain/problem.ts'
import type { HeavyReads } from '../../heavy-reads.ts'
import type { Routes } from '../../server.ts'

/** Answers a message of the Model Context Protocol for the holder of a key. */
type AnswerMessage = (request: Request, caller: KeyRecord, body: unknown) => Promise<Response>

/** A Terraform plan of a thousand resources, which is the largest message. */
const mostBytes = 2 * 2 ** 20

/** Tools for assistants, by the Model Context Protocol over streamable HTTP. */
export function mcpRoutes(answer: AnswerMessage, reads: HeavyReads): Routes {
  return (server) => {
    server.post('/mcp', {
      config: { scope: 'pricing:read', produces: ['application/json', 'text/event-stream'] },
      bodyLimit: mostBytes,
      // Not in the API document: the protocol has its own, and reports its errors as JSON-RPC does.
      schema: { body: Type.Unknown() },
      // A Terraform plan may hold texts that no other request may.
      validatorCompiler: () => (value: unknown) => ({ value }),
      handler: async (request, reply) => {
        const { body } = request
        // A batch would be many requests that count as one; the protocol has none since 2025-06-18.
        if (typeof body !== 'object' || body === null || Array.isArray(body))
          throw new Problem('invalid', 'The body must be one JSON-RPC message.')
        // A subscription would hold a connection for news that never come.
        if ((body as { method?: unknown }).method === 'subscriptions/listen')
          throw new Problem('invalid', 'There is nothing to subscribe to.')
        await reads.admit(request, reply)
        const response = await answer(messageOf(request), request.caller, body)
        reply.code(response.status)
        for (const [name, value] of response.headers) reply.header(name, value)
        return reply.send((response.body ?? '') as never)
      },
    })
  }
}

/** With the headers that the protocol knows; the body is handed over as it was read. */
function messageOf({ headers }: FastifyRequest): Request {
  const known = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && (name === 'accept' || name.startsWith('mcp-')) ? [[name, value]] : [],
  )
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: [...known, ['content-type', 'application/json']],
    body: '{}',
  })
}
