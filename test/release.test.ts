import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }

test('the lock file and the API document have the version of the package', () => {
  const lock = JSON.parse(read('package-lock.json'))
  expect([lock.version, lock.packages[''].version]).toEqual([version, version])
  expect(JSON.parse(read('docs/openapi.json')).info.version).toBe(version)
})

test.each([
  ['README.md', /cheapside-(\d[\d.]*\d)\.tgz/g],
  ['docs/operations/install.md', /cheapside[:-](\d[\d.]*\d)/g],
  ['deploy/kubernetes/server/kustomization.yaml', /(?:newTag: |cheapside:)(\d[\d.]*\d)/g],
  ['deploy/kubernetes/overlays/agent/kustomization.yaml', /newTag: (\d[\d.]*\d)/g],
])('%s names the version of the package', (path, pattern) => {
  const named = [...read(path).matchAll(pattern)].map(([, found]) => found)
  expect(new Set(named)).toEqual(new Set([version]))
})

test('the changelog has a dated section for the version, below what is not released yet', () => {
  const headings = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!)
  expect(headings[0]).toBe('Unreleased')
  expect(headings[1]).toMatch(new RegExp(`^${version.replaceAll('.', '\\.')} - \\d{4}-\\d{2}-\\d{2}$`))
})
