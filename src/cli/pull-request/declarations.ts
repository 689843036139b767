import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Declaration {
  readonly file: string
  /** Line number, starting at 1. */
  readonly line: number
}

/** Finds resources in the Terraform files of a directory, and in modules whose source in the plan is a relative path. */
export class Declarations {
  readonly #directory: string
  readonly #files = new Map<string, readonly { name: string; lines: readonly string[] }[]>()

  constructor(directory: string) {
    this.#directory = directory
  }

  /** The line in the block that contains `value`, otherwise the first line of the block; undefined if there is no block. */
  find(document: unknown, address: string, value: string): Declaration | undefined {
    const parts = address.replace(/\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g, '').split(/[. ]/)
    const modules: string[] = []
    while (parts[0] === 'module' && parts.length > 2) modules.push(parts.splice(0, 2)[1]!)
    const [type, name] = parts
    const directory = this.#directoryOf(document, modules)
    if (directory === undefined || type === undefined || name === undefined) return undefined
    const begins = new RegExp(`^\\s*resource\\s+"?${escaped(type)}"?\\s+"?${escaped(name)}"?\\s*\\{`)
    for (const { name: file, lines } of this.#filesIn(directory)) {
      const first = lines.findIndex((line) => begins.test(line))
      if (first < 0) continue
      const after = lines.slice(first + 1)
      // In formatted files the closing brace of a block is in the same column as its start.
      const end = after.findIndex((line) => /^\}/.test(line))
      const body = end < 0 ? after : after.slice(0, end)
      const named = value === '' ? -1 : body.findIndex((line) => line.includes(`"${value}"`))
      return { file: join(directory, file), line: first + 1 + (named < 0 ? 0 : named + 1) }
    }
    return undefined
  }

  #directoryOf(document: unknown, modules: readonly string[]): string | undefined {
    let directory = this.#directory
    let module = (document as Configured | undefined)?.configuration?.root_module
    for (const name of modules) {
      const call = module?.module_calls?.[name]
      if (typeof call?.source !== 'string' || !/^\.{1,2}\//.test(call.source)) return undefined
      directory = join(directory, call.source)
      module = call.module
    }
    return directory
  }

  #filesIn(directory: string): readonly { name: string; lines: readonly string[] }[] {
    let files = this.#files.get(directory)
    if (files === undefined) {
      files = terraformFiles(directory).map((name) => ({ name, lines: linesIn(join(directory, name)) }))
      this.#files.set(directory, files)
    }
    return files
  }
}

interface Module {
  readonly module_calls?: Readonly<Record<string, { readonly source?: unknown; readonly module?: Module }>>
}

type Configured = { readonly configuration?: { readonly root_module?: Module } }

/** Returns none if the file cannot be read, such as a link to a file that is missing. */
function linesIn(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)
  } catch {
    return []
  }
}

function terraformFiles(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => /\.(tf|tofu)$/.test(name))
  } catch {
    return []
  }
}

const escaped = (name: string): string => name.replace(/[^\w-]/g, '\\$&')
