import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

// An exported name means one thing, so that a reader who has seen it once knows it everywhere.

const root = join(import.meta.dirname, '..')
const sources = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.ts$/.test(path) && !/\.(test|case)\.ts$/.test(path) && existsSync(join(root, path)))

test('every exported name is declared in one file', () => {
  const homes = new Map<string, string[]>()
  for (const path of sources)
    for (const name of namesExportedBy(path)) homes.set(name, [...(homes.get(name) ?? []), path])
  expect(homes.size).toBeGreaterThan(1_000)
  const repeated = [...homes].filter(([, paths]) => paths.length > 1 && !areTwins(paths))
  expect(repeated, 'rename one of each: it means something else').toEqual([])
})

/** Both databases implement one port, in files and functions of the same names. */
const areTwins = (paths: readonly string[]): boolean =>
  paths.length === 2 &&
  paths.every((path) => /^src\/store\/(postgres|sqlite)\//.test(path)) &&
  new Set(paths.map((path) => basename(path))).size === 1

function namesExportedBy(path: string): Set<string> {
  const text = readFileSync(join(root, path), 'utf8')
  const declared = text.matchAll(
    /^export (?:declare |abstract |async )*(?:function\*?|class|const|let|type|interface) +([\w$]+)/gm,
  )
  return new Set([...declared].map(([, name]) => name!))
}
