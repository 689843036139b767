import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { run } from './install/programs.ts'
import { testOnLinux as test } from './peers/test-with.ts'

const directory = mkdtempSync(join(tmpdir(), 'cheapside-place-'))
const home = mkdtempSync(join(tmpdir(), 'cheapside-home-'))
afterAll(() => {
  for (const path of [directory, home]) rmSync(path, { recursive: true, force: true })
})

const launcher = join(import.meta.dirname, '../bin/cheapside.js')
const call = (words: string[], more: Record<string, string> = {}) =>
  run(process.execPath, [launcher, ...words], {
    directory,
    env: { PATH: process.env.PATH!, XDG_DATA_HOME: home, ...more },
  })

test('a command reports where it creates a new database, and creates nothing in the current directory', async () => {
  const { out, err } = await call(['keys', 'list'])
  expect(out).toBe('There are no keys.\n')
  expect(err).toBe(
    `cheapside: creating a new database in ${join(home, 'cheapside')}; use --data for another directory or --server for a running service\n`,
  )
  expect((await call(['keys', 'list'])).err).toBe('')
  expect(readdirSync(directory)).toEqual([])
})

test('if an earlier version kept data in ./data, a line explains how to use it', async () => {
  await call(['keys', 'issue', '--name', 'old'], { CHEAPSIDE_DATA: './data' })
  const { out, err } = await call(['keys', 'list'])
  expect(out).toBe('There are no keys.\n')
  expect(err).toMatch(/^cheapside: there is a database in [^\n]*\/data, [^\n]*CHEAPSIDE_DATA=[^\n]*\/data\n$/)
  const chosen = await call(['keys', 'list'], { CHEAPSIDE_DATA: join(directory, 'data') })
  expect(chosen).toMatchObject({ err: '', out: expect.stringContaining(' old ') })
})
