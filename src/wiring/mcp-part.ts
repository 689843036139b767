import type { McpHandler } from '../mcp/mcp-server.ts'
import type { ToolDeps } from '../mcp/tool.ts'

/**
 * The module is loaded by the first request, because compiling the schemas of the tools would make every start a quarter
 * slower.
 */
export function mcpPart(deps: ToolDeps, onError: (error: unknown) => void): McpHandler {
  let loading: Promise<McpHandler> | undefined
  const load = () => import('../mcp/mcp-server.ts').then(({ mcpHandler }) => mcpHandler(deps, onError))
  return async (request, caller, body) => {
    loading ??= load()
    const handle = await loading
    return handle(request, caller, body)
  }
}
