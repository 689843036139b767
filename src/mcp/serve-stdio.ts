import { once } from 'node:events'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { defaultOrganisation, scopes } from '../domain/key.ts'
import { mcpServerFor } from './mcp-server.ts'
import type { AskService, ToolDeps } from './tool.ts'

/** Resolves when standard input has ended: a pipe then closes, and a file such as /dev/null does not. */
export async function serveMcpOnStdio(deps: ToolDeps, askService?: AskService): Promise<void> {
  const ended = Promise.race(['end', 'close'].map((event) => once(process.stdin, event)))
  const caller = { organisation: defaultOrganisation, scopes }
  const serving = serveStdio(() => mcpServerFor(deps, caller, (error) => console.error(error), askService))
  await ended
  await serving.close()
}
