import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { commandsOf } from '../operations/pages.ts'
import { startPostgres } from '../peers/postgres.ts'
import { run } from './programs.ts'
import { tour } from './tour.ts'

const root = join(import.meta.dirname, '../..')
const directory = mkdtempSync(join(tmpdir(), 'cheapside-binary-'))
const program = join(directory, `cheapside-${process.platform}-${process.arch}`)

beforeAll(() => {
  const [build] = commandsOf('install.md', 'As one file')
  execFileSync('sh', ['-c', `${build} --silent -- --to ${directory}`], { cwd: root, stdio: 'inherit' })
}, 300_000)
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test(
  'one file runs the tour as command line, server and agent, with no other file',
  () => tour({ program, words: [] }),
  120_000,
)

test('it works on PostgreSQL too', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const env = { DATABASE_URL: await postgres.createDatabase(), PATH: '/usr/bin:/bin' }
  const issued = await run(program, ['keys', 'issue', '--name', 'ci'], { directory, env })
  expect(issued.out).toMatch(/^csk_/)
  expect((await run(program, ['keys', 'list'], { directory, env })).out).toContain(' ci ')
})
