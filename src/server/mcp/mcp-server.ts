import { once } from 'node:events'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { defaultOrganisation, scopes } from '../../domain/key.ts'
import { listFiles, programFile, readAnyFile, readAnyFileSync } from '../../runtime/program-files.ts'
import { version } from '../../runtime/version.ts'
import { clusterTools } from './cluster-tools.ts'
import { recommendationTools } from './recommendation-tools.ts'
import { type AskService, refusalOf, registrar, type ToolCaller, type ToolDeps } from './tool.ts'
import { tools } from './tools.ts'
import { usageTools } from './usage-tools.ts'

const instructions =
  'Cheapside compares cloud prices and recommends sizes for containers and machines. CPU is in cores, memory in GiB, money in US dollars. ' +
  'All tools are read-only. The resources are the documentation.'

const allTools = [...tools, ...recommendationTools, ...usageTools, ...clusterTools]
const register = registrar(allTools)
const toolNames: ReadonlySet<string> = new Set(allTools.map(({ name }) => name))
const pages = docPages()

/** For one connection or request of one organisation. With `askService`, a running service answers the tools. */
function mcpServerFor(
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

const mimeType = 'text/markdown'

interface DocPage {
  /** Path below docs, such as algorithms/costs.md. */
  readonly path: string
  readonly uri: string
  readonly title: string
}

/** The documentation pages that are shipped with the program. The title of a page is its heading. */
function docPages(): DocPage[] {
  const paths = listFiles(programFile('docs')).filter((path) => /^(?!adr\/).*\.md$/.test(path))
  return paths.sort().map((path) => {
    const [, title = path] = /^# (.+)/m.exec(readAnyFileSync(fileOf(path)).toString()) ?? []
    return { path, uri: `cheapside://docs/${path}`, title }
  })
}

/** Offers the documentation as resources, so that a model can read how sizes, costs and comparisons are computed. */
function registerDocs(server: McpServer, pages: readonly DocPage[]): void {
  for (const { path, uri, title } of pages)
    server.registerResource(path, uri, { title, mimeType }, async () => ({
      contents: [{ uri, mimeType, text: (await readAnyFile(fileOf(path))).toString() }],
    }))
}

function fileOf(path: string): string {
  return programFile(`docs/${path}`)
}

/** Answers one HTTP request of a caller whose key was checked. */
export type McpHandler = (request: Request, caller: ToolCaller, body: unknown) => Promise<Response>

/** Handles requests without sessions, so that any node can answer. There are no notifications to subscribe to. */
export function mcpHandler(deps: ToolDeps, onError: (error: unknown) => void): McpHandler {
  return async (request, caller, body) => {
    const refusal = refusalOf(body, toolNames)
    if (refusal !== undefined) return refusal
    const errors: unknown[] = []
    const handler = createMcpHandler(() => mcpServerFor(deps, caller, onError), {
      onerror: (error) => errors.push(error),
      maxSubscriptions: 1,
    })
    const response = await handler.fetch(request, { parsedBody: body })
    // Messages that are refused because of what the client sent are reported as errors too.
    if (response.status >= 500) errors.forEach(onError)
    return response
  }
}

/** Resolves when standard input has ended. A pipe emits 'close' then, while a file such as /dev/null emits only 'end'. */
export async function serveMcpOnStdio(deps: ToolDeps, askService?: AskService): Promise<void> {
  const ended = Promise.race(['end', 'close'].map((event) => once(process.stdin, event)))
  const caller = { organisation: defaultOrganisation, scopes }
  const serving = serveStdio(() => mcpServerFor(deps, caller, (error) => console.error(error), askService))
  await ended
  await serving.close()
}
