import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Scope } from '../domain/key.ts'
import { mcpServerFor } from './mcp-server.ts'
import type { ToolCaller, ToolDeps } from './tool.ts'

/** Answers one request over HTTP, of a caller whose key was checked. */
export type McpHandler = (request: Request, caller: ToolCaller, body: unknown) => Promise<Response>

/** Without sessions, so that any node can answer. Nothing is announced later, so a subscription would wait in vain. */
export function mcpHandler(deps: ToolDeps, onError: (error: unknown) => void): McpHandler {
  const handler = createMcpHandler(({ authInfo }) => mcpServerFor(deps, callerOf(authInfo!), onError), {
    onerror: onError,
    maxSubscriptions: 1,
  })
  return (request, { organisation, scopes }, body) =>
    handler.fetch(request, {
      parsedBody: body,
      authInfo: { token: '', clientId: organisation, scopes: [...scopes] },
    })
}

const callerOf = ({ clientId, scopes }: { clientId: string; scopes: string[] }): ToolCaller => ({
  organisation: clientId,
  scopes: scopes as Scope[],
})
