import { once } from 'node:events'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { defaultOrganisation } from '../domain/key.ts'
import { mcpServerFor } from './mcp-server.ts'
import type { ToolDeps } from './tool.ts'

/** Resolves when standard input has ended: a pipe then closes, and a file such as /dev/null does not. */
export async function serveMcpOnStdio(deps: ToolDeps): Promise<void> {
  const ended = Promise.race(['end', 'close'].map((event) => once(process.stdin, event)))
  const serving = serveStdio(() => mcpServerFor(deps, defaultOrganisation, (error) => console.error(error)))
  await ended
  await serving.close()
}
