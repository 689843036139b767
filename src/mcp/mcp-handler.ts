import { createMcpHandler } from '@modelcontextprotocol/server'
import { mcpServerFor } from './mcp-server.ts'
import type { ToolDeps } from './tool.ts'

/** Answers one request over HTTP, of a caller whose key was checked. */
export type McpHandler = (request: Request, organisation: string, body: unknown) => Promise<Response>

/** Without sessions, so that any node can answer. Nothing is announced later, so a subscription would wait in vain. */
export function mcpHandler(deps: ToolDeps, onError: (error: unknown) => void): McpHandler {
  const handler = createMcpHandler(({ authInfo }) => mcpServerFor(deps, authInfo!.clientId, onError), {
    onerror: onError,
    maxSubscriptions: 1,
  })
  return (request, organisation, body) =>
    handler.fetch(request, {
      parsedBody: body,
      authInfo: { token: '', clientId: organisation, scopes: [] },
    })
}
