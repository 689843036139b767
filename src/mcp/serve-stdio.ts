import { once } from 'node:events'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { defaultOrganisation } from '../domain/key.ts'
import { mcpServerFor } from './mcp-server.ts'
import type { ToolDeps } from './tool.ts'

/** Resolves when the other side has closed standard input. */
export async function serveMcpOnStdio(deps: ToolDeps): Promise<void> {
  const ended = once(process.stdin, 'close')
  const serving = serveStdio(() => mcpServerFor(deps, defaultOrganisation, (error) => console.error(error)))
  await ended
  await serving.close()
}
