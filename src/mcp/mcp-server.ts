import { McpServer } from '@modelcontextprotocol/server'
import { version } from '../version.ts'
import { registrar, type ToolDeps } from './tool.ts'
import { tools } from './tools.ts'

const instructions =
  'Cheapside compares cloud prices. CPU is in cores, memory in GiB, money in US dollars. Every tool only reads.'

const register = registrar(tools)

/** A server for one connection or one request of one organisation. */
export function mcpServerFor(
  deps: ToolDeps,
  organisation: string,
  onError: (error: unknown) => void,
): McpServer {
  const server = new McpServer({ name: 'cheapside', version }, { instructions })
  register(server, deps, organisation, onError)
  return server
}
