import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Change, changesOf } from './changes.ts'

/** A change with the line before and after, for display. */
export interface Mutant {
  readonly file: string
  readonly change: Change
  readonly line: number
  readonly before: string
  readonly after: string
}

/** Every change to the source files of a directory, or to one file; paths are relative to the root. */
export function mutantsUnder(root: string, place: string): Mutant[] {
  const files = place.endsWith('.ts') ? [place] : globSync(`${place}/**/*.ts`, { cwd: root })
  return files
    .filter((file) => !/\.(test|case)\.ts$/.test(file))
    .sort()
    .flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8')
      return changesOf(source).map((change) => describe(file, source, change))
    })
}

function describe(file: string, source: string, change: Change): Mutant {
  const from = source.lastIndexOf('\n', change.start - 1) + 1
  const to = (source.indexOf('\n', change.end) + 1 || source.length + 1) - 1
  return {
    file,
    change,
    line: source.slice(0, change.start).split('\n').length,
    before: source.slice(from, to).trim(),
    after: (source.slice(from, change.start) + change.text + source.slice(change.end, to)).trim(),
  }
}

/** A random sample that depends only on the seed. */
export function sample<T>(all: readonly T[], count: number, seed: number): T[] {
  let state = seed >>> 0
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return all
    .map((item) => ({ item, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ item }) => item)
}
