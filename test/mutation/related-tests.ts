import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Finds the tests that import a file, directly or indirectly. The nearest come first, because they notice most changes. */
export class RelatedTests {
  readonly #importers = new Map<string, string[]>()

  /** Reads the source files under `root`; paths are relative to it. */
  constructor(root: string) {
    for (const file of globSync('src/**/*.ts', { cwd: root }))
      for (const imported of importsOf(join(root, file))) {
        const path = join(dirname(file), imported)
        if (!existsSync(join(root, path))) continue
        this.#importers.set(path, [...(this.#importers.get(path) ?? []), file])
      }
  }

  of(file: string): string[] {
    const found = new Set([file])
    for (const one of found) for (const importer of this.#importers.get(one) ?? []) found.add(importer)
    return [...found].filter((one) => one.endsWith('.test.ts'))
  }
}

/** Everything quoted that looks like a relative path, so that files started as workers count too; imports of types do not. */
function importsOf(path: string): string[] {
  const source = readFileSync(path, 'utf8').replace(/^import type .*$/gm, '')
  return [...source.matchAll(/'(\.{1,2}\/[^'\n]+\.ts)'/g)].map(([, imported]) => imported!)
}
