import type { HeavyReads } from '../heavy-reads.ts'
import type { McpHandler } from '../mcp/mcp-server.ts'
import type { ToolDeps } from '../mcp/tool.ts'
import { mcpRoutes } from '../routes/service/mcp.ts'
import type { ServiceContext, ServicePart } from './service-part.ts'

const loadAfterMs = 5_000

/**
 * Tools for assistants. Their module is loaded by the first message, or once the service has nothing else to do, because
 * it would make every start a quarter slower.
 */
export function mcpPart({ reportError }: ServiceContext, deps: ToolDeps, reads: HeavyReads) {
  const onError = (error: unknown) => reportError('error', 'an MCP tool failed', error)
  let loading: Promise<McpHandler> | undefined
  const load = () => {
    loading ??= import('../mcp/mcp-server.ts').then(({ mcpHandler }) => mcpHandler(deps, onError))
    return loading
  }
  return {
    routes: [mcpRoutes(async (...message) => (await load())(...message), reads)],
    jobs: [
      {
        name: 'loading the tools for assistants',
        everyMs: loadAfterMs,
        run: async () => {
          if (!reads.isBusy) await load()
        },
      },
    ],
  } satisfies ServicePart
}
