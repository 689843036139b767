import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

// Compiles src/ into dist/, file by file. Node does not strip types in node_modules, so a package must contain JavaScript.
// Types are replaced by spaces, so that lines and columns in a stack trace match the sources. Trailing spaces and comments
// before declarations are removed.

const root = join(import.meta.dirname, '..')

process.removeAllListeners('warning')
const count = compile(join(root, 'src'), join(root, 'dist'))
console.log(`compiled ${count} files into dist/`)

function compile(from: string, to: string): number {
  rmSync(to, { recursive: true, force: true })
  const files = globSync('**/*.{ts,json}', { cwd: from }).filter((file) => !/\.(test|case)\.ts$/.test(file))
  for (const file of files) {
    const target = join(to, file.replace(/\.ts$/, '.js'))
    mkdirSync(dirname(target), { recursive: true })
    if (file.endsWith('.json')) copyFileSync(join(from, file), target)
    else writeFileSync(target, javaScriptOf(readFileSync(join(from, file), 'utf8')))
  }
  return files.length
}

/** Relative paths that end in .ts are imports, and scripts of threads as in new URL('./worker.ts', import.meta.url). */
function javaScriptOf(source: string): string {
  if (/[ \t]$/m.test(source))
    throw new Error('a line of the source ends in a blank, which may be part of a text')
  return stripTypeScriptTypes(source)
    .replace(/^[ \t]*\/\*\*[\s\S]*?\*\/$/gm, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/[ \t]+$/gm, '')
    .replace(/(['"])(\.{1,2}\/[^'"\n]+)\.ts\1/g, '$1$2.js$1')
}
