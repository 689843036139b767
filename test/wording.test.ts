import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// Plain modern English in code and documents.

const root = join(import.meta.dirname, '..')
const texts = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(ts|tsx|md)$/.test(path) && existsSync(join(root, path)))
  .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const)

/** Lines that match, each with its file. */
const linesWith = (pattern: RegExp, paths: RegExp): string[] =>
  texts.flatMap(([path, text]) =>
    paths.test(path)
      ? text.split('\n').flatMap((line) => (pattern.test(line) ? [`${path}: ${line.trim()}`] : []))
      : [],
  )

test('a comment is a sentence with a subject', () => {
  expect(linesWith(/^\s*(\/\*\*|\*|\/\/) Of\b/, /\.tsx?$/), 'no comment begins with "Of"').toEqual([])
})

test('old words are not used', () => {
  const old = /\b(lest|whence|thereof|wherein|anew|whose lot|is told of|tells of|told of)\b/i
  expect(
    linesWith(old, /^(src|docs|README|SCOPE|SECURITY|ARCHITECTURE|CONTRIBUTING).*(?<!\.test)\.(ts|md)$/),
  ).toEqual([])
})
