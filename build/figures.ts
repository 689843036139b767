import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { moduleState } from '../test/module-state.ts'

// node build/figures.ts: prints how large the source is, without tests: per directory of src/, and in all.

const root = join(import.meta.dirname, '..')
const files = globSync('src/**/*.ts', { cwd: root })
  .filter((file) => !/\.(test|case)\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

const sizes = [...Map.groupBy(files, ({ file }) => file.split('/')[1]!)].map(([name, own]) =>
  sizeOf(name, own),
)
console.table(sizes.sort((a, b) => b.lines - a.lines))
console.table([sizeOf('src', files)])

function sizeOf(name: string, own: typeof files) {
  const sum = (count: (text: string) => number) => own.reduce((all, { text }) => all + count(text), 0)
  return {
    name,
    lines: sum((text) => text.split('\n').length - 1),
    files: own.length,
    directories: new Set(own.map(({ file }) => dirname(file))).size,
    exports: sum((text) => [...text.matchAll(/^export (?!type \{|\{|\*)/gm)].length),
    'module state': sum((text) => moduleState(text).length),
    'longest file': Math.max(...own.map(({ text }) => text.split('\n').length - 1)),
  }
}
