import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { viteConfig } from './vite.ts'

// Builds the console into web/dist, with compressed files, and reports what a first visit loads.

const maxFirstLoadKb = 120

await build(viteConfig)
const directory = join(import.meta.dirname, 'dist')
const sizes = new Map<string, number>()
for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue
  const path = join(entry.parentPath, entry.name)
  const bytes = readFileSync(path)
  const small = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
  writeFileSync(`${path}.br`, small)
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  sizes.set(path.slice(directory.length + 1), small.length)
}

const page = readFileSync(join(directory, 'index.html'), 'utf8')
const linked = [...page.matchAll(/(?:src|href)="\/console\/([^"]+)"/g)].map(([, name]) => name!)
const firstLoad = ['index.html', ...linked].reduce((sum, name) => sum + sizes.get(name)!, 0)
const all = [...sizes.values()].reduce((sum, size) => sum + size, 0)
console.log(
  `console built: first load ${kb(firstLoad)} KB compressed (at most ${maxFirstLoadKb}), everything ${kb(all)} KB`,
)
if (firstLoad > maxFirstLoadKb * 1000) {
  console.error('The first load has become too large.')
  process.exitCode = 1
}

function kb(bytes: number): string {
  return (bytes / 1000).toFixed(1)
}
