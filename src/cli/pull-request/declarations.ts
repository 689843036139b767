import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The place where a resource is declared. */
export interface Declaration {
  readonly file: string
  /** Line number, starting at 1. */
  readonly line: number
}

/** Finds resources in the Terraform files of a folder, and in modules whose source in the plan is a relative path. */
export class Declarations {
  readonly #folder: string
  readonly #files = new Map<string, readonly { name: string; lines: readonly string[] }[]>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Returns the line in the block that contains `value`, otherwise the first line of the block. Returns undefined if there
   * is no block.
   */
  find(document: unknown, address: string, value: string): Declaration | undefined {
    const parts = address.replace(/\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g, '').split(/[. ]/)
    const modules: string[] = []
    while (parts[0] === 'module' && parts.length > 2) modules.push(parts.splice(0, 2)[1]!)
    const [type, name] = parts
    const folder = this.#folderOf(document, modules)
    if (folder === undefined || type === undefined || name === undefined) return undefined
    const begins = new RegExp(`^\\s*resource\\s+"?${escaped(type)}"?\\s+"?${escaped(name)}"?\\s*\\{`)
    for (const { name: file, lines } of this.#filesIn(folder)) {
      const first = lines.findIndex((line) => begins.test(line))
      if (first < 0) continue
      const after = lines.slice(first + 1)
      // In formatted files the closing brace of a block is in the same column as its start.
      const end = after.findIndex((line) => /^\}/.test(line))
      const body = end < 0 ? after : after.slice(0, end)
      const named = value === '' ? -1 : body.findIndex((line) => line.includes(`"${value}"`))
      return { file: join(folder, file), line: first + 1 + (named < 0 ? 0 : named + 1) }
    }
    return undefined
  }

  #folderOf(document: unknown, modules: readonly string[]): string | undefined {
    let folder = this.#folder
    let module = (document as Configured | undefined)?.configuration?.root_module
    for (const name of modules) {
      const call = module?.module_calls?.[name]
      if (typeof call?.source !== 'string' || !/^\.{1,2}\//.test(call.source)) return undefined
      folder = join(folder, call.source)
      module = call.module
    }
    return folder
  }

  #filesIn(folder: string): readonly { name: string; lines: readonly string[] }[] {
    let files = this.#files.get(folder)
    if (files === undefined) {
      files = terraformFiles(folder).map((name) => ({
        name,
        lines: readFileSync(join(folder, name), 'utf8').split(/\r?\n/),
      }))
      this.#files.set(folder, files)
    }
    return files
  }
}

interface Module {
  readonly module_calls?: Readonly<Record<string, { readonly source?: unknown; readonly module?: Module }>>
}

interface Configured {
  readonly configuration?: { readonly root_module?: Module }
}

function terraformFiles(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /\.(tf|tofu)$/.test(name))
  } catch {
    return []
  }
}

const escaped = (name: string): string => name.replace(/[^\w-]/g, '\\$&')
