import { McpServer } from '@modelcontextprotocol/server'
import { version } from '../version.ts'
import { adviceTools } from './advice-tools.ts'
import { docPages, registerDocs } from './doc-resources.ts'
import { type AskService, registrar, type ToolCaller, type ToolDeps } from './tool.ts'
import { tools } from './tools.ts'
import { usageTools } from './usage-tools.ts'

const instructions =
  'Cheapside compares cloud prices and recommends sizes for containers and machines. CPU is in cores, memory in GiB, money in US dollars. ' +
  'Every tool only reads. Resources are the documentation.'

const register = registrar([...tools, ...adviceTools, ...usageTools])
const pages = docPages()

/** A server for one connection or one request of one organisation; tools answer by themselves, or let a service answer. */
export function mcpServerFor(
  deps: ToolDeps,
  caller: ToolCaller,
  onError: (error: unknown) => void,
  askService?: AskService,
): McpServer {
  const server = new McpServer({ name: 'cheapside', version }, { instructions })
  register(server, deps, caller, onError, askService)
  registerDocs(server, pages)
  return server
}
