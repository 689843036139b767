import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const [, rows] = read('docs/glossary.md').split('|---|---|\n')
const terms = [...rows!.matchAll(/^\| ([^|]+) \|/gm)].map(([, term]) => term!)

test('the glossary has at most 40 terms, each defined once', () => {
  expect(terms.length).toBeGreaterThan(20)
  expect(terms.length).toBeLessThanOrEqual(40)
  expect(new Set(terms).size).toBe(terms.length)
})

test('every term of the glossary occurs in src', () => {
  const listed = execFileSync('git', ['ls-files', 'src'], { cwd: root, encoding: 'utf8' })
  const sources = listed.split('\n').filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  const text = sources.map(read).join('\n')
  const missing = terms.filter((term) => !new RegExp(`\\b${term.replace(' ', ' ?')}`, 'i').test(text))
  expect(missing).toEqual([])
})
