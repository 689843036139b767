import type { McpServer } from '@modelcontextprotocol/server'
import { listFiles, programFile, readAnyFile, readAnyFileSync } from '../program-files.ts'

const mimeType = 'text/markdown'
const folder = () => programFile('docs')

interface DocPage {
  /** algorithms/costs.md */
  readonly path: string
  readonly uri: string
  readonly title: string
}

/** The pages of the documentation that come with the program, each with its heading as the title. */
export function docPages(): DocPage[] {
  const paths = listFiles(folder()).filter((path) => /^(?!adr\/).*\.md$/.test(path))
  return paths.sort().map((path) => {
    const [, title = path] = /^# (.+)/m.exec(readAnyFileSync(fileOf(path)).toString()) ?? []
    return { path, uri: `cheapside://docs/${path}`, title }
  })
}

/** Lets a model read how sizes, costs and comparisons come about. */
export function registerDocs(server: McpServer, pages: readonly DocPage[]): void {
  for (const { path, uri, title } of pages)
    server.registerResource(path, uri, { title, mimeType }, async () => ({
      contents: [{ uri, mimeType, text: (await readAnyFile(fileOf(path))).toString() }],
    }))
}

const fileOf = (path: string): string => programFile(`docs/${path}`)
