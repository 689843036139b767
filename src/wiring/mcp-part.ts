import type { McpHandler } from '../mcp/mcp-server.ts'
import type { ToolDeps } from '../mcp/tool.ts'

/** Loaded by the first request, since compiling the schemas of the tools would add a quarter to the time of every start. */
export function mcpPart(deps: ToolDeps, onError: (error: unknown) => void): McpHandler {
  let loading: Promise<McpHandler> | undefined
  const load = () => import('../mcp/mcp-server.ts').then(({ mcpHandler }) => mcpHandler(deps, onError))
  return async (request, caller, body) => {
    loading ??= load()
    const handle = await loading
    return handle(request, caller, body)
  }
}
