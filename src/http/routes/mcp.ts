import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Problem } from '../../domain/problem.ts'
import { largeBodyBytes, type Routes } from '../server.ts'

/** Answers a message of the Model Context Protocol for an organisation. */
type AnswerMessage = (request: Request, organisation: string, body: unknown) => Promise<Response>

/** Tools for assistants, by the Model Context Protocol over streamable HTTP. */
export function mcpRoutes(answer: AnswerMessage): Routes {
  return (server) => {
    server.post('/mcp', {
      config: { scope: 'pricing:read', produces: ['application/json', 'text/event-stream'] },
      bodyLimit: largeBodyBytes,
      // Not in the API document: the protocol has its own, and reports its errors as JSON-RPC does.
      schema: { body: Type.Unknown() },
      // A Terraform plan may hold texts that no other request may.
      validatorCompiler: () => (value: unknown) => ({ value }),
      handler: async (request, reply) => {
        const { body } = request
        // A batch would be many requests that count as one; the protocol has none since 2025-06-18.
        if (typeof body !== 'object' || body === null || Array.isArray(body))
          throw new Problem('invalid', 'The body must be one JSON-RPC message.')
        const response = await answer(messageOf(request), request.caller.organisation, body)
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
